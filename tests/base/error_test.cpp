#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <type_traits>

#include <pier/attribute.h>
#include <pier/error.h>
#include <pier/log.h>

#include "base/late.h"
#include "base/platform.h"
#include "base/support.h"

namespace pier {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

TEST(ErrorCode, HasPjrtsNamesAndNumbers) {
  EXPECT_EQ(name(ErrorCode::cancelled), "cancelled");
  EXPECT_EQ(name(static_cast<ErrorCode>(8)), "resource_exhausted");
  EXPECT_EQ(name(static_cast<ErrorCode>(12)), "unimplemented");
  EXPECT_EQ(name(static_cast<ErrorCode>(16)), "unauthenticated");
  EXPECT_EQ(name(ErrorCode::unsupported), "unsupported");
  EXPECT_EQ(name(ErrorCode::not_available), "not_available");
  EXPECT_EQ(name(ErrorCode::integrity), "integrity");
  EXPECT_EQ(name(ErrorCode::network), "network");
  EXPECT_EQ(name(ErrorCode::io), "io");
  for (const int number : {17, 99, 105, -1, 2147483647}) EXPECT_EQ(name(static_cast<ErrorCode>(number)), "unknown") << number;
}

TEST(Error, TellsTheWholeStory) {
  Error error(ErrorCode::internal, "it broke");
  error.in_function("PJRT_Client_Create").in_plugin("plugin.so (PJRT 0.54)").note("first").note("second");
  EXPECT_STREQ(error.what(), "it broke\n  in PJRT_Client_Create\n  plugin plugin.so (PJRT 0.54)\n  first\n  second");
  EXPECT_EQ(error.message(), "it broke");
  EXPECT_EQ(error.function(), "PJRT_Client_Create");
  EXPECT_EQ(error.plugin(), "plugin.so (PJRT 0.54)");
  EXPECT_THAT(error.notes(), ElementsAre("first", "second"));
}

TEST(Error, KeepsLongMessagesOfAnyBytesWhole) {
  std::string message;
  for (int i = 0; i < 20000; ++i) message += "Größe 寸法 ";
  EXPECT_EQ(Error(ErrorCode::unknown, message).what(), message);
}

TEST(Error, ShowsWhatFollowsAZeroByte) {
  const std::string message("before\0after", 12);
  Error error(ErrorCode::unknown, message);
  error.note(std::string("note\0end", 8));
  EXPECT_EQ(error.message(), message);
  EXPECT_STREQ(error.what(), "before\\0after\n  note\\0end");
}

TEST(Error, CopiesCannotFailAndDoNotChangeEachOther) {
  static_assert(std::is_nothrow_copy_constructible_v<Error> && std::is_nothrow_copy_assignable_v<Error>);
  static_assert(std::is_nothrow_copy_constructible_v<Unsupported>);
  Error error(ErrorCode::io, "one");
  const Error copy = error;
  error.note("two");
  EXPECT_STREQ(copy.what(), "one");
  EXPECT_STREQ(error.what(), "one\n  two");
}

TEST(Error, ThatWasMovedFromStillSpeaks) {
  Error error(ErrorCode::io, "one");
  const Error taken = std::move(error);
  EXPECT_STREQ(taken.what(), "one");
  EXPECT_STREQ(error.what(), "one");  // NOLINT(bugprone-use-after-move): that is the promise
  EXPECT_EQ(error.code(), ErrorCode::io);
}

TEST(Error, OfAKindKeepsItsKindWhenItIsAddedToInTheThrow) {
  EXPECT_THROW(throw Unsupported("a").note("b").in_plugin("c").in_function("d"), Unsupported);
  EXPECT_THROW(throw IntegrityError("a").note("b"), IntegrityError);
  EXPECT_THROW(throw NetworkError("a").note("b"), NetworkError);
  EXPECT_EQ(Unsupported("a").code(), ErrorCode::unsupported);
  EXPECT_EQ(IntegrityError("a").code(), ErrorCode::integrity);
  EXPECT_EQ(NetworkError("a").code(), ErrorCode::network);
}

TEST(AttributeValues, ReadAsText) {
  EXPECT_EQ(to_string(AttributeValue(true)), "true");
  EXPECT_EQ(to_string(AttributeValue(std::int64_t{-4})), "-4");
  EXPECT_EQ(to_string(AttributeValue(0.75f)), "0.75");
  EXPECT_EQ(to_string(AttributeValue(std::string("cpu"))), "cpu");
  EXPECT_EQ(to_string(AttributeValue(std::vector<std::int64_t>{1, 20, 0})), "[1, 20, 0]");
  EXPECT_EQ(to_string(AttributeValue(std::vector<std::int64_t>{})), "[]");
}

// Takes the callback away again, whatever the test does.
class LogTest : public testing::Test {
 protected:
  ~LogTest() override { set_log_callback(nullptr); }
  std::vector<std::string> lines_;
};

TEST_F(LogTest, GivesEveryMessageToTheCallback) {
  set_log_callback([&](LogLevel level, std::string_view message) {
    lines_.push_back(std::to_string(static_cast<int>(level)) + " " + std::string(message));
  });
  log(LogLevel::debug, "a");
  log(LogLevel::error, "b");
  EXPECT_THAT(lines_, ElementsAre("0 a", "3 b"));
}

TEST_F(LogTest, WritesOnlyWarningsAndErrorsWithoutACallback) {
  testing::internal::CaptureStderr();
  log(LogLevel::debug, "quiet");
  log(LogLevel::info, "quiet");
  log(LogLevel::warning, "loud");
  log(LogLevel::error, "louder");
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "pier: warning: loud\npier: error: louder\n");
}

TEST_F(LogTest, SurvivesACallbackThatThrowsLogsOrReplacesItself) {
  testing::internal::CaptureStderr();
  set_log_callback([](LogLevel, std::string_view) { throw std::runtime_error("no"); });
  log(LogLevel::info, "a");
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "pier: a log callback threw\n");
  set_log_callback([&](LogLevel level, std::string_view message) {
    set_log_callback([&](LogLevel, std::string_view inner) { lines_.emplace_back(inner); });
    log(level, std::string(message) + "!");
  });
  log(LogLevel::info, "b");
  EXPECT_THAT(lines_, ElementsAre("b!"));
}

TEST(PlatformNames, AreParsedInTheSpellingsPeopleUse) {
  EXPECT_EQ(to_string(parse_platform("linux-x86_64")), "linux-x86_64");
  EXPECT_EQ(to_string(parse_platform("linux-amd64")), "linux-x86_64");
  EXPECT_EQ(to_string(parse_platform("linux-arm64")), "linux-aarch64");
  EXPECT_EQ(to_string(parse_platform("darwin-aarch64")), "macos-arm64");
  EXPECT_EQ(to_string(parse_platform("osx-x64")), "macos-x86_64");
  EXPECT_EQ(to_string(parse_platform("win-amd64")), "windows-x86_64");
  EXPECT_EQ(to_string(parse_platform("windows-arm64")), "windows-arm64");
}

TEST(PlatformNames, OfNothingKnownAreRefusedWithTheKnownOnes) {
  for (const char* name : {"", "-", "linux", "linux-", "-x86_64", "linux-riscv64", "beos-x86_64", "Linux-x86_64", "linux-x86_64-gnu"}) {
    const Error error = test::error_of([&] { parse_platform(name); });
    EXPECT_EQ(error.code(), ErrorCode::invalid_argument) << name;
    EXPECT_THAT(error.message(), HasSubstr("'" + std::string(name) + "'"));
    EXPECT_THAT(error.what(), HasSubstr("macos-arm64"));
  }
}

TEST(HostPlatform, IsOneThatItsOwnNameGivesBack) {
  EXPECT_EQ(parse_platform(to_string(host_platform())), host_platform());
#if defined(__GLIBC__)
  EXPECT_GE(host_system_version().value(), (SystemVersion{2, 17}));
#endif
}

TEST(LateLibraries, AreOpenedByTheFirstNameThatWorks) {
#if defined(__linux__)
  const LateLibrary library({"libnothing-of-the-kind.so.9", "libm.so.6"}, "a C library");
  const auto cosine = library.symbol<double (*)(double)>("cos");
  EXPECT_EQ(cosine(0), 1);
  const Error error = test::error_of([&] { library.symbol<void (*)()>("no_such_function"); });
  EXPECT_EQ(error.code(), ErrorCode::not_available);
  EXPECT_EQ(error.message(), "libm.so.6 has no no_such_function");
#endif
}

TEST(LateLibraries, ThatAreNowhereAreNamedWithTheLoadersReasonsAndTheCure) {
  const Error error = test::error_of([] { const LateLibrary library({"libfirst-of-none.so.1", "libsecond-of-none.so"}, "libnone"); });
  EXPECT_EQ(error.code(), ErrorCode::not_available);
  EXPECT_EQ(error.message(), "a library that pier needs for this cannot be loaded: libfirst-of-none.so.1, libsecond-of-none.so");
  ASSERT_EQ(error.notes().size(), 3u);
  EXPECT_THAT(error.notes()[0], HasSubstr("libfirst-of-none.so.1: "));
  EXPECT_THAT(error.notes()[1], HasSubstr("libsecond-of-none.so: "));
  EXPECT_EQ(error.notes()[2], "install libnone");
}

}  // namespace
}  // namespace pier
