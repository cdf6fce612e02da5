#include <chrono>
#include <csignal>
#include <thread>

#include <sys/wait.h>
#include <unistd.h>

#include <gmock/gmock.h>

#include <pier/probe.h>

#include "base/file.h"
#include "registry/home.h"
#include "registry/probe_process.h"
#include "registry/probe_protocol.h"

namespace {

using pier::ErrorCode;
using pier::probe_plugin;
using pier::ProbeOptions;
using pier::ProbeReport;
using registry_test::error_of;
using testing::Contains;
using testing::HasSubstr;

std::filesystem::path fake(const std::string& name = "fake_plugin.so") { return std::filesystem::path(FAKE_PLUGIN_DIR) / name; }

// Once with the helper program, once with a fork of this process.
class Probe : public registry_test::Home, public testing::WithParamInterface<bool> {
 protected:
  Probe() {
    if (!GetParam()) set("PIER_PROBE", "/nowhere/pier-probe");
  }
};
INSTANTIATE_TEST_SUITE_P(, Probe, testing::Values(true, false), [](const auto& test) { return test.param ? "Helper" : "Fork"; });

TEST_P(Probe, ReportsWhatThePluginSays) {
  set("FAKE_PJRT", "minor=90;devices=3;platform=zap;platform_version=zap 7;device_kind=Zapper;attribute=speed:12;attribute=list:[1,2]");
  const ProbeReport report = probe_plugin(fake());
  EXPECT_EQ(report.api_version, (pier::ApiVersion{0, 90}));
  EXPECT_TRUE(report.client_created);
  EXPECT_EQ(report.platform_name, "zap");
  EXPECT_EQ(report.platform_version, "zap 7");
  ASSERT_EQ(report.devices.size(), 3u);
  EXPECT_EQ(report.devices[2].kind, "Zapper");
  EXPECT_EQ(report.attributes.at("speed"), pier::AttributeValue(std::int64_t{12}));
  EXPECT_EQ(report.attributes.at("list"), pier::AttributeValue(std::vector<std::int64_t>{1, 2}));
  ASSERT_FALSE(report.extensions.empty());
  EXPECT_FALSE(report.missing_functions.empty()) << "0.90 lacks functions of later versions";
}

TEST_P(Probe, LoadsWithoutAClientWhenTold) {
  set("FAKE_PJRT", "abort=PJRT_Client_Create");
  ProbeOptions options;
  options.create_client = false;
  const ProbeReport report = probe_plugin(fake(), options);
  EXPECT_FALSE(report.client_created);
  EXPECT_TRUE(report.devices.empty());
}

TEST_P(Probe, PassesOptionsAndEnvironment) {
  ProbeOptions options;
  options.create_options = {{"cpu_device_count", std::int64_t{5}}};
  options.environment = {{"FAKE_PJRT", "platform=from_manifest"}};
  EXPECT_EQ(probe_plugin(fake(), options).platform_name, "from_manifest");
  EXPECT_EQ(probe_plugin(fake(), options).devices.size(), 5u);
  set("FAKE_PJRT", "platform=from_user");
  EXPECT_EQ(probe_plugin(fake(), options).platform_name, "from_user") << "what the user has set stays";
}

TEST_P(Probe, ThePluginsOwnErrorComesThrough) {
  set("FAKE_PJRT", "fail=PJRT_Client_Create:RESOURCE_EXHAUSTED:no zap left;noise=create");
  const pier::Error error = error_of([] { probe_plugin(fake()); });
  EXPECT_EQ(error.code(), ErrorCode::resource_exhausted);
  EXPECT_THAT(error.message(), HasSubstr("no zap left"));
  EXPECT_EQ(error.function(), "PJRT_Client_Create");
  EXPECT_THAT(error.plugin(), HasSubstr("fake_plugin.so"));
}

TEST_P(Probe, ACrashIsToldWithItsSignalAndTheLog) {
  set("FAKE_PJRT", "segv=PJRT_Client_Create;noise=constructor");
  const pier::Error error = error_of([] { probe_plugin(fake()); });
  EXPECT_EQ(error.code(), ErrorCode::not_available);
  EXPECT_THAT(error.message(), HasSubstr("signal 11"));
  EXPECT_THAT(error.message(), HasSubstr("creating a client"));
  EXPECT_THAT(error.notes(), Contains(HasSubstr("it printed:\n")));
}

TEST_P(Probe, AnAbortWhileLoadingIsToldWithItsStage) {
  const pier::Error error = error_of([] { probe_plugin(fake("abort_in_constructor.so")); });
  EXPECT_THAT(error.message(), HasSubstr("signal 6"));
  EXPECT_THAT(error.message(), HasSubstr("loading the library"));
}

TEST_P(Probe, AnExitIsToldWithItsCode) {
  set("FAKE_PJRT", "exit=PJRT_Client_Create");
  EXPECT_THAT(error_of([] { probe_plugin(fake()); }).message(), HasSubstr("exit code"));
}

TEST_P(Probe, AHangEndsAtTheTimeLimitAndLeavesNoProcess) {
  set("FAKE_PJRT", "hang=PJRT_Client_Create;noise=create");
  ProbeOptions options;
  options.time_limit = std::chrono::milliseconds(400);
  const auto start = std::chrono::steady_clock::now();
  const pier::Error error = error_of([&] { probe_plugin(fake(), options); });
  EXPECT_EQ(error.code(), ErrorCode::deadline_exceeded);
  EXPECT_THAT(error.message(), HasSubstr("was still creating a client after 0.4 s"));
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(10));
  EXPECT_EQ(::waitpid(-1, nullptr, WNOHANG), -1) << "a child is left";
}

TEST_P(Probe, AHangInTheEntryFunctionEndsToo) {
  ProbeOptions options;
  options.time_limit = std::chrono::milliseconds(400);
  EXPECT_THAT(error_of([&] { probe_plugin(fake("hangs_in_get_api.so"), options); }).message(), HasSubstr("was still loading the library"));
}

TEST_P(Probe, BrokenLibrariesAreTold) {
  const auto message = [](const std::string& name) { return std::string(error_of([&] { probe_plugin(fake(name)); }).what()); };
  EXPECT_THAT(message("no_symbol.so"), HasSubstr("GetPjrtApi"));
  EXPECT_THAT(message("null_table.so"), HasSubstr("returned null"));
  EXPECT_THAT(message("other_major.so"), HasSubstr("1."));
  EXPECT_THAT(message("missing_needed.so"), HasSubstr("libnope.so.1"));
  EXPECT_THAT(message("unresolved_symbol.so"), HasSubstr("undefined symbol"));
  EXPECT_THAT(message("text_file.so"), HasSubstr("text_file.so"));
  EXPECT_THAT(message("not_there.so"), HasSubstr("not_there.so"));
}

TEST_P(Probe, NoiseIsKeptApartFromTheReport) {
  set("FAKE_PJRT", "noise=constructor,thread,create");
  testing::internal::CaptureStderr();
  testing::internal::CaptureStdout();
  const ProbeReport report = probe_plugin(fake());
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
  EXPECT_EQ(testing::internal::GetCapturedStdout(), "");
  EXPECT_TRUE(report.client_created);
  EXPECT_NE(report.log, "");
}

TEST_P(Probe, LeavesNothingRunningThatThePluginStarted) {
  const auto lock = folder() / "held";
  set("PIER_TEST_LOCK", lock);
  EXPECT_THAT(error_of([] { probe_plugin(UNRULY_PLUGIN); }).message(), HasSubstr("returned null"));
  // The kernel drops the lock with the process, which dies in its own time.
  EXPECT_NO_THROW(pier::FileLock::acquire(lock, 5000));
}

TEST_P(Probe, PrintingWithoutEndStopsNoClock) {
  set("PIER_TEST_SHOUT", "1");
  ProbeOptions options;
  options.time_limit = std::chrono::milliseconds(700);
  const auto start = std::chrono::steady_clock::now();
  const pier::Error error = error_of([&] { probe_plugin(UNRULY_PLUGIN, options); });
  EXPECT_EQ(error.code(), ErrorCode::deadline_exceeded);
  EXPECT_THAT(error.notes(), Contains(HasSubstr("bytes before this are left out")));
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(20));
}

TEST_P(Probe, ALibraryWhosePathIsNotUtf8IsFoundAllTheSame) {
  const auto copy = library("zap\xff\n.so");
  EXPECT_TRUE(probe_plugin(copy).client_created);
}

TEST_P(Probe, TheLongestTimeLimitIsNoneAtAll) {
  ProbeOptions options;
  options.time_limit = std::chrono::milliseconds::max();
  EXPECT_TRUE(probe_plugin(fake(), options).client_created);
}

TEST_P(Probe, ATimeLimitOfNothingIsRefused) {
  ProbeOptions options;
  options.time_limit = std::chrono::milliseconds(0);
  EXPECT_EQ(error_of([&] { probe_plugin(fake(), options); }).code(), ErrorCode::invalid_argument);
}

class ProbeHelper : public registry_test::Home {};

TEST_F(ProbeHelper, IsFoundNextToThisProgram) {
  EXPECT_TRUE(pier::registry::find_probe_helper().native().ends_with("pier/pier-probe")) << pier::registry::find_probe_helper();
}

TEST_F(ProbeHelper, IsNotTakenFromAFolderThatEveryoneMayWrite) {
  const auto copy = folder() / "bin/pier-probe";
  std::filesystem::create_directories(copy.parent_path());
  std::filesystem::copy_file(pier::registry::find_probe_helper(), copy);
  set("PIER_PROBE", copy);
  EXPECT_EQ(pier::registry::find_probe_helper(), copy);
  ::chmod(copy.parent_path().c_str(), 0777);
  EXPECT_EQ(pier::registry::find_probe_helper(), "");
  EXPECT_THAT(warnings(), Contains(HasSubstr("everyone may write")));
}

TEST_F(ProbeHelper, SaysWhatItIsForWhenStartedByHand) {
  const std::string command = pier::registry::find_probe_helper().string() + " 2>&1 3<&-";
  FILE* const pipe = ::popen(command.c_str(), "r");
  ASSERT_NE(pipe, nullptr);
  char line[200] = {};
  EXPECT_NE(std::fgets(line, sizeof line, pipe), nullptr);
  EXPECT_THAT(line, HasSubstr("started by pier"));
  EXPECT_EQ(WEXITSTATUS(::pclose(pipe)), 2);
}

TEST_F(ProbeHelper, ManyThreadsMayProbeAtOnce) {
  std::vector<std::thread> threads;
  std::vector<int> devices(6, 0);
  for (std::size_t i = 0; i < devices.size(); ++i)
    threads.emplace_back([&, i] {
      ProbeOptions options;
      options.create_options = {{"cpu_device_count", static_cast<std::int64_t>(i + 1)}};
      devices[i] = static_cast<int>(probe_plugin(fake(), options).devices.size());
    });
  for (std::thread& thread : threads) thread.join();
  EXPECT_THAT(devices, testing::ElementsAre(1, 2, 3, 4, 5, 6));
}

TEST_F(ProbeHelper, AProgramThatIgnoresItsChildrenGetsTheReportAllTheSame) {
  const auto before = std::signal(SIGCHLD, SIG_IGN);
  set("FAKE_PJRT", "devices=3");
  EXPECT_EQ(probe_plugin(fake()).devices.size(), 3u);
  set("FAKE_PJRT", "segv=PJRT_Client_Create");
  EXPECT_THAT(error_of([] { probe_plugin(fake()); }).message(), HasSubstr("unknown status"));
  std::signal(SIGCHLD, before);
}

TEST(ProbeProtocol, ValuesFindBackToTheirTypes) {
  pier::registry::ProbeRequest request;
  request.library = "/a b/\"c\"\n.so";
  request.create_options = {{"yes", true}, {"count", std::int64_t{-3}}, {"part", 0.1f}, {"one", 1.0f},
                            {"text", std::string("a\nb")}, {"list", std::vector<std::int64_t>{}}};
  request.environment = {{"A", "x=y\n"}};
  request.time_limit_ms = 123;
  const std::string line = encode(request);
  EXPECT_EQ(line.find('\n'), line.size() - 1);
  const auto back = pier::registry::decode_request(std::string_view(line).substr(0, line.size() - 1));
  EXPECT_EQ(back.library, request.library);
  EXPECT_EQ(back.create_options, request.create_options);
  EXPECT_EQ(back.environment, request.environment);
  EXPECT_EQ(back.time_limit_ms, 123);
}

TEST(ProbeProtocol, WhatCannotBeReadIsAnError) {
  using namespace pier::registry;
  for (const char* bad : {"", "what", "stage", "stage\ta\tb", "stage\ta\\", "stage\t\\x", "report", "error\tx", "error\t1\tm\tf\tp\t7\tnote"})
    EXPECT_EQ(error_of([&] { decode_message(bad); }).code(), ErrorCode::internal) << bad;
  EXPECT_EQ(error_of([] { decode_request("probe\t99"); }).code(), ErrorCode::internal);
  const std::string whole = encode(ProbeReport{});
  for (std::size_t size = 0; size + 1 < whole.size(); ++size)
    EXPECT_EQ(error_of([&] { decode_message(std::string_view(whole).substr(0, size)); }).code(), ErrorCode::internal) << size;
}

TEST(ProbeProtocol, BytesThatAreNotUtf8Survive) {
  const std::string bytes("bad \xff\xc3 byte\t\\\n\0.", 16);
  pier::Error error(ErrorCode::internal, bytes);
  error.note(bytes);
  std::string line = pier::registry::encode(error);
  line.pop_back();
  const auto back = pier::registry::decode_message(line).error;
  ASSERT_TRUE(back);
  EXPECT_EQ(back->message(), bytes);
  EXPECT_THAT(back->notes(), testing::ElementsAre(bytes));
}

}  // namespace
