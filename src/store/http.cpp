#include "store/http.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <exception>
#include <filesystem>
#include <random>
#include <thread>
#include <utility>

#include <pier/error.h>
#include <pier/log.h>

#include "base/ascii.h"
#include "base/env.h"
#include "base/text.h"
#include "store/noted.h"
#include "store/curl.h"
#include "store/http_error.h"
#include "store/sigpipe.h"

namespace pier {
namespace {

using Clock = std::chrono::steady_clock;

std::optional<std::uint64_t> number(std::string_view text) {
  text = trim(text);
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

// "bytes 100-199/1000", "bytes */1000"
void read_range(std::string_view value, HttpHead& head) {
  value = trim(value);
  if (!lower_ascii(value.substr(0, 6)).starts_with("bytes ")) return;
  value.remove_prefix(6);
  const std::size_t dash = value.find('-');
  const std::size_t slash = value.find('/');
  if (slash == std::string_view::npos) return;
  head.range_total = number(value.substr(slash + 1));
  if (dash < slash) head.range_first = number(value.substr(0, dash));
}

struct FreeList {
  void operator()(curl_slist* list) const { curl().slist_free_all(list); }
};

bool is_redirect(int status) {
  return status == 301 || status == 302 || status == 303 || status == 307 || status == 308;
}

std::chrono::milliseconds jittered(std::chrono::milliseconds time) {
  // Clients that failed together must not come back together.
  std::minstd_rand random(std::random_device{}());
  return time * std::uniform_int_distribution<int>(75, 125)(random) / 100;
}

constexpr std::uint64_t progress_that_counts = std::uint64_t{1} << 20;
constexpr curl_off_t longest_retry_after = 365 * 24 * 3600;

// A whole small document in memory.
class DocumentSink : public HttpSink {
 public:
  explicit DocumentSink(std::uint64_t limit) : limit_(limit) {}
  std::uint64_t have() const override { return 0; }
  bool begin(const HttpHead& head) override {
    document.url = head.url;
    document.content_type = head.content_type;
    document.body.clear();
    return true;
  }
  void write(std::span<const std::byte> bytes) override {
    if (bytes.size() > limit_ - document.body.size())
      throw noted(NetworkError(text("{} is longer than the {} that pier reads of such a page", redact_url(document.url.text),
                                    bytes_text(limit_))),
                  "it is no page of a package index: check --index-url, PIER_INDEX_URL or --find-links");
    document.body.append(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  }

  HttpDocument document;

 private:
  std::uint64_t limit_;
};

}  // namespace

struct HttpClient::Outcome {
  enum class Kind { done, restart, failed } kind = Kind::done;
  HttpFailure failure;
  bool begun = false;    // bytes came, or could have
  std::string redirect;  // where a redirect leads; empty when it does not say
};

struct HttpClient::Exchange {
  HttpSink& sink;
  const HttpRequest& request;
  std::uint64_t from = 0;
  std::chrono::milliseconds stall_timeout{};
  HttpHead head;
  bool begun = false;
  bool restart = false;
  bool stalled = false;
  bool rate_limited = false;
  std::exception_ptr thrown;
  Clock::time_point last_byte = Clock::now();
  curl_off_t last_count = -1;
  std::array<char, CURL_ERROR_SIZE> error_text{};
  std::unique_ptr<curl_slist, FreeList> headers;

  bool wants_body() const { return head.status == 200 || head.status == 206; }

  // Called at the end of a header block. False ends the transfer.
  bool begin_body() {
    if (begun || !wants_body()) return true;
    begun = true;
    if (head.status == 206 && (from == 0 || head.range_first != from)) {
      restart = true;
      return false;
    }
    if (!sink.begin(head)) restart = true;
    return !restart;
  }

  void read_header(std::string_view line) {
    if (line.starts_with("HTTP/")) {
      const std::size_t space = line.find(' ');
      const Url url = std::move(head.url);
      head = {};
      head.url = url;
      rate_limited = false;
      if (space != std::string_view::npos)
        head.status = static_cast<int>(number(line.substr(space + 1, 3)).value_or(0));
      return;
    }
    const std::size_t colon = line.find(':');
    if (colon == std::string_view::npos) return;
    const std::string key = lower_ascii(trim(line.substr(0, colon)));
    const std::string_view value = trim(line.substr(colon + 1));
    if (key == "content-type") head.content_type = lower_ascii(trim(value.substr(0, value.find(';'))));
    else if (key == "content-encoding") head.content_encoding = lower_ascii(value);
    else if (key == "content-length") head.length = number(value);
    else if (key == "content-range") read_range(value, head);
    else if (key == "etag") head.etag = value;
    else if (key == "last-modified") head.last_modified = value;
    else if (key == "x-ratelimit-remaining" || key == "ratelimit-remaining") rate_limited = value == "0";
  }

  static std::size_t on_header(char* data, std::size_t size, std::size_t count, void* self) {
    auto& exchange = *static_cast<Exchange*>(self);
    const std::size_t bytes = size * count;
    try {
      const std::string_view line(data, bytes);
      if (!trim(line).empty()) exchange.read_header(line);
      else if (exchange.head.status >= 200 && !exchange.begin_body()) return 0;
    } catch (...) {
      exchange.thrown = std::current_exception();
      return 0;
    }
    return bytes;
  }

  static std::size_t on_body(char* data, std::size_t size, std::size_t count, void* self) {
    auto& exchange = *static_cast<Exchange*>(self);
    const std::size_t bytes = size * count;
    if (!exchange.wants_body()) return bytes;
    try {
      exchange.sink.write(std::as_bytes(std::span(data, bytes)));
    } catch (...) {
      exchange.thrown = std::current_exception();
      return 0;
    }
    return bytes;
  }

  static int on_progress(void* self, curl_off_t, curl_off_t now, curl_off_t, curl_off_t) {
    auto& exchange = *static_cast<Exchange*>(self);
    const auto time = Clock::now();
    if (now != exchange.last_count) {
      exchange.last_count = now;
      exchange.last_byte = time;
    } else if (time - exchange.last_byte > exchange.stall_timeout) {
      exchange.stalled = true;
      return 1;
    }
    try {
      if (exchange.request.tick) exchange.request.tick();
    } catch (...) {
      exchange.thrown = std::current_exception();
      return 1;
    }
    return 0;
  }
};

void HttpClient::FreeEasy::operator()(void* easy) const {
  // A connection is closed with a last message.
  const SigpipeGuard guard;
  curl().easy_cleanup(easy);
}

void HttpClient::renew() {
  easy_.reset(curl().easy_init());
  if (!easy_) throw Error(ErrorCode::resource_exhausted, "libcurl cannot start a transfer").in_function("curl_easy_init");
  failed_ = false;
}

HttpClient::HttpClient(HttpSettings settings) : settings_(std::move(settings)) {
  renew();
  std::error_code ignored;
  if (!settings_.ca.empty() && !std::filesystem::exists(settings_.ca, ignored))
    throw Error(ErrorCode::not_found, text("the file of trusted authorities does not exist: {}", settings_.ca))
        .note(text("it is named by {}", settings_.ca_from));
}

HttpClient::~HttpClient() = default;

void HttpClient::remember_credentials(const Url& url) {
  if (!url.user.empty() || !url.password.empty()) credentials_[url.origin] = {url.user, url.password};
}

void HttpClient::prepare(Exchange& exchange, const Url& url, const HttpRequest& request, std::uint64_t from) {
  const Curl& lib = curl();
  CURL* const easy = easy_.get();
  const auto set = [&](CURLoption option, auto value) {
    const CURLcode code = lib.easy_setopt(easy, option, value);
    if (code != CURLE_OK)
      throw Error(ErrorCode::not_available, text("libcurl refuses option {}: {}", static_cast<int>(option), lib.easy_strerror(code)))
          .in_function("curl_easy_setopt");
  };
  set(CURLOPT_URL, url.text.c_str());
  set(CURLOPT_HTTPGET, 1L);
  set(CURLOPT_NOSIGNAL, 1L);
  set(CURLOPT_USERAGENT, "pier/" PIER_VERSION);
  set(CURLOPT_ERRORBUFFER, exchange.error_text.data());
  set(CURLOPT_CONNECTTIMEOUT_MS, static_cast<long>(settings_.connect_timeout.count()));
  set(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1L);
  set(CURLOPT_BUFFERSIZE, 256L * 1024);
  set(CURLOPT_HEADERFUNCTION, &Exchange::on_header);
  set(CURLOPT_HEADERDATA, &exchange);
  set(CURLOPT_WRITEFUNCTION, &Exchange::on_body);
  set(CURLOPT_WRITEDATA, &exchange);
  set(CURLOPT_NOPROGRESS, 0L);
  set(CURLOPT_XFERINFOFUNCTION, &Exchange::on_progress);
  set(CURLOPT_XFERINFODATA, &exchange);
  if (request.compressed) set(CURLOPT_ACCEPT_ENCODING, "");

  const auto known = credentials_.find(url.origin);
  if (!url.user.empty() || !url.password.empty()) {
    set(CURLOPT_USERNAME, url.user.c_str());
    set(CURLOPT_PASSWORD, url.password.c_str());
  } else if (known != credentials_.end()) {
    set(CURLOPT_USERNAME, known->second.first.c_str());
    set(CURLOPT_PASSWORD, known->second.second.c_str());
  } else {
    set(CURLOPT_NETRC, static_cast<long>(CURL_NETRC_OPTIONAL));
    if (const auto file = get_env("NETRC")) set(CURLOPT_NETRC_FILE, file->c_str());
  }
  if (!settings_.proxy.empty()) set(CURLOPT_PROXY, settings_.proxy.c_str());
  if (!settings_.ca.empty()) {
    std::error_code ignored;
    if (std::filesystem::is_directory(settings_.ca, ignored)) set(CURLOPT_CAPATH, settings_.ca.c_str());
    else set(CURLOPT_CAINFO, settings_.ca.c_str());
  }
  const std::string with_port = url.origin.substr(url.origin.find("://") + 3);
  if (std::ranges::any_of(settings_.trusted_hosts, [&](const std::string& host) { return host == url.host || host == with_port; })) {
    set(CURLOPT_SSL_VERIFYPEER, 0L);
    set(CURLOPT_SSL_VERIFYHOST, 0L);
  }

  const auto add_header = [&](const std::string& line) {
    curl_slist* const longer = lib.slist_append(exchange.headers.get(), line.c_str());
    if (!longer) throw Error(ErrorCode::resource_exhausted, "no memory for a header").in_function("curl_slist_append");
    [[maybe_unused]] curl_slist* const same = exchange.headers.release();
    exchange.headers.reset(longer);
  };
  add_header("Accept: " + request.accept);
  if (!request.compressed) add_header("Accept-Encoding: identity");
  set(CURLOPT_HTTPHEADER, exchange.headers.get());
  // libcurl's own resume turns a 200 into an error; a plain range lets us start anew in the same answer.
  if (from > 0) set(CURLOPT_RANGE, text("{}-", from).c_str());
}

HttpClient::Outcome HttpClient::perform(const Url& url, const HttpRequest& request, HttpSink& sink, std::uint64_t from) {
  const Curl& lib = curl();
  const SigpipeGuard guard;
  // After some failures, that of a name which cannot be resolved among them, a handle refuses options for ever.
  if (failed_) renew();
  Exchange exchange{.sink = sink, .request = request, .from = from, .stall_timeout = settings_.stall_timeout};
  // The handle outlives the exchange whose parts it was given.
  struct Reset {
    CURL* easy;
    ~Reset() { curl().easy_reset(easy); }
  } const reset{easy_.get()};
  exchange.head.url = url;
  prepare(exchange, url, request, from);
  const CURLcode code = lib.easy_perform(easy_.get());
  failed_ = code != CURLE_OK;
  if (exchange.thrown) std::rethrow_exception(exchange.thrown);
  if (exchange.restart) return {.kind = Outcome::Kind::restart};

  Outcome outcome{.kind = Outcome::Kind::failed, .begun = exchange.begun};
  outcome.failure.url = url;
  outcome.failure.status = exchange.head.status;
  outcome.failure.stalled = exchange.stalled;
  outcome.failure.rate_limited = exchange.rate_limited;
  if (code != CURLE_OK) {
    outcome.failure.curl_code = code;
    outcome.failure.curl_text = exchange.error_text[0] ? exchange.error_text.data() : lib.easy_strerror(code);
    return outcome;
  }
  if (exchange.wants_body()) {
    if (!sink.wants_more()) return {.kind = Outcome::Kind::done};
    outcome.failure.curl_code = CURLE_PARTIAL_FILE;
    outcome.failure.curl_text = "the server closed the connection before the end of the file";
    return outcome;
  }
  if (exchange.head.status == 416 && from > 0) return {.kind = Outcome::Kind::restart};
  curl_off_t wait = 0;
  if (lib.easy_getinfo(easy_.get(), CURLINFO_RETRY_AFTER, &wait) == CURLE_OK && wait > 0)
    outcome.failure.retry_after = std::chrono::seconds(std::min(wait, longest_retry_after));
  char* target = nullptr;
  if (lib.easy_getinfo(easy_.get(), CURLINFO_REDIRECT_URL, &target) == CURLE_OK && target) outcome.redirect = target;
  return outcome;
}

HttpClient::Outcome HttpClient::attempt(const Url& asked, const HttpRequest& request, HttpSink& sink, std::uint64_t from) {
  Url url = asked;
  for (int hop = 0;; ++hop) {
    Outcome outcome = perform(url, request, sink, from);
    if (outcome.kind != Outcome::Kind::failed || outcome.failure.curl_code != 0 || !is_redirect(outcome.failure.status)) return outcome;
    const std::string shown = redact_url(url.text);
    const std::string& target = outcome.redirect;
    if (target.empty())
      throw noted(NetworkError(text("{} redirects (status {}) without saying where to", shown, outcome.failure.status)),
                  "the server is at fault: use another index (--index-url or PIER_INDEX_URL)");
    if (hop == settings_.redirects)
      throw noted(NetworkError(text("cannot fetch {}: more than {} redirects", redact_url(asked.text), settings_.redirects)),
              text("the last one led from {} to {}", shown, redact_url(target)));
    Url next = parse_url(target);
    if (next.is_file() || (url.scheme == "https" && next.scheme != "https"))
      throw noted(NetworkError(text("refused a redirect from {} to {}: it leaves https", shown, redact_url(next.text))),
              "what travels unencrypted can be read and changed on the way; use an index that stays on https");
    url = std::move(next);
  }
}

void HttpClient::pause(std::chrono::milliseconds time, const HttpRequest& request) const {
  const auto end = Clock::now() + time;
  while (Clock::now() < end) {
    if (request.tick) request.tick();
    std::this_thread::sleep_for(std::min<Clock::duration>(end - Clock::now(), std::chrono::milliseconds(100)));
  }
}

void HttpClient::get(const Url& url, const HttpRequest& request, HttpSink& sink) {
  if (url.is_file()) throw Error(ErrorCode::invalid_argument, text("{} is a local file, not a network address", url.path));
  int failures = 0;
  int restarts = 0;
  std::uint64_t best = sink.have();
  // What is there does not belong to what the server has. It goes only when the whole body comes in its place.
  bool whole = false;
  auto wait = settings_.backoff;
  for (;;) {
    const Outcome outcome = attempt(url, request, sink, whole ? 0 : sink.have());
    if (outcome.begun) whole = false;
    if (outcome.kind == Outcome::Kind::done) return;
    if (outcome.kind == Outcome::Kind::restart) {
      if (++restarts > 3)
        throw noted(NetworkError(text("cannot fetch {}: the file keeps changing on the server", redact_url(url.text))),
              "try again later, or use another index (--index-url or PIER_INDEX_URL)");
      whole = true;
      best = 0;
      continue;
    }
    if (sink.complete()) return;
    // What got further is no failure in a row: a large file over a poor line comes piece by piece.
    if (sink.have() >= best + progress_that_counts) {
      failures = 0;
      wait = settings_.backoff;
      best = sink.have();
    }
    ++failures;
    const HttpFailure& failure = outcome.failure;
    const auto next = failure.retry_after ? std::chrono::milliseconds(*failure.retry_after) : jittered(wait);
    // A name that does not resolve is most often a machine without network: no use in waiting long for it.
    const int attempts = failure.curl_code == CURLE_COULDNT_RESOLVE_HOST ? std::min(settings_.attempts, 3) : settings_.attempts;
    if (!worth_retrying(failure) || failures >= attempts || next > settings_.longest_wait) {
      const NetworkError error = network_error(url, failure, failures, settings_);
      if (failure.status == 404 || failure.status == 410) throw MissingDocument(error);
      throw error;
    }
    log(LogLevel::info, text("{}: {}; trying again in {} ms", redact_url(url.text),
                             failure.curl_code != 0 ? failure.curl_text : text("status {}", failure.status), next.count()));
    pause(next, request);
    // Jitter adds a quarter at most, so that a pause of ours is never too long to be made.
    wait = std::min(wait * 2, std::max(settings_.backoff, settings_.longest_wait / 2));
  }
}

std::optional<HttpDocument> HttpClient::get_document(const Url& url, std::string accept, std::uint64_t limit) {
  DocumentSink sink(limit);
  remember_credentials(url);
  const HttpRequest request{.accept = std::move(accept), .compressed = true, .tick = tick_};
  try {
    get(url, request, sink);
  } catch (const MissingDocument&) {
    return std::nullopt;
  }
  return std::move(sink.document);
}

}  // namespace pier
