#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace pier::cli {

/// Writes the help of a verb (or of all, when it is empty): as text, or as {"verb", "usage"}.
void print_usage(std::string_view verb, const std::string& usage, bool json);

/// The options of one verb. Targets must live until parse() has returned.
class Arguments {
 public:
  Arguments(std::string_view verb, std::string_view description);
  Arguments(const Arguments&) = delete;
  Arguments& operator=(const Arguments&) = delete;
  ~Arguments();

  enum class Need { optional, required };

  /// A word without a dash, or behind a "--": MODULE, SELECTOR. One at most.
  void positional(std::string_view name, std::string& target, Need need, std::string_view help);
  /// All the words without a dash.
  void positionals(std::string_view name, std::vector<std::string>& target, std::string_view help);
  /// --device SELECTOR. Given twice is a usage error.
  void value(std::string_view names, std::string_view placeholder, std::string& target, std::string_view help);
  void value(std::string_view names, std::string_view placeholder, std::optional<int>& target, std::string_view help);
  void required_value(std::string_view names, std::string_view placeholder, std::string& target, std::string_view help);
  /// -i FILE...: several words, several times, all appended in order.
  void values(std::string_view names, std::string_view placeholder, std::vector<std::string>& target, std::string_view help);
  /// --option KEY=VALUE, once for each pair.
  void pairs(std::string_view names, std::vector<std::pair<std::string, std::string>>& target, std::string_view help);
  void flag(std::string_view names, bool& target, std::string_view help);
  /// --json, which every verb has.
  void json_flag(bool& target);

  /// Fills the targets from the words after the verb. Prints the help and returns false when that was asked for; throws
  /// UsageError.
  bool parse(std::span<const std::string> words);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace pier::cli
