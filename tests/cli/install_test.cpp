#include <chrono>
#include <cstdint>
#include <filesystem>

#include <netinet/in.h>
#include <signal.h>
#include <sys/socket.h>
#include <unistd.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/command.h"

namespace pier::cli_test {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

// An index that takes connections and never answers.
class SilentIndex {
 public:
  SilentIndex() : socket_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    auto* const generic = reinterpret_cast<sockaddr*>(&address);
    if (::bind(socket_, generic, size) != 0 || ::listen(socket_, 16) != 0 || ::getsockname(socket_, generic, &size) != 0)
      ADD_FAILURE() << "no local server";
    port_ = ntohs(address.sin_port);
  }
  SilentIndex(const SilentIndex&) = delete;
  SilentIndex& operator=(const SilentIndex&) = delete;
  ~SilentIndex() { ::close(socket_); }
  std::string url() const { return "http://127.0.0.1:" + std::to_string(port_) + "/simple/"; }

 private:
  int socket_;
  std::uint16_t port_ = 0;
};

TEST(Install, SaysWhatToDoWithoutANetwork) {
  Sandbox sandbox;
  sandbox.write("m.mlir", module_text("fake.constants", "", "tensor<f32>"));
  for (const std::vector<std::string>& words :
       {std::vector<std::string>{"run", "m.mlir"}, {"run", "m.mlir", "--device", "cpu"}, {"run", "m.mlir", "--device", "cpu:1"}}) {
    const Finished finished = sandbox.pier(words);
    EXPECT_EQ(finished.exit_code, 3) << finished.err;
    EXPECT_THAT(finished.err, HasSubstr("PIER_OFFLINE=1"));
    EXPECT_THAT(finished.err, HasSubstr("pier install cpu"));
    EXPECT_THAT(finished.out, IsEmpty());
  }
  const Finished install = sandbox.pier({"install", "cpu", "--json"});
  EXPECT_EQ(install.exit_code, 3) << install.err;
  EXPECT_EQ(json_at(install.out, "/error/code"), "not_available");
  EXPECT_EQ(json_size(sandbox.pier({"list", "--json"}).out, "/plugins"), 0U);
}

TEST(Install, RefusesWhatTheCatalogDoesNotHave) {
  const Sandbox sandbox;
  const Finished unknown = sandbox.pier({"install", "nonesuch"});
  EXPECT_EQ(unknown.exit_code, 3);
  EXPECT_THAT(unknown.err, HasSubstr("nonesuch"));
  EXPECT_THAT(unknown.err, HasSubstr("cpu"));
  EXPECT_EQ(sandbox.pier({"install", "cpu", "--package", "nonesuch"}).exit_code, 3);
  const Finished platform = sandbox.pier({"install", "metal", "--platform", "amiga-68k"});
  EXPECT_EQ(platform.exit_code, 2);
  EXPECT_THAT(platform.err, HasSubstr("macos-arm64"));
}

TEST(Install, TakesALibraryThatIsNamed) {
  const Sandbox sandbox;
  const Finished first = sandbox.pier({"install", "mine", "--from", fake(), "--label", "gpu", "--json"});
  EXPECT_EQ(first.exit_code, 0) << first.err;
  EXPECT_EQ(json_at(first.out, "/outcome"), "installed");
  EXPECT_EQ(json_at(first.out, "/plugin/labels/0"), "gpu");
  EXPECT_EQ(json_at(first.out, "/plugin/source"), std::filesystem::canonical(fake()).native());
  EXPECT_EQ(sandbox.pier({"which", "gpu"}).exit_code, 0);
  const Finished again = sandbox.pier({"install", "mine", "--from", fake(), "--label", "gpu"});
  EXPECT_THAT(again.out, HasSubstr("already installed: "));
  EXPECT_EQ(sandbox.pier({"install", "mine", "--from", fake(), "--sha256", std::string(64, 'a')}).exit_code, 4);
  EXPECT_EQ(sandbox.pier({"install", "mine", "--from", "nowhere.so"}).exit_code, 1);
}

TEST(Install, RefusesWordsThatContradictEachOther) {
  const Sandbox sandbox;
  for (const std::vector<std::string>& words :
       {std::vector<std::string>{"cpu@"}, {"cpu@1.0", "--latest"}, {"cpu", "--sha256", "123"}, {"cpu", "--from", "x.so", "--latest"},
        {"cpu@1.0", "--from", "x.so"}, {"cpu", "--from", "x.so", "--package", "y"}, {"@1.0"}}) {
    std::vector<std::string> all = {"install"};
    all.insert(all.end(), words.begin(), words.end());
    EXPECT_EQ(sandbox.pier(all).exit_code, 2) << words.front();
  }
  // Offline, and with nothing kept from before.
  const Finished other = sandbox.pier({"install", "cpu@0.0.0.1"});
  EXPECT_EQ(other.exit_code, 3) << other.err;
  EXPECT_THAT(other.err, HasSubstr("PIER_OFFLINE"));
}

TEST(Install, SaysWhichIndexCouldNotBeReached) {
  Sandbox sandbox;
  sandbox.set("PIER_OFFLINE", "");
  // Nothing listens on port 1 of a machine in order.
  const Finished finished = sandbox.pier({"install", "cpu", "--index-url", "http://127.0.0.1:1/simple/", "--json"});
  EXPECT_EQ(finished.exit_code, 1) << finished.err;
  EXPECT_EQ(json_at(finished.out, "/error/code"), "network");
  EXPECT_THAT(finished.err, HasSubstr("127.0.0.1"));
}

TEST(Install, IsStoppedByControlCWithNothingHalfDone) {
  const SilentIndex index;
  Sandbox sandbox;
  sandbox.set("PIER_OFFLINE", "");
  sandbox.set("PIER_INDEX_URL", index.url());
  sandbox.write("m.mlir", module_text("fake.constants", "", "tensor<f32>"));
  for (const std::vector<std::string>& words : {std::vector<std::string>{"install", "cpu"}, {"run", "m.mlir", "--device", "cpu"}}) {
    const auto start = std::chrono::steady_clock::now();
    const Finished finished = sandbox.interrupted(words, SIGINT, 500);
    EXPECT_EQ(finished.exit_code, 130) << finished.err;
    EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(10));
    EXPECT_EQ(json_size(sandbox.pier({"list", "--json"}).out, "/plugins"), 0U);
    EXPECT_EQ(sandbox.names(), std::vector<std::string>{"m.mlir"});
  }
  EXPECT_EQ(sandbox.interrupted({"install", "cpu"}, SIGTERM, 500).exit_code, 143);
}

TEST(Interrupt, OfAPluginAtWorkIsToldAtOnce) {
  Sandbox sandbox;
  sandbox.write("m.mlir", module_text("fake.constants", "", "tensor<f32>"));
  const Finished finished =
      sandbox.interrupted({"run", "m.mlir", "--json", "--device", FAKE_PLUGIN_DIR "/hangs_in_get_api.so"}, SIGTERM, 500);
  EXPECT_EQ(finished.exit_code, 143) << finished.err;
  EXPECT_EQ(json_at(finished.out, "/error/code"), "cancelled");
}

TEST(Install, ShowsProgressOnATerminalOnly) {
  const SilentIndex index;
  Sandbox sandbox;
  sandbox.set("PIER_OFFLINE", "");
  const Finished piped = sandbox.interrupted({"install", "cpu", "--index-url", index.url()}, SIGINT, 300);
  EXPECT_EQ(piped.err, "pier: interrupted\n");
  const Finished terminal = sandbox.on_terminal({"install", "cpu", "--index-url", "http://127.0.0.1:1/simple/"}, 60);
  EXPECT_EQ(terminal.exit_code, 1);
  EXPECT_THAT(terminal.out, HasSubstr("searching "));
  EXPECT_THAT(terminal.out, HasSubstr("\r\x1b[K"));
}

TEST(Terminal, IsColouredOnlyWhereTheUserLikesIt) {
  Sandbox sandbox;
  ASSERT_EQ(sandbox.pier({"register", fake(), "--id", "mine"}).exit_code, 0);
  EXPECT_THAT(sandbox.on_terminal({"list"}, 200).out, HasSubstr("\x1b[1m"));
  EXPECT_THAT(sandbox.pier({"list"}).out, testing::Not(HasSubstr("\x1b")));
  sandbox.set("NO_COLOR", "1");
  EXPECT_THAT(sandbox.on_terminal({"list"}, 200).out, testing::Not(HasSubstr("\x1b")));
}

}  // namespace
}  // namespace pier::cli_test
