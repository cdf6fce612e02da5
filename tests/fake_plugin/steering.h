#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "fake_plugin/failure.h"
#include "fake_plugin/names.h"
#include "fake_plugin/settings.h"

namespace fake {

enum class Act { fail, fail_later, null_output, hang, abort, segv, exit };

/// One misbehaviour of a function.
struct Rule {
  Act act = Act::fail;
  /// Counted from 1, the next call; fake_every_call for all.
  std::uint64_t call = fake_every_call;
  Failure failure;
  /// The member to leave null; empty: all, and nothing is done.
  std::string output;
  std::uint64_t seen = 0;
};

/// What one call shall do besides its work.
struct Plan {
  std::optional<Failure> failure;
  std::optional<Failure> later;
  bool null_all = false;
  std::vector<std::string> null_outputs;
  bool hang = false;
  std::optional<Act> crash;
  std::int64_t delay = 0;
};

/// The rules, the settings, and the count of calls.
class Steering {
 public:
  Steering();

  void reset();
  void add(FunctionId function, Rule rule);
  /// Without a function: all of them.
  void set_delay(std::optional<FunctionId> function, std::int64_t milliseconds);
  void change(const std::function<void(Settings&)>& edit);
  std::shared_ptr<const Settings> settings();

  /// Counts a call and says what it shall do.
  Plan plan(FunctionId function);

  std::uint64_t calls(FunctionId function);
  std::uint64_t all_calls();
  std::string call_report();

  void remember(const std::string& what, std::string bytes);
  std::optional<std::string> last(const std::string& what);

  /// Whether PJRT_Plugin_Initialize has succeeded.
  std::atomic<bool> initialized = false;

 private:
  std::mutex mutex_;
  std::shared_ptr<const Settings> settings_;
  std::vector<std::vector<Rule>> rules_;
  std::vector<std::uint64_t> calls_;
  std::vector<std::optional<std::int64_t>> delays_;
  std::int64_t delay_ = 0;
  std::map<std::string, std::string> last_;
};

Steering& steering();
std::shared_ptr<const Settings> settings();

/// Does not come back.
[[noreturn]] void crash(Act how, FunctionId where);

}  // namespace fake
