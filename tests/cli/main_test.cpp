#include <cstdio>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/command.h"

namespace pier::cli_test {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

const std::vector<std::string> verbs = {"run", "install", "remove", "register", "list", "which", "info"};

TEST(Command, NamesItsVersionAndTheNewestPjrtItKnows) {
  const Sandbox sandbox;
  const Finished text = sandbox.pier({"--version"});
  EXPECT_EQ(text.exit_code, 0);
  EXPECT_THAT(text.out, testing::MatchesRegex("pier [0-9]+\\.[0-9]+\\.[0-9]+ \\(knows PJRT up to 0\\.[0-9]+\\)\n"));
  const Finished json = sandbox.pier({"--version", "--json"});
  EXPECT_EQ(json.exit_code, 0);
  EXPECT_EQ(json_keys(json.out, ""), (std::vector<std::string>{"newest_pjrt", "version"}));
}

TEST(Command, TellsHowToUseItWhenTheVerbIsMissing) {
  const Sandbox sandbox;
  const Finished finished = sandbox.pier({});
  EXPECT_EQ(finished.exit_code, 2);
  EXPECT_THAT(finished.out, IsEmpty());
  EXPECT_EQ(finished.err, "pier: a verb is missing\n  see: pier help\n");
}

TEST(Command, HelpListsEveryVerb) {
  const Sandbox sandbox;
  for (const std::vector<std::string>& words : {std::vector<std::string>{"help"}, {"--help"}, {"-h"}}) {
    const Finished finished = sandbox.pier(words);
    EXPECT_EQ(finished.exit_code, 0);
    for (const std::string& verb : verbs) EXPECT_THAT(finished.out, HasSubstr("  " + verb + " "));
    EXPECT_THAT(finished.out, Not(HasSubstr("\x1b")));
  }
}

TEST(Command, HelpOfAVerbIsTheSameOnBothWays) {
  const Sandbox sandbox;
  for (const std::string& verb : verbs) {
    const Finished finished = sandbox.pier({"help", verb});
    EXPECT_EQ(finished.exit_code, 0) << verb;
    EXPECT_THAT(finished.out, HasSubstr("pier " + verb));
    EXPECT_THAT(finished.out, HasSubstr("--json"));
    EXPECT_EQ(sandbox.pier({verb, "--help"}).out, finished.out);
  }
}

TEST(Command, SuggestsTheNearestVerb) {
  const Sandbox sandbox;
  const auto complaint = [&](const std::string& verb) {
    const Finished finished = sandbox.pier({verb});
    EXPECT_EQ(finished.exit_code, 2);
    return finished.err;
  };
  EXPECT_THAT(complaint("instal"), HasSubstr("did you mean 'install'?"));
  EXPECT_THAT(complaint("rnu"), HasSubstr("did you mean 'run'?"));
  EXPECT_THAT(complaint("reg"), HasSubstr("did you mean 'register'?"));
  EXPECT_THAT(complaint("quantize"), Not(HasSubstr("did you mean")));
  EXPECT_THAT(sandbox.pier({"help", "lisst"}).err, HasSubstr("did you mean 'list'?"));
}

TEST(Command, RefusesUnknownOptionsOfEveryVerb) {
  const Sandbox sandbox;
  for (const std::string& verb : verbs) {
    const Finished finished = verb == "register" ? sandbox.pier({verb, "x", "--id", "x", "--nope"}) : sandbox.pier({verb, "x", "--nope"});
    EXPECT_EQ(finished.exit_code, 2) << verb;
    EXPECT_THAT(finished.err, HasSubstr("--nope")) << verb;
    EXPECT_THAT(finished.err, HasSubstr("see: pier help " + verb)) << verb;
    EXPECT_THAT(finished.out, IsEmpty()) << verb;
  }
}

TEST(Command, RefusesAMissingArgument) {
  const Sandbox sandbox;
  for (const std::string verb : {"run", "install", "remove", "register"}) {
    const Finished finished = sandbox.pier({verb});
    EXPECT_EQ(finished.exit_code, 2) << verb;
    EXPECT_THAT(finished.err, HasSubstr("required")) << verb;
  }
  EXPECT_THAT(sandbox.pier({"register", fake()}).err, HasSubstr("--id is required"));
}

TEST(Command, ReportsUsageErrorsAsJsonWhereAsked) {
  const Sandbox sandbox;
  for (const std::vector<std::string>& words :
       {std::vector<std::string>{"nope", "--json"}, {"list", "--nope", "--json"}, {"--json", "run"}, {"--json", "--json"}}) {
    const Finished finished = sandbox.pier(words);
    EXPECT_EQ(finished.exit_code, 2);
    EXPECT_EQ(json_at(finished.out, "/error/code"), "usage");
    EXPECT_THAT(json_at(finished.out, "/error/message"), Not(IsEmpty()));
    EXPECT_THAT(finished.err, testing::StartsWith("pier: "));
  }
}

TEST(Command, LetsNoControlCharacterOfANameReachTheTerminal) {
  const Sandbox sandbox;
  const Finished finished = sandbox.pier({"run", "a\x1b[2J\xC2\x9B" "2J\x9B" "2J\xC3\xA9.mlir"});
  EXPECT_EQ(finished.exit_code, 1);
  EXPECT_THAT(finished.err, HasSubstr("a\\x1b[2J\\xc2\\x9b2J\\x9b2J\xC3\xA9.mlir"));
}

TEST(Command, DoesNotTakeAFullDiskForSuccess) {
  const Sandbox sandbox;
  const Finished finished = sandbox.with_output({"list"}, "/dev/full");
  EXPECT_EQ(finished.exit_code, 1);
  EXPECT_THAT(finished.err, HasSubstr("cannot write to standard output: No space left on device"));
}

TEST(Command, LinksNoNetworkOrArchiveLibrary) {
  // Their start-up cost is for those who install, not for those who run.
  std::string needed;
  FILE* const output = ::popen("readelf -d '" PIER_COMMAND "'", "r");
  ASSERT_NE(output, nullptr);
  char line[512];
  while (std::fgets(line, sizeof line, output)) needed += line;
  ASSERT_EQ(::pclose(output), 0);
  ASSERT_THAT(needed, HasSubstr("libc.so"));
  for (const char* const library : {"libcurl", "libarchive", "libcrypto", "libssl"}) EXPECT_THAT(needed, Not(HasSubstr(library)));
}

}  // namespace
}  // namespace pier::cli_test
