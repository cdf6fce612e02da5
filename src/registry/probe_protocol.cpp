#include "registry/probe_protocol.h"

#include <cmath>
#include <limits>

#include <nlohmann/json.hpp>

#include "base/text.h"

namespace pier::registry {
namespace {

using nlohmann::json;

// Plugins may give text that is not UTF-8; it arrives with replacement characters.
std::string line_of(const json& value) { return value.dump(-1, ' ', false, json::error_handler_t::replace) + "\n"; }

json to_json(const AttributeValue& value) {
  struct Writer {
    json operator()(bool v) const { return v; }
    json operator()(std::int64_t v) const { return v; }
    json operator()(float v) const { return std::isfinite(v) ? json(v) : json(std::to_string(v)); }
    json operator()(const std::string& v) const { return v; }
    json operator()(const std::vector<std::int64_t>& v) const { return v; }
  };
  // The type is told beside the value: 1.0 and "inf" would not find back to it.
  return json::array({value.index(), std::visit(Writer{}, value)});
}

AttributeValue attribute_from(const json& pair) {
  const json& value = pair.at(1);
  switch (pair.at(0).get<std::size_t>()) {
    case 0: return value.get<bool>();
    case 1: return value.get<std::int64_t>();
    case 2: return value.is_string() ? std::stof(value.get<std::string>()) : value.get<float>();
    case 3: return value.get<std::string>();
    default: return value.get<std::vector<std::int64_t>>();
  }
}

json to_json(const Attributes& attributes) {
  json out = json::object();
  for (const auto& [name, value] : attributes) out[name] = to_json(value);
  return out;
}

Attributes attributes_from(const json& object) {
  Attributes out;
  for (const auto& [name, value] : object.items()) out.emplace(name, attribute_from(value));
  return out;
}

json to_json(ApiVersion version) { return json::array({version.major, version.minor}); }
ApiVersion version_from(const json& pair) { return {pair.at(0).get<int>(), pair.at(1).get<int>()}; }

ProbeReport report_from(const json& object) {
  ProbeReport report;
  report.api_version = version_from(object.at("api_version"));
  report.attributes = attributes_from(object.at("attributes"));
  for (const json& item : object.at("extensions"))
    report.extensions.push_back({item.at(0).get<int>(), item.at(1).get<std::string>(), item.at(2).get<std::size_t>()});
  for (const json& item : object.at("missing"))
    report.missing_functions.push_back({item.at(0).get<std::string>(), version_from(item.at(1))});
  report.client_created = object.at("client_created").get<bool>();
  report.platform_name = object.at("platform_name").get<std::string>();
  report.platform_version = object.at("platform_version").get<std::string>();
  for (const json& item : object.at("devices"))
    report.devices.push_back({item.at(0).get<int>(), item.at(1).get<std::string>(), item.at(2).get<std::string>()});
  return report;
}

Error error_from(const json& object) {
  Error error(static_cast<ErrorCode>(object.at("code").get<std::int32_t>()), object.at("message").get<std::string>());
  error.in_function(object.at("function").get<std::string>()).in_plugin(object.at("plugin").get<std::string>());
  for (const json& note : object.at("notes")) error.note(note.get<std::string>());
  return error;
}

template <class Read>
auto decode(std::string_view line, Read read) {
  try {
    return read(json::parse(line));
  } catch (const std::exception& failure) {
    throw Error(ErrorCode::internal, text("a line between pier and pier-probe cannot be read: {}", failure.what()))
        .note("both must be of the same version");
  }
}

}  // namespace

std::string encode(const ProbeRequest& request) {
  json object = {{"protocol", probe_protocol},
                 {"library", request.library},
                 {"create_client", request.create_client},
                 {"create_options", to_json(request.create_options)},
                 {"environment", request.environment},
                 {"time_limit_ms", request.time_limit_ms}};
  return line_of(object);
}

std::string encode_stage(std::string_view stage) { return line_of({{"stage", stage}}); }

std::string encode(const ProbeReport& report) {
  json extensions = json::array();
  for (const ExtensionInfo& e : report.extensions) extensions.push_back(json::array({e.type, e.name, e.size}));
  json missing = json::array();
  for (const MissingFunction& m : report.missing_functions) missing.push_back(json::array({m.name, to_json(m.since)}));
  json devices = json::array();
  for (const ProbedDevice& d : report.devices) devices.push_back(json::array({d.id, d.kind, d.description}));
  json object = {{"api_version", to_json(report.api_version)},
                 {"attributes", to_json(report.attributes)},
                 {"extensions", extensions},
                 {"missing", missing},
                 {"client_created", report.client_created},
                 {"platform_name", report.platform_name},
                 {"platform_version", report.platform_version},
                 {"devices", devices}};
  return line_of({{"report", object}});
}

std::string encode(const Error& error) {
  json object = {{"code", static_cast<std::int32_t>(error.code())},
                 {"message", error.message()},
                 {"function", error.function()},
                 {"plugin", error.plugin()},
                 {"notes", error.notes()}};
  return line_of({{"error", object}});
}

ProbeRequest decode_request(std::string_view line) {
  return decode(line, [](const json& object) {
    if (object.at("protocol").get<int>() != probe_protocol) throw std::runtime_error("another version of the protocol");
    ProbeRequest request;
    request.library = object.at("library").get<std::string>();
    request.create_client = object.at("create_client").get<bool>();
    request.create_options = attributes_from(object.at("create_options"));
    request.environment = object.at("environment").get<std::vector<std::pair<std::string, std::string>>>();
    request.time_limit_ms = object.at("time_limit_ms").get<std::int64_t>();
    return request;
  });
}

ProbeMessage decode_message(std::string_view line) {
  return decode(line, [](const json& object) {
    ProbeMessage message;
    if (object.contains("report")) message.report = report_from(object.at("report"));
    else if (object.contains("error")) message.error = error_from(object.at("error"));
    else message.stage = object.at("stage").get<std::string>();
    return message;
  });
}

}  // namespace pier::registry
