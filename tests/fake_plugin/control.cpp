#include "fake_plugin/control.h"

#include <cstdio>
#include <cstdlib>
#include <string>

#include "fake_plugin/ledger.h"
#include "fake_plugin/report.h"
#include "fake_plugin/schedule.h"
#include "fake_plugin/script.h"
#include "fake_plugin/steering.h"

namespace fake {
namespace {

FunctionId require_function(const char* name) {
  if (name != nullptr) {
    if (const auto id = find_function(name)) return *id;
  }
  std::fprintf(stderr, "fake_plugin: there is no function '%s' to steer\n", name == nullptr ? "(null)" : name);
  std::abort();
}

/// Text for a caller who reads it before he asks this thread for more.
const char* keep(std::string text) {
  thread_local std::string kept;
  kept = std::move(text);
  return kept.c_str();
}

std::string bytes(const char* text, std::size_t size) { return text == nullptr ? std::string() : std::string(text, size); }

void reset() {
  steering().reset();
  release_held();
  ledger().forget_violations();
}

const char* script(const char* text) {
  std::string mistake = apply_script(text);
  return mistake.empty() ? nullptr : keep(std::move(mistake));
}

void pose(const FakePose* wanted) {
  steering().change([&](Settings& settings) { settings.pose = *wanted; });
}

void remove_function(const char* function) {
  const FunctionId id = require_function(function);
  steering().change([&](Settings& settings) { settings.removed.push_back(id); });
}

void fail(const char* function, std::uint64_t call, int code, const char* message, std::size_t size) {
  steering().add(require_function(function), Rule{Act::fail, call, {code, bytes(message, size)}, {}});
}

void fail_later(const char* function, std::uint64_t call, int code, const char* message, std::size_t size) {
  steering().add(require_function(function), Rule{Act::fail_later, call, {code, bytes(message, size)}, {}});
}

void null_output(const char* function, const char* output, std::uint64_t call) {
  steering().add(require_function(function), Rule{Act::null_output, call, {}, output == nullptr ? "" : output});
}

void hang_function(const char* function, std::uint64_t call) {
  steering().add(require_function(function), Rule{Act::hang, call, {}, {}});
}

void delay(const char* function, std::int64_t milliseconds) {
  std::optional<FunctionId> id;
  if (function != nullptr) id = require_function(function);
  steering().set_delay(id, milliseconds);
}

FakeLive live() { return ledger().live(); }

std::uint64_t calls(const char* function) {
  return function == nullptr ? steering().all_calls() : steering().calls(require_function(function));
}

const char* call_report() { return keep(steering().call_report()); }

std::size_t violations() { return ledger().violation_count(); }

const char* violation_report() {
  std::string text;
  for (const std::string& line : ledger().violations()) text += line + "\n";
  return keep(std::move(text));
}

const char* last(const char* what, std::size_t* size) {
  std::string found = steering().last(what).value_or("");
  if (size != nullptr) *size = found.size();
  return keep(std::move(found));
}

FakeControl control = {sizeof(FakeControl), reset, script, pose,        remove_function, fail,       fail_later,
                       null_output,         hang_function,  delay,  release_held, held_count,      live,       calls,
                       call_report,         violations,     violation_report, last};

}  // namespace
}  // namespace fake

extern "C" __attribute__((visibility("default"))) FakeControl* fake_plugin_control() { return &fake::control; }
