#include "fake_plugin/script.h"

#include <array>
#include <charconv>
#include <cstdint>
#include <functional>
#include <optional>
#include <utility>
#include <vector>

#include "abi/facts.h"
#include "fake_plugin/control.h"
#include "fake_plugin/steering.h"

namespace fake {
namespace {

/// Thrown for text that is no script.
struct Mistake {
  std::string text;
};

std::optional<std::int64_t> to_number(std::string_view text) {
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (text.empty() || error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

std::int64_t require_number(std::string_view text, std::int64_t least, std::int64_t most) {
  const auto value = to_number(text);
  if (value && *value >= least && *value <= most) return *value;
  throw Mistake{"'" + std::string(text) + "' is no number from " + std::to_string(least) + " to " + std::to_string(most)};
}

int require_int(std::string_view text, int least, int most) { return static_cast<int>(require_number(text, least, most)); }

bool require_switch(std::string_view text) { return require_number(text, 0, 1) == 1; }

std::string unescape(std::string_view text) {
  std::string plain;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '%') {
      plain += text[i];
      continue;
    }
    unsigned byte = 0;
    const std::string_view digits = text.substr(i + 1, 2);
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), byte, 16);
    if (digits.size() != 2 || error != std::errc() || end != digits.data() + 2) {
      throw Mistake{"'%' must be followed by two hexadecimal digits"};
    }
    plain += static_cast<char>(byte);
    i += 2;
  }
  return plain;
}

std::vector<std::string> split(std::string_view text, char separator) {
  std::vector<std::string> parts;
  while (!text.empty()) {
    const std::size_t at = std::min(text.find(separator), text.size());
    parts.emplace_back(text.substr(0, at));
    text.remove_prefix(std::min(at + 1, text.size()));
  }
  return parts;
}

FunctionId require_function(std::string_view name) {
  const auto id = find_function(name);
  if (!id) throw Mistake{"there is no function '" + std::string(name) + "'"};
  return *id;
}

/// "F", "F@2"
std::pair<std::string_view, std::uint64_t> split_call(std::string_view text) {
  const std::size_t at = text.find('@');
  if (at == std::string_view::npos) return {text, fake_every_call};
  return {text.substr(0, at), static_cast<std::uint64_t>(require_number(text.substr(at + 1), 1, INT64_MAX))};
}

int require_code(std::string_view text) {
  if (const auto number = to_number(text)) return require_int(text, INT32_MIN, INT32_MAX);
  const std::string name = "PJRT_Error_Code_" + std::string(text);
  for (const abi::ValueFact& value : abi::find_enum("PJRT_Error_Code")->values) {
    if (value.name == name) return value.value;
  }
  throw Mistake{"there is no error code '" + std::string(text) + "'"};
}

void add_failure(Act act, const std::string& value) {
  const std::size_t colon = value.find(':');
  if (colon == std::string::npos) throw Mistake{"an error code is missing"};
  const auto [name, call] = split_call(std::string_view(value).substr(0, colon));
  const std::string_view rest = std::string_view(value).substr(colon + 1);
  const std::size_t end = std::min(rest.find(':'), rest.size());
  Rule rule{act, call, {require_code(rest.substr(0, end)), std::string(rest.substr(std::min(end + 1, rest.size())))}, {}};
  steering().add(require_function(name), std::move(rule));
}

void add_act(Act act, const std::string& value) {
  const auto [name, call] = split_call(value);
  steering().add(require_function(name), Rule{act, call, {}, {}});
}

void add_null(const std::string& value) {
  const auto [name, call] = split_call(value);
  const std::size_t dot = std::min(name.find('.'), name.size());
  const std::string output(name.substr(std::min(dot + 1, name.size())));
  steering().add(require_function(name.substr(0, dot)), Rule{Act::null_output, call, {}, output});
}

void add_unimplemented(const std::string& value) {
  for (const std::string& name : split(value, ',')) {
    const FunctionId id = require_function(name);
    const std::string message = std::string(function_name(id)) + " is not implemented";
    steering().add(id, Rule{Act::fail, fake_every_call, {abi::PJRT_Error_Code_UNIMPLEMENTED, message}, {}});
  }
}

void set_delay(const std::string& value) {
  const std::size_t colon = value.find(':');
  std::optional<FunctionId> function;
  std::string_view time = value;
  if (colon != std::string::npos) {
    function = require_function(time.substr(0, colon));
    time.remove_prefix(colon + 1);
  }
  steering().set_delay(function, time == "hold" ? fake_until_released : require_number(time, 0, 1'000'000));
}

void set_noise(Settings& settings, const std::string& value) {
  for (const std::string& source : split(value, ',')) {
    if (source == "constructor") settings.noise_from_constructor = true;
    else if (source == "thread") settings.noise_from_thread = true;
    else if (source == "create") settings.noise_on_create = true;
    else throw Mistake{"there is no noise from '" + source + "'"};
  }
}

void add_attribute(Settings& settings, const std::string& value) {
  const std::size_t colon = value.find(':');
  if (colon == std::string::npos) throw Mistake{"an attribute is name:value"};
  settings.attributes.push_back({value.substr(0, colon), parse_named_data(std::string_view(value).substr(colon + 1))});
}

void set_extensions(Settings& settings, const std::string& value) {
  settings.extensions = split(value, ',');
  for (const std::string& name : settings.extensions) {
    if (name != "layouts" && name != "unknown" && name != "cycle" && name != "short") {
      throw Mistake{"there is no extension '" + name + "'"};
    }
  }
}

constexpr std::int64_t most_slots = 4096;

using Setter = void (*)(Settings&, const std::string&);
constexpr std::array<std::pair<std::string_view, Setter>, 26> setters = {{
    {"major", [](Settings& s, const std::string& v) { s.pose.major = require_int(v, 0, 1000); }},
    {"minor", [](Settings& s, const std::string& v) { s.pose.minor = require_int(v, 0, 1000); }},
    {"struct_size", [](Settings& s, const std::string& v) { s.pose.reported_struct_size = require_number(v, 0, INT64_MAX); }},
    {"table_size", [](Settings& s, const std::string& v) { s.pose.table_size = require_number(v, 0, most_slots * 8); }},
    {"junk", [](Settings& s, const std::string& v) { s.pose.junk_slots = require_number(v, 0, most_slots); }},
    {"shifted",
     [](Settings& s, const std::string& v) {
       s.pose.shifted = require_switch(v);
       if (s.pose.shifted) s.pose.minor = abi::shifted_table().minor;
     }},
    {"remove",
     [](Settings& s, const std::string& v) {
       for (const std::string& name : split(v, ',')) s.removed.push_back(require_function(name));
     }},
    {"devices", [](Settings& s, const std::string& v) { s.devices = require_int(v, 0, 8); }},
    {"remote_devices", [](Settings& s, const std::string& v) { s.remote_devices = require_int(v, 0, 8); }},
    {"first_device_id", [](Settings& s, const std::string& v) { s.first_device_id = require_int(v, 0, 1'000'000); }},
    {"process_index", [](Settings& s, const std::string& v) { s.process_index = require_int(v, 0, 1'000'000); }},
    {"platform", [](Settings& s, const std::string& v) { s.platform = v; }},
    {"platform_version", [](Settings& s, const std::string& v) { s.platform_version = v; }},
    {"device_kind", [](Settings& s, const std::string& v) { s.device_kind = v; }},
    {"attribute", add_attribute},
    {"memories", [](Settings& s, const std::string& v) { s.memories = require_switch(v); }},
    {"memory_stats", [](Settings& s, const std::string& v) { s.memory_stats = require_switch(v); }},
    {"memory_limit", [](Settings& s, const std::string& v) { s.memory_limit = require_number(v, 0, INT64_MAX); }},
    {"formats", [](Settings& s, const std::string& v) { s.formats = split(v, ','); }},
    {"unknown_options",
     [](Settings& s, const std::string& v) {
       if (v != "refuse" && v != "ignore") throw Mistake{"unknown_options is refuse or ignore"};
       s.refuse_unknown_options = v == "refuse";
     }},
    {"strict_sizes", [](Settings& s, const std::string& v) { s.strict_sizes = require_switch(v); }},
    {"require_initialize", [](Settings& s, const std::string& v) { s.require_initialize = require_switch(v); }},
    {"abort_on_unknown_enum", [](Settings& s, const std::string& v) { s.abort_on_unknown_enum = require_switch(v); }},
    {"abort_on_violation", [](Settings& s, const std::string& v) { s.abort_on_violation = require_switch(v); }},
    {"extensions", set_extensions},
    {"noise", set_noise},
}};

using Action = void (*)(const std::string&);
constexpr std::array<std::pair<std::string_view, Action>, 10> actions = {{
    {"fail", [](const std::string& v) { add_failure(Act::fail, v); }},
    {"fail_later", [](const std::string& v) { add_failure(Act::fail_later, v); }},
    {"null", add_null},
    {"unimplemented", add_unimplemented},
    {"abort", [](const std::string& v) { add_act(Act::abort, v); }},
    {"segv", [](const std::string& v) { add_act(Act::segv, v); }},
    {"exit", [](const std::string& v) { add_act(Act::exit, v); }},
    {"hang", [](const std::string& v) { add_act(Act::hang, v); }},
    {"delay", set_delay},
    {"report", [](const std::string& v) { steering().change([&](Settings& s) { s.report = v; }); }},
}};

void apply_pair(const std::string& key, const std::string& value) {
  for (const auto& [name, set] : setters) {
    if (name != key) continue;
    const Setter setter = set;
    steering().change([&](Settings& settings) { setter(settings, value); });
    return;
  }
  for (const auto& [name, act] : actions) {
    if (name == key) return act(value);
  }
  throw Mistake{"there is no such key"};
}

}  // namespace

std::string apply_script(std::string_view script) {
  for (const std::string& part : split(script, ';')) {
    if (part.empty()) continue;
    const std::size_t equals = part.find('=');
    if (equals == std::string::npos) return "'" + part + "': '=' is missing";
    const std::string key = part.substr(0, equals);
    try {
      apply_pair(key, unescape(std::string_view(part).substr(equals + 1)));
    } catch (const Mistake& mistake) {
      return "'" + part + "': " + mistake.text;
    }
  }
  return {};
}

}  // namespace fake
