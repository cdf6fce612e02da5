#include "fake_plugin/steering.h"

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <numeric>
#include <string_view>

namespace fake {

Steering& steering() {
  // Never destroyed: calls may come until the process is gone.
  static Steering& the = *new Steering;
  return the;
}

std::shared_ptr<const Settings> settings() { return steering().settings(); }

Steering::Steering() { reset(); }

void Steering::reset() {
  const std::lock_guard lock(mutex_);
  settings_ = std::make_shared<const Settings>();
  rules_.assign(function_count(), {});
  calls_.assign(function_count(), 0);
  delays_.assign(function_count(), std::nullopt);
  delay_ = 0;
  last_.clear();
}

void Steering::add(FunctionId function, Rule rule) {
  const std::lock_guard lock(mutex_);
  rules_.at(function).push_back(std::move(rule));
}

void Steering::set_delay(std::optional<FunctionId> function, std::int64_t milliseconds) {
  const std::lock_guard lock(mutex_);
  if (function) {
    delays_.at(*function) = milliseconds;
  } else {
    delay_ = milliseconds;
    delays_.assign(function_count(), std::nullopt);
  }
}

void Steering::change(const std::function<void(Settings&)>& edit) {
  const std::lock_guard lock(mutex_);
  auto changed = std::make_shared<Settings>(*settings_);
  edit(*changed);
  settings_ = std::move(changed);
}

std::shared_ptr<const Settings> Steering::settings() {
  const std::lock_guard lock(mutex_);
  return settings_;
}

Plan Steering::plan(FunctionId function) {
  const std::lock_guard lock(mutex_);
  if (function != constructor_moment()) ++calls_.at(function);
  Plan plan;
  plan.delay = delays_[function].value_or(delay_);
  for (Rule& rule : rules_[function]) {
    ++rule.seen;
    if (rule.call != fake_every_call && rule.call != rule.seen) continue;
    switch (rule.act) {
      case Act::fail: plan.failure = rule.failure; break;
      case Act::fail_later: plan.later = rule.failure; break;
      case Act::null_output:
        if (rule.output.empty()) plan.null_all = true;
        else plan.null_outputs.push_back(rule.output);
        break;
      case Act::hang: plan.hang = true; break;
      case Act::abort:
      case Act::segv:
      case Act::exit: plan.crash = rule.act; break;
    }
  }
  return plan;
}

std::uint64_t Steering::calls(FunctionId function) {
  const std::lock_guard lock(mutex_);
  return calls_.at(function);
}

std::uint64_t Steering::all_calls() {
  const std::lock_guard lock(mutex_);
  return std::accumulate(calls_.begin(), calls_.begin() + static_cast<std::ptrdiff_t>(constructor_moment()), std::uint64_t{0});
}

std::string Steering::call_report() {
  const std::lock_guard lock(mutex_);
  std::string report;
  for (FunctionId id = 0; id < calls_.size(); ++id) {
    if (calls_[id] != 0) report += std::string(function_name(id)) + " " + std::to_string(calls_[id]) + "\n";
  }
  return report;
}

void Steering::remember(const std::string& what, std::string bytes) {
  const std::lock_guard lock(mutex_);
  last_[what] = std::move(bytes);
}

std::optional<std::string> Steering::last(const std::string& what) {
  const std::lock_guard lock(mutex_);
  const auto found = last_.find(what);
  if (found == last_.end()) return std::nullopt;
  return found->second;
}

void crash(Act how, FunctionId where) {
  const std::string_view name = function_name(where);
  std::fprintf(stderr, "fake_plugin: as told, crashing in %.*s\n", static_cast<int>(name.size()), name.data());
  if (how == Act::segv) std::raise(SIGSEGV);
  if (how == Act::exit) std::_Exit(3);
  std::abort();
}

}  // namespace fake
