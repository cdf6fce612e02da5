#include "fake_plugin/program.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cctype>
#include <utility>

#include "fake_plugin/failure.h"

namespace fake {
namespace {

constexpr std::size_t most_outputs = 64;
constexpr std::size_t shown_bytes = 64;

constexpr std::array verbs = {std::pair{Verb::identity, std::string_view("identity")},
                              std::pair{Verb::add_one, std::string_view("add_one")},
                              std::pair{Verb::swap, std::string_view("swap")},
                              std::pair{Verb::constants, std::string_view("constants")}};

/// The text behind "fake.word", or nothing where the word does not stand as a whole.
std::optional<std::string_view> find_word(std::string_view program, std::string_view word) {
  const std::string mark = "fake." + std::string(word);
  for (std::size_t at = program.find(mark); at != std::string_view::npos; at = program.find(mark, at + 1)) {
    const std::string_view rest = program.substr(at + mark.size());
    const bool goes_on = !rest.empty() && (std::isalnum(static_cast<unsigned char>(rest.front())) || rest.front() == '_');
    if (!goes_on) return rest;
  }
  return std::nullopt;
}

/// The characters of "fake.word=..." that a predicate takes; nothing without the word or the '='.
template <class Predicate>
std::optional<std::string_view> find_value(std::string_view program, std::string_view word, Predicate takes) {
  const auto rest = find_word(program, word);
  if (!rest || !rest->starts_with('=')) return std::nullopt;
  const std::string_view text = rest->substr(1);
  const auto end = std::find_if_not(text.begin(), text.end(), [&](char c) { return takes(static_cast<unsigned char>(c)); });
  return text.substr(0, static_cast<std::size_t>(end - text.begin()));
}

std::optional<std::size_t> parse_count(std::string_view text) {
  std::size_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

std::optional<std::size_t> find_count(std::string_view program, std::string_view word) {
  const auto text = find_value(program, word, [](unsigned char c) { return std::isdigit(c) != 0; });
  if (!text) return std::nullopt;
  const auto value = parse_count(*text);
  if (!value || *value > most_outputs) refuse("fake." + std::string(word) + " must be 0 to 64");
  return value;
}

std::vector<TensorType> parse_types(std::string_view text) {
  std::vector<TensorType> types;
  while (!text.empty()) {
    const std::size_t close = text.find(']');
    const auto type = parse_xla_type(text.substr(0, close == std::string_view::npos ? close : close + 1));
    if (!type) refuse("fake.signature: no types in '" + std::string(text) + "'");
    types.push_back(*type);
    text.remove_prefix(close + 1);
    if (text.starts_with(',')) text.remove_prefix(1);
  }
  return types;
}

std::optional<Signature> find_signature(std::string_view program) {
  const auto text = find_value(program, "signature", [](unsigned char c) {
    return std::isalnum(c) || c == '[' || c == ']' || c == ',' || c == '-' || c == '>';
  });
  if (!text) return std::nullopt;
  const std::size_t arrow = text->find("->");
  if (arrow == std::string_view::npos) refuse("fake.signature has no '->'");
  return Signature{parse_types(text->substr(0, arrow)), parse_types(text->substr(arrow + 2))};
}

std::set<std::size_t> find_donated(std::string_view program, std::size_t arguments) {
  std::set<std::size_t> donated;
  if (!find_word(program, "donate")) return donated;
  const auto list = find_value(program, "donate", [](unsigned char c) { return std::isdigit(c) || c == ','; });
  if (!list) {
    for (std::size_t i = 0; i < arguments; ++i) donated.insert(i);
    return donated;
  }
  std::string_view rest = *list;
  while (!rest.empty()) {
    const std::size_t comma = std::min(rest.find(','), rest.size());
    const auto index = parse_count(rest.substr(0, comma));
    if (!index || *index >= arguments) refuse("fake.donate names an argument that is not there");
    donated.insert(*index);
    rest.remove_prefix(std::min(comma + 1, rest.size()));
  }
  return donated;
}

/// What the verb makes of the arguments.
TensorType result_type(const Program& program, const std::vector<TensorType>& arguments, std::size_t output) {
  if (program.verb == Verb::constants) return {pier::abi::PJRT_Buffer_Type_F32, {}};
  return arguments.at(program.source_of(output));
}

void check_signature(Program& program, bool results_are_given) {
  Signature& signature = *program.signature;
  if (program.verb == Verb::add_one) {
    for (const TensorType& type : signature.arguments) {
      if (type.type != pier::abi::PJRT_Buffer_Type_F32) refuse("fake.add_one takes f32, not " + to_string(type));
    }
  }
  std::vector<TensorType> made;
  for (std::size_t i = 0; i < program.num_outputs; ++i) made.push_back(result_type(program, signature.arguments, i));
  if (results_are_given && made != signature.results) refuse("the results that the program states are not what it makes");
  signature.results = std::move(made);
}

}  // namespace

std::size_t Program::source_of(std::size_t output) const {
  const std::size_t index = output % num_arguments;
  return verb == Verb::swap ? num_arguments - 1 - index : index;
}

namespace {

std::vector<std::int64_t> stated_or(const std::vector<std::vector<std::int64_t>>& stated, std::size_t index, bool columns,
                                    std::size_t rank) {
  if (index < stated.size() && stated[index].size() == rank) return stated[index];
  return columns ? column_major(rank) : row_major(rank);
}

}  // namespace

std::vector<std::int64_t> Program::argument_layout(std::size_t argument, std::size_t rank) const {
  return stated_or(argument_orders, argument, column_major_arguments, rank);
}

std::vector<std::int64_t> Program::output_layout(std::size_t output, std::size_t rank) const {
  return stated_or(result_orders, output, column_major, rank);
}

Program parse_program(std::string format, std::string bytes) {
  Program program;
  program.format = std::move(format);
  program.bytes = std::move(bytes);
  const std::string_view text = program.bytes;
  const auto verb = std::find_if(verbs.begin(), verbs.end(),
                                 [&](const auto& candidate) { return find_word(text, candidate.second).has_value(); });
  auto parsed = program.format == "mlir" ? parse_main(text) : std::nullopt;
  if (verb == verbs.end() && !(parsed && parsed->only_returns)) {
    refuse("the fake plugin knows no such program: " + program.bytes.substr(0, shown_bytes));
  }
  program.verb = verb == verbs.end() ? Verb::identity : verb->first;
  program.column_major = find_word(text, "column_major").has_value();
  program.column_major_arguments = find_word(text, "column_major_arguments").has_value();
  const auto name = find_value(text, "name", [](unsigned char c) { return std::isalnum(c) || c == '_' || c == '.' || c == '-'; });
  program.name = name ? std::string(*name) : "fake_" + std::string(verb == verbs.end() ? "identity" : verb->second);

  program.signature = find_signature(text);
  std::set<std::size_t> donated;
  if (!program.signature && parsed) {
    program.signature = std::move(parsed->signature);
    donated = std::move(parsed->donated);
    program.argument_orders = std::move(parsed->argument_orders);
    program.result_orders = std::move(parsed->result_orders);
  }
  const auto arguments = find_count(text, "arguments");
  const auto outputs = find_count(text, "outputs");
  program.num_arguments = program.signature ? program.signature->arguments.size()
                          : arguments       ? *arguments
                          : program.verb == Verb::constants ? 0 : 1;
  program.num_outputs = outputs             ? *outputs
                        : program.signature ? program.signature->results.size()
                        : program.verb == Verb::constants ? 1 : program.num_arguments;
  if (program.verb == Verb::constants && program.num_arguments != 0) refuse("fake.constants takes no arguments");
  if (program.verb != Verb::constants && program.num_arguments == 0 && program.num_outputs != 0) {
    refuse("a program without arguments has nothing to copy");
  }
  program.donated = find_donated(text, program.num_arguments);
  program.donated.merge(donated);
  if (program.signature) check_signature(program, !outputs);
  return program;
}

}  // namespace fake
