#include "store/http.h"

#include <csignal>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <pthread.h>
#include <unistd.h>

#include <pier/error.h>

#include "store/home.h"
#include "store/index.h"
#include "store/server.h"
#include "store/sigpipe.h"

namespace pier::test {
namespace {

using testing::HasSubstr;
using std::chrono::milliseconds;

class TextSink : public HttpSink {
 public:
  std::uint64_t have() const override { return text.size(); }
  bool begin(const HttpHead& head) override {
    heads.push_back(head);
    if (refuse_pages && head.content_type == "text/html") throw std::runtime_error("a web page");
    if (head.status == 206) return accept;
    if (!text.empty()) ++restarts;
    text.clear();
    return true;
  }
  void write(std::span<const std::byte> bytes) override {
    text.append(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    if (throw_on_write) throw std::runtime_error("the sink is full");
    if (on_write) on_write();
  }
  std::string text;
  std::vector<HttpHead> heads;
  int restarts = 0;
  bool accept = true;
  bool refuse_pages = false;
  bool throw_on_write = false;
  std::function<void()> on_write;
};

class Http : public testing::Test {
 protected:
  Http() {
    settings.backoff = milliseconds(1);
    settings.stall_timeout = milliseconds(700);
    settings.attempts = 3;
  }
  std::string get(const Server& server, std::string_view path = "/f") {
    HttpClient client(settings);
    client.get(parse_url(server.url(path)), {}, sink);
    return sink.text;
  }
  std::string failure(const Server& server, std::string_view path = "/f") {
    try {
      get(server, path);
    } catch (const NetworkError& error) {
      return error.what();
    }
    return "no error";
  }
  Home home;
  HttpSettings settings;
  TextSink sink;
  std::string body = [] {
    std::string text(3'000'000, '\0');
    for (std::size_t i = 0; i < text.size(); ++i) text[i] = static_cast<char>(static_cast<unsigned char>(i * 2654435761u >> 13));
    return text;
  }();
};

TEST_F(Http, BringsABodyWhole) {
  Server server([&](const Request& request) { return with_ranges(request, body); });
  EXPECT_EQ(get(server), body);
  EXPECT_EQ(server.count("/f"), 1);
  EXPECT_EQ(sink.heads.at(0).etag, "\"v1\"");
  EXPECT_EQ(sink.heads.at(0).length, body.size());
  EXPECT_EQ(server.requests().at(0).headers.at("accept-encoding"), "identity");
  EXPECT_FALSE(server.requests().at(0).headers.contains("range"));
}

TEST_F(Http, GoesOnWhereTheConnectionBroke) {
  Server server([&](const Request& request) {
    Reply reply = with_ranges(request, body);
    if (request.number == 1) reply.drop_after = body.size() / 2;
    return reply;
  });
  EXPECT_EQ(get(server), body);
  ASSERT_EQ(server.count("/f"), 2);
  EXPECT_EQ(server.requests().at(1).headers.at("range"), "bytes=" + std::to_string(body.size() / 2) + "-");
  EXPECT_EQ(sink.restarts, 0);
}

TEST_F(Http, StartsAnewWhenTheServerIgnoresTheRange) {
  Server server([&](const Request& request) -> Reply {
    Reply reply{.body = body};
    if (request.number == 1) reply.drop_after = 1000;
    return reply;
  });
  EXPECT_EQ(get(server), body);
  EXPECT_EQ(server.count("/f"), 2);
  EXPECT_EQ(sink.restarts, 1);
}

TEST_F(Http, StartsAnewWhenTheRangeIsAnotherOne) {
  Server server([&](const Request& request) -> Reply {
    if (request.number == 1) {
      Reply reply{.body = body};
      reply.drop_after = 1000;
      return reply;
    }
    if (request.number == 2)
      return {.status = 206, .headers = {{"Content-Range", "bytes 5-9/" + std::to_string(body.size())}}, .body = "wrong"};
    return {.body = body};
  });
  EXPECT_EQ(get(server), body);
  EXPECT_EQ(sink.restarts, 1);
}

TEST_F(Http, StartsAnewWhenTheSinkSaysTheFileChanged) {
  sink.text = "old start";
  sink.accept = false;
  Server server([&](const Request& request) { return with_ranges(request, body); });
  EXPECT_EQ(get(server), body);
  EXPECT_EQ(sink.restarts, 1);
}

TEST_F(Http, StartsAnewWhenTheRangeCannotBeGiven) {
  sink.text = body + "more than there is";
  Server server([&](const Request& request) { return with_ranges(request, body); });
  EXPECT_EQ(get(server), body);
  EXPECT_EQ(server.count("/f"), 2);
}

TEST_F(Http, DropsNothingBeforeTheAnswerIsJudged) {
  const auto page = [](const Request&) -> Reply { return {.headers = {{"Content-Type", "text/html"}}, .body = "log in"}; };
  sink.text = body.substr(0, 1'000'000);
  sink.refuse_pages = true;
  {
    Server portal(page);
    EXPECT_THROW(get(portal), std::runtime_error);
    EXPECT_EQ(sink.text.size(), 1'000'000u);
  }
  // Neither when the range was refused before.
  {
    Server portal([&](const Request& request) { return request.number == 1 ? Reply{.status = 416} : page(request); });
    EXPECT_THROW(get(portal), std::runtime_error);
    EXPECT_EQ(sink.text.size(), 1'000'000u);
  }
  Server server([&](const Request& request) { return with_ranges(request, body); });
  EXPECT_EQ(get(server), body);
  EXPECT_EQ(server.requests().at(0).headers.at("range"), "bytes=1000000-");
}

TEST_F(Http, GoesOnWithTheNewBodyAfterItStartedAnew) {
  sink.text = "old start";
  sink.accept = false;
  Server server([&](const Request& request) {
    Reply reply = with_ranges(request, body);
    if (request.number == 2) reply.drop_after = 2'000'000;
    if (request.number == 3) sink.accept = true;
    return reply;
  });
  EXPECT_EQ(get(server), body);
  EXPECT_EQ(server.requests().at(2).headers.at("range"), "bytes=2000000-");
}

TEST_F(Http, TriesAgainAfterServerErrorsOnly) {
  for (const int status : {408, 429, 500, 502, 503, 504}) {
    Server server([&](const Request& request) -> Reply {
      if (request.number < 3) return {.status = status};
      return {.body = "good"};
    });
    sink = {};
    EXPECT_EQ(get(server), "good") << status;
    EXPECT_EQ(server.count("/f"), 3) << status;
  }
  for (const int status : {400, 401, 403, 404, 405, 410, 451}) {
    Server server([&](const Request&) -> Reply { return {.status = status, .body = "<html>an error page</html>"}; });
    sink = {};
    EXPECT_THAT(failure(server), HasSubstr("status " + std::to_string(status))) << status;
    EXPECT_EQ(server.count("/f"), 1) << status;
    EXPECT_EQ(sink.text, "") << status;
  }
}

TEST_F(Http, GivesUpAfterTheAttemptsAndSaysHowMany) {
  Server server([&](const Request&) -> Reply { return {.status = 503}; });
  const std::string message = failure(server);
  EXPECT_EQ(server.count("/f"), 3);
  EXPECT_THAT(message, HasSubstr("503"));
  EXPECT_THAT(message, HasSubstr("3 attempts"));
  EXPECT_THAT(message, HasSubstr(server.url("/f")));
}

TEST_F(Http, WaitsAsRetryAfterAsksButNotForever) {
  Server server([&](const Request& request) -> Reply {
    if (request.number == 1) return {.status = 429, .headers = {{"Retry-After", "1"}}};
    return {.body = "good"};
  });
  const auto start = std::chrono::steady_clock::now();
  EXPECT_EQ(get(server), "good");
  EXPECT_GE(std::chrono::steady_clock::now() - start, milliseconds(1000));

  Server strict([&](const Request&) -> Reply { return {.status = 429, .headers = {{"Retry-After", "3600"}}}; });
  sink = {};
  const std::string message = failure(strict);
  EXPECT_EQ(strict.count("/f"), 1);
  EXPECT_THAT(message, HasSubstr("3600 s"));

  for (const char* endless : {"9223372036854775807", "9223372036854775"}) {
    Server busy([&](const Request&) -> Reply { return {.status = 429, .headers = {{"Retry-After", endless}}}; });
    sink = {};
    EXPECT_THAT(failure(busy), HasSubstr("429"));
    EXPECT_EQ(busy.count("/f"), 1) << endless;
  }
}

TEST_F(Http, KeepsABrokenPipeFromEndingTheProgram) {
  ASSERT_NE(::signal(SIGPIPE, SIG_DFL), SIG_ERR);
  // As libcurl may do when the other side is gone.
  sink.on_write = [] {
    int ends[2];
    ASSERT_EQ(::pipe(ends), 0);
    ::close(ends[0]);
    EXPECT_EQ(::write(ends[1], "x", 1), -1);
    ::close(ends[1]);
  };
  Server server([](const Request&) -> Reply { return {.body = "good"}; });
  EXPECT_EQ(get(server), "good");
}

TEST(SigpipeGuard, TakesAwayItsOwnSignalOnly) {
  sigset_t pipe{};
  sigset_t before{};
  ::sigemptyset(&pipe);
  ::sigaddset(&pipe, SIGPIPE);
  ASSERT_EQ(::pthread_sigmask(SIG_BLOCK, &pipe, &before), 0);
  const auto pending = [] {
    sigset_t waiting{};
    return ::sigpending(&waiting) == 0 && ::sigismember(&waiting, SIGPIPE) == 1;
  };
  {
    const SigpipeGuard guard;
    ::pthread_kill(::pthread_self(), SIGPIPE);
  }
  EXPECT_FALSE(pending());
  ::pthread_kill(::pthread_self(), SIGPIPE);
  { const SigpipeGuard guard; }
  EXPECT_TRUE(pending());
  int taken = 0;
  ::sigwait(&pipe, &taken);
  ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

TEST_F(Http, NamesARateLimitBehindA403) {
  Server server([&](const Request&) -> Reply { return {.status = 403, .headers = {{"X-RateLimit-Remaining", "0"}}}; });
  EXPECT_THAT(failure(server), HasSubstr("rate limit"));
}

TEST_F(Http, DetectsALengthThatPromisesMoreThanComes) {
  Server server([&](const Request&) -> Reply { return {.body = "short", .claimed_length = 50}; });
  settings.attempts = 2;
  EXPECT_THAT(failure(server), HasSubstr("cannot fetch"));
}

TEST_F(Http, StopsAtTheAnnouncedLength) {
  Server server([&](const Request&) -> Reply { return {.body = "good and more", .claimed_length = 4}; });
  EXPECT_EQ(get(server), "good");
}

TEST_F(Http, NoticesAStalledServer) {
  settings.attempts = 2;
  Server server([&](const Request& request) {
    Reply reply = with_ranges(request, body);
    reply.stall_after = 100;
    return reply;
  });
  const auto start = std::chrono::steady_clock::now();
  EXPECT_THAT(failure(server), HasSubstr("no byte arrived"));
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(10));
  EXPECT_EQ(server.count("/f"), 2);
}

TEST_F(Http, IsPatientWithASlowServer) {
  Server server([&](const Request&) -> Reply {
    return {.body = std::string(1500, 'x'), .chunk = 100, .pace = milliseconds(100)};
  });
  settings.attempts = 1;
  EXPECT_EQ(get(server).size(), 1500u);
}

TEST_F(Http, FollowsRedirectsWithinBounds) {
  Server server([&](const Request& request) -> Reply {
    const int step = std::stoi(request.path.substr(1));
    if (step < 4) return {.status = 302, .headers = {{"Location", std::to_string(step + 1)}}, .body = "not this"};
    return {.body = "there"};
  });
  EXPECT_EQ(get(server, "/0"), "there");
  EXPECT_EQ(sink.heads.at(0).url.text, server.url("/4"));
}

TEST_F(Http, LeavesARedirectLoop) {
  Server server([&](const Request&) -> Reply { return {.status = 302, .headers = {{"Location", "/f"}}}; });
  EXPECT_THAT(failure(server), HasSubstr("redirects"));
  EXPECT_LE(server.count("/f"), 12);
}

TEST_F(Http, RefusesARedirectToAnotherScheme) {
  for (const char* target : {"file:///etc/passwd", "ftp://127.0.0.1/x", "gopher://127.0.0.1/"}) {
    Server server([&](const Request&) -> Reply { return {.status = 302, .headers = {{"Location", target}}}; });
    sink = {};
    HttpClient client(settings);
    EXPECT_THROW(client.get(parse_url(server.url("/f")), {}, sink), Error) << target;
    EXPECT_EQ(sink.text, "");
  }
}

TEST_F(Http, NamesARedirectThatLeadsNowhere) {
  Server server([&](const Request&) -> Reply { return {.status = 302}; });
  EXPECT_THAT(failure(server), HasSubstr("without saying where"));
}

TEST_F(Http, LimitsADocument) {
  Server server([&](const Request&) -> Reply { return {.body = body}; });
  HttpClient client(settings);
  EXPECT_THROW(client.get_document(parse_url(server.url("/f")), "*/*", 1000), NetworkError);
  EXPECT_EQ(client.get_document(parse_url(server.url("/f")), "*/*", body.size())->body, body);
}

TEST_F(Http, TellsAMissingDocumentFromAFailure) {
  Server server([&](const Request& request) -> Reply { return {.status = request.path == "/gone" ? 410 : request.path == "/no" ? 404 : 403}; });
  HttpClient client(settings);
  EXPECT_FALSE(client.get_document(parse_url(server.url("/no")), "*/*", 1000));
  EXPECT_FALSE(client.get_document(parse_url(server.url("/gone")), "*/*", 1000));
  EXPECT_THROW(client.get_document(parse_url(server.url("/forbidden")), "*/*", 1000), NetworkError);
}

TEST_F(Http, PassesOnWhatTheSinkThrows) {
  sink.throw_on_write = true;
  Server server([&](const Request&) -> Reply { return {.body = "x"}; });
  HttpClient client(settings);
  EXPECT_THROW(client.get(parse_url(server.url("/f")), {}, sink), std::runtime_error);
  EXPECT_EQ(server.count("/f"), 1);
}

TEST_F(Http, CanBeCancelledWhileNothingComes) {
  settings.stall_timeout = std::chrono::seconds(30);
  Server server([&](const Request&) {
    Reply reply{.body = body};
    reply.stall_after = 10;
    return reply;
  });
  HttpClient client(settings);
  int ticks = 0;
  const HttpRequest request{.tick = [&] {
    if (++ticks > 2) throw std::runtime_error("cancelled");
  }};
  EXPECT_THROW(client.get(parse_url(server.url("/f")), request, sink), std::runtime_error);
}

TEST_F(Http, NamesProxyAndOfflineModeWhenNobodyAnswers) {
  std::string url;
  {
    Server server([](const Request&) -> Reply { return {}; });
    url = server.url("/f");
  }
  HttpClient client(settings);
  try {
    client.get(parse_url(url), {}, sink);
    FAIL();
  } catch (const NetworkError& error) {
    EXPECT_THAT(error.what(), HasSubstr("HTTPS_PROXY"));
    EXPECT_THAT(error.what(), HasSubstr("PIER_OFFLINE"));
    EXPECT_THAT(error.what(), HasSubstr("3 attempts"));
  }
}

TEST_F(Http, NamesAHostThatIsNotFound) {
  // Too long for a name, so no name server is asked.
  const std::string host(70, 'a');
  HttpClient client(settings);
  for (int call = 0; call < 2; ++call) {
    try {
      client.get(parse_url("http://" + host + "/f"), {}, sink);
      FAIL() << "found";
    } catch (const NetworkError& error) {
      EXPECT_THAT(error.what(), HasSubstr(host));
      EXPECT_THAT(error.what(), HasSubstr("3 attempts"));
    }
  }
}

TEST_F(Http, UsesTheProxyItIsGiven) {
  Server proxy([](const Request&) -> Reply { return {.body = "through the proxy"}; });
  settings.proxy = proxy.url();
  HttpClient client(settings);
  client.get(parse_url("http://nowhere.invalid/f"), {}, sink);
  EXPECT_EQ(sink.text, "through the proxy");
  EXPECT_EQ(proxy.requests().at(0).path, "http://nowhere.invalid/f");
}

TEST_F(Http, UsesTheProxyOfTheEnvironmentExceptForNoProxy) {
  Server proxy([](const Request&) -> Reply { return {.body = "proxy"}; });
  Server server([](const Request&) -> Reply { return {.body = "direct"}; });
  set_env("http_proxy", proxy.url());
  HttpClient client(settings);
  client.get(parse_url("http://nowhere.invalid/f"), {}, sink);
  EXPECT_EQ(sink.text, "proxy");
  set_env("NO_PROXY", "127.0.0.1");
  sink = {};
  client.get(parse_url(server.url("/f")), {}, sink);
  EXPECT_EQ(sink.text, "direct");
}

TEST_F(Http, ReadsCredentialsFromNetrc) {
  write_text(home.path() / "netrc", "machine 127.0.0.1 login me password secret\n");
  set_env("NETRC", (home.path() / "netrc").native());
  Server server([](const Request&) -> Reply { return {.body = "x"}; });
  get(server);
  EXPECT_EQ(server.requests().at(0).headers.at("authorization"), "Basic bWU6c2VjcmV0");
}

class Https : public Http {
 protected:
  TlsIdentity identity;
};

TEST_F(Https, RefusesACertificateThatNobodyVouchesFor) {
  Server server([](const Request&) -> Reply { return {.body = "secret"}; }, &identity);
  const std::string message = failure(server);
  EXPECT_THAT(message, HasSubstr("PIP_CERT"));
  EXPECT_EQ(sink.text, "");
  EXPECT_TRUE(server.requests().empty());
}

TEST_F(Https, TrustsTheAuthorityItIsGiven) {
  Server server([](const Request&) -> Reply { return {.body = "secret"}; }, &identity);
  write_text(home.path() / "ca.pem", identity.certificate_pem());
  settings.ca = (home.path() / "ca.pem").native();
  EXPECT_EQ(get(server), "secret");
}

TEST_F(Https, PassesOverTheCertificateOfATrustedHostOnly) {
  Server server([](const Request&) -> Reply { return {.body = "secret"}; }, &identity);
  settings.trusted_hosts = {"other.example"};
  EXPECT_THAT(failure(server), HasSubstr("certificate"));
  settings.trusted_hosts = {"127.0.0.1"};
  EXPECT_EQ(get(server), "secret");
}

TEST_F(Https, IsNotLeftByARedirect) {
  Server plain([](const Request&) -> Reply { return {.body = "changed on the way"}; });
  Server server([&](const Request& request) -> Reply {
    if (request.path == "/f") return {.status = 302, .headers = {{"Location", plain.url("/f")}}};
    if (request.path == "/inside") return {.status = 302, .headers = {{"Location", "/end"}}};
    return {.body = "good"};
  }, &identity);
  settings.trusted_hosts = {"127.0.0.1"};
  EXPECT_THAT(failure(server), HasSubstr("leaves https"));
  EXPECT_TRUE(plain.requests().empty());
  EXPECT_EQ(get(server, "/inside"), "good");
}

TEST_F(Https, IsNotLeftByAnIndexPage) {
  const std::string file = "test_plugin-1.0-py3-none-any.whl";
  Server server([&](const Request&) -> Reply { return {.body = "<a href='http://127.0.0.1:1/" + file + "'>x</a>"}; }, &identity);
  settings.trusted_hosts = {"127.0.0.1"};
  HttpClient client(settings);
  IndexConfig config;
  config.indexes = {{server.url("/simple"), "test"}};
  Pin pin;
  pin.package = "test-plugin";
  pin.file = file;
  EXPECT_THROW(find_remote(client, config, pin), NetworkError);
}

TEST_F(Https, IsNotLeftByTheBaseOfAnIndexPage) {
  const std::string file = "test_plugin-1.0-py3-none-any.whl";
  std::string base;
  Server server([&](const Request&) -> Reply { return {.body = "<base href='" + base + "'><a href='" + file + "'>x</a>"}; }, &identity);
  settings.trusted_hosts = {"127.0.0.1"};
  HttpClient client(settings);
  IndexConfig config;
  config.indexes = {{server.url("/simple"), "test"}};
  Pin pin;
  pin.package = "test-plugin";
  pin.file = file;
  const auto message = [&] {
    try {
      find_remote(client, config, pin);
      return std::string("no error");
    } catch (const NetworkError& error) {
      return std::string(error.what());
    }
  };
  base = "http://127.0.0.1:1/files/";
  EXPECT_THAT(message(), HasSubstr("leaves https"));
  base = "file:///etc/";
  EXPECT_THAT(message(), HasSubstr("names a file on this machine"));
  base = "/files/";
  EXPECT_EQ(std::get<Url>(find_remote(client, config, pin).where).text, server.url("/files/" + file));
}

TEST_F(Http, RefusesAServerThatSpeaksNoTlsWhereItShould) {
  Server server([](const Request&) -> Reply { return {.body = "plain"}; });
  HttpClient client(settings);
  std::string url = server.url("/f");
  url.replace(0, 4, "https");
  EXPECT_THROW(client.get(parse_url(url), {}, sink), NetworkError);
  EXPECT_EQ(sink.text, "");
}

}  // namespace
}  // namespace pier::test
