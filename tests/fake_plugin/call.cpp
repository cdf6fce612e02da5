#include "fake_plugin/call.h"

#include <algorithm>
#include <cstddef>
#include <cstdio>

#include "fake_plugin/ledger.h"

namespace fake {
namespace {

thread_local std::string_view innermost = "outside of calls";

// From 0.87 on the function checks the size of its own struct; before, that of a shorter one, and wrote all the same.
constexpr int last_overrunning_minor = 86;

std::size_t demanded(const abi::StructFact& fact, const Settings& settings) {
  const abi::SizeFact* row = abi::sizes_at(fact, settings.minor());
  if (row == nullptr) return fact.sizes.front().struct_size;
  if (settings.strict_sizes || row->minimum == 0) return row->struct_size;
  return row->minimum;
}

std::string size_message(const abi::StructFact& fact, const Settings& settings, std::size_t struct_size) {
  const std::string version = std::to_string(settings.pose.major) + "." + std::to_string(settings.minor());
  std::string message = "Unexpected " + std::string(fact.name) + " size: expected " +
                        std::to_string(demanded(fact, settings)) + ", got " + std::to_string(struct_size) + ". ";
  return message + (settings.minor() <= 60 ? "Check installed software versions. The framework PJRT API version is "
                                           : "The plugin is likely built with a later version than the framework. "
                                             "This plugin is built with PJRT API version ") +
         version + ".";
}

}  // namespace

std::string_view current_function() noexcept { return innermost; }

Frame::Frame(FunctionId function) noexcept : outer_(innermost) { innermost = function_name(function); }
Frame::~Frame() { innermost = outer_; }

Call::Call(FunctionId function, Plan plan, std::shared_ptr<const Settings> settings)
    : function_(function), plan_(std::move(plan)), settings_(std::move(settings)) {}

void Call::check_obeyed(bool outputs_found) const {
  if (outputs_found && (asked_ || !plan_.later)) return;
  const std::string_view name = function_name(function_);
  std::fprintf(stderr, "fake_plugin: %.*s has no %s\n", static_cast<int>(name.size()), name.data(),
               outputs_found ? "results that could fail later" : "output of the name that null_output() was given");
  std::abort();
}

void check_size(const abi::StructFact& fact, const Settings& settings, std::size_t struct_size) {
  const bool ever_sent = std::any_of(fact.sizes.begin(), fact.sizes.end(),
                                     [&](const abi::SizeFact& row) { return row.struct_size == struct_size; });
  const std::size_t wanted = demanded(fact, settings);
  const bool refused = settings.strict_sizes ? struct_size != wanted : struct_size < wanted;
  const std::string message = size_message(fact, settings, struct_size);
  // A size of another version is what strict plugins exist for; a size of no version is always a mistake.
  if (!ever_sent || (refused && !settings.strict_sizes)) ledger().violate(message);
  if (refused) refuse(message);
}

std::size_t window(const abi::StructFact* fact, const Settings& settings, std::size_t struct_size, std::size_t ours) {
  const abi::SizeFact* row = fact == nullptr ? nullptr : abi::sizes_at(*fact, settings.minor());
  if (row == nullptr) return std::min(struct_size, ours);
  const std::size_t theirs = std::min<std::size_t>(row->size, ours);
  const bool overruns = fact->name == "PJRT_Executable_GetCompiledMemoryStats_Args" &&
                        settings.minor() <= last_overrunning_minor;
  if (overruns || struct_size >= row->struct_size) return theirs;
  return std::min(struct_size, theirs);
}

void check_newer_members(const abi::StructFact* fact, const Settings& settings, const void* given, std::size_t struct_size,
                         std::size_t ours) {
  const abi::SizeFact* row = fact == nullptr ? nullptr : abi::sizes_at(*fact, settings.minor());
  if (row == nullptr) return;
  const auto* bytes = static_cast<const std::byte*>(given);
  // A caller with host callbacks sets this one for every plugin: old ones behave as if it were set.
  const bool options = fact->name == "PJRT_ExecuteOptions";
  constexpr std::size_t major_to_minor = offsetof(abi::PJRT_ExecuteOptions, use_major_to_minor_data_layout_for_callbacks);
  for (std::size_t at = row->size; at < std::min(struct_size, ours); ++at) {
    if (bytes[at] == std::byte{0} || (options && at == major_to_minor)) continue;
    ledger().violate(std::string(fact->name) + ": the member at byte " + std::to_string(at) +
                     " is set, which is newer than PJRT 0." + std::to_string(settings.minor()));
    return;
  }
}

Call begin(FunctionId function, const std::size_t* struct_size) {
  Plan plan = steering().plan(function);
  std::shared_ptr<const Settings> now = settings();
  if (plan.crash) crash(*plan.crash, function);
  if (plan.hang) hang();
  if (struct_size == nullptr) misuse("called without arguments");
  if (now->require_initialize && !steering().initialized && !is_allowed_early(function)) {
    ledger().violate("called before PJRT_Plugin_Initialize");
    refuse(abi::PJRT_Error_Code_FAILED_PRECONDITION,
           std::string(function_name(function)) + " was called before PJRT_Plugin_Initialize");
  }
  if (const abi::StructFact* fact = argument_fact(function)) check_size(*fact, *now, *struct_size);
  return Call(function, std::move(plan), std::move(now));
}

void OutputEraser::give_back(const void* handle) { ledger().drop(handle); }

}  // namespace fake
