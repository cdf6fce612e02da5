#include "registry/probe_protocol.h"

#include <bit>
#include <charconv>
#include <concepts>
#include <limits>
#include <variant>

namespace pier::registry {
namespace {

constexpr std::string_view special{"\t\n\\\0", 4};
constexpr std::string_view marks = "tn\\0";

class Writer {
 public:
  explicit Writer(std::string_view kind) : line_(kind) {}

  template <class... Fields>
  void operator()(const Fields&... fields) { (add(fields), ...); }
  std::string end() { return line_ += '\n'; }

 private:
  void add(const std::string& field) {
    line_ += '\t';
    for (const char c : field) {
      const std::size_t at = special.find(c);
      if (at == std::string_view::npos) line_ += c;
      else (line_ += '\\') += marks[at];
    }
  }
  template <std::integral Number>
  void add(Number number) { (line_ += '\t') += std::to_string(number); }
  // By its bits, so that every number finds back.
  void add(float number) { add(std::bit_cast<std::uint32_t>(number)); }
  void add(ApiVersion version) { (*this)(version.major, version.minor); }
  void add(const AttributeValue& value) {
    add(value.index());
    std::visit([this](const auto& held) { add(held); }, value);
  }
  void add(const ExtensionInfo& extension) { (*this)(extension.type, extension.name, extension.size); }
  void add(const MissingFunction& function) { (*this)(function.name, function.since); }
  void add(const ProbedDevice& device) { (*this)(device.id, device.kind, device.description); }
  template <class A, class B>
  void add(const std::pair<A, B>& pair) { (*this)(pair.first, pair.second); }
  template <class Item>
  void add(const std::vector<Item>& list) { add_all(list); }
  void add(const Attributes& attributes) { add_all(attributes); }
  void add_all(const auto& list) {
    add(list.size());
    for (const auto& item : list) add(item);
  }

  std::string line_;
};

class Reader {
 public:
  explicit Reader(std::string_view line) : line_(line) {}

  template <class... Fields>
  void operator()(Fields&... fields) { (get(fields), ...); }
  template <class Field>
  Field next() {
    Field field{};
    get(field);
    return field;
  }
  void end() const {
    if (more_) fail();
  }
  [[noreturn]] static void fail() {
    throw Error(ErrorCode::internal, "a line between pier and pier-probe cannot be read").note("both must be of the same version");
  }

 private:
  std::string_view raw() {
    if (!more_) fail();
    const std::size_t tab = line_.find('\t');
    const std::string_view field = line_.substr(0, tab);
    more_ = tab != std::string_view::npos;
    line_.remove_prefix(more_ ? tab + 1 : line_.size());
    return field;
  }
  void get(std::string& out) {
    const std::string_view field = raw();
    for (std::size_t i = 0; i < field.size(); ++i) {
      if (field[i] != '\\') {
        out += field[i];
        continue;
      }
      const std::size_t at = ++i < field.size() ? marks.find(field[i]) : std::string_view::npos;
      if (at == std::string_view::npos) fail();
      out += special[at];
    }
  }
  template <std::integral Number>
  void get(Number& out) {
    const std::string_view field = raw();
    const auto [end, error] = std::from_chars(field.data(), field.data() + field.size(), out);
    if (error != std::errc() || end != field.data() + field.size()) fail();
  }
  void get(bool& out) {
    const int number = next<int>();
    if (number != 0 && number != 1) fail();
    out = number == 1;
  }
  void get(float& out) { out = std::bit_cast<float>(next<std::uint32_t>()); }
  void get(ApiVersion& version) { (*this)(version.major, version.minor); }
  void get(AttributeValue& value) {
    switch (next<std::size_t>()) {
      case 0: return get(value.emplace<0>());
      case 1: return get(value.emplace<1>());
      case 2: return get(value.emplace<2>());
      case 3: return get(value.emplace<3>());
      case 4: return get(value.emplace<4>());
      default: fail();
    }
  }
  void get(ExtensionInfo& extension) { (*this)(extension.type, extension.name, extension.size); }
  void get(MissingFunction& function) { (*this)(function.name, function.since); }
  void get(ProbedDevice& device) { (*this)(device.id, device.kind, device.description); }
  template <class A, class B>
  void get(std::pair<A, B>& pair) { (*this)(pair.first, pair.second); }
  // Each item takes a field at least, so that a wrong count ends with the line.
  template <class Item>
  void get(std::vector<Item>& list) {
    for (auto left = next<std::size_t>(); left > 0; --left) get(list.emplace_back());
  }
  void get(Attributes& attributes) {
    for (auto left = next<std::size_t>(); left > 0; --left) {
      auto name = next<std::string>();
      get(attributes[std::move(name)]);
    }
  }

  std::string_view line_;
  bool more_ = true;
};

// The fields of a message in their order, for writing and reading.
void exchange(auto& fields, auto& request) {
  fields(request.library, request.create_client, request.create_options, request.environment, request.time_limit_ms, request.preload,
         request.ask);
}
void exchange_report(auto& fields, auto& report) {
  fields(report.api_version, report.attributes, report.extensions, report.missing_functions, report.client_created,
         report.platform_name, report.platform_version, report.devices);
}

}  // namespace

std::string encode(const ProbeRequest& request) {
  Writer line("probe");
  line(probe_protocol);
  exchange(line, request);
  return line.end();
}

std::string encode_stage(std::string_view stage) {
  Writer line("stage");
  line(std::string(stage));
  return line.end();
}

std::string encode(const ProbeReport& report) {
  Writer line("report");
  exchange_report(line, report);
  return line.end();
}

std::string encode(const Error& error) {
  Writer line("error");
  line(static_cast<std::int32_t>(error.code()), error.message(), error.function(), error.plugin(), error.notes());
  return line.end();
}

ProbeRequest decode_request(std::string_view line) {
  Reader fields(line);
  if (fields.next<std::string>() != "probe" || fields.next<int>() != probe_protocol) Reader::fail();
  ProbeRequest request;
  exchange(fields, request);
  fields.end();
  return request;
}

ProbeMessage decode_message(std::string_view line) {
  Reader fields(line);
  const auto kind = fields.next<std::string>();
  ProbeMessage message;
  if (kind == "stage") {
    fields(message.stage);
  } else if (kind == "report") {
    exchange_report(fields, message.report.emplace());
  } else if (kind == "error") {
    const auto code = fields.next<std::int32_t>();
    Error error(static_cast<ErrorCode>(code), fields.next<std::string>());
    error.in_function(fields.next<std::string>());
    error.in_plugin(fields.next<std::string>());
    for (std::string& note : fields.next<std::vector<std::string>>()) error.note(std::move(note));
    message.error = std::move(error);
  } else {
    Reader::fail();
  }
  fields.end();
  return message;
}

}  // namespace pier::registry
