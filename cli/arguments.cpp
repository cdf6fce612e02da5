#include "arguments.h"

#include <algorithm>

#include <CLI/CLI.hpp>

#include "output.h"
#include "usage.h"

namespace pier::cli {

struct Arguments::Impl {
  std::string verb;
  CLI::App app;
  struct Pairs {
    std::string option;
    std::vector<std::string> words;
    std::vector<std::pair<std::string, std::string>>* target;
  };
  // Stable addresses: CLI11 keeps pointers to the words.
  std::vector<std::unique_ptr<Pairs>> pairs;

  Impl(std::string_view name, std::string_view description)
      : verb(name), app(std::string(description), "pier " + std::string(name)) {}
};

Arguments::Arguments(std::string_view verb, std::string_view description)
    : impl_(std::make_unique<Impl>(verb, description)) {
  impl_->app.set_help_flag("-h,--help", "Print this text");
  impl_->app.get_formatter()->column_width(34);
}

Arguments::~Arguments() = default;

void Arguments::positional(std::string_view name, std::string& target, Need need, std::string_view help) {
  CLI::Option* const option = impl_->app.add_option(std::string(name), target, std::string(help));
  option->option_text(" ");
  if (need == Need::required) option->required();
}

void Arguments::value(std::string_view names, std::string_view placeholder, std::string& target, std::string_view help) {
  impl_->app.add_option(std::string(names), target, std::string(help))->option_text(std::string(placeholder));
}

void Arguments::value(std::string_view names, std::string_view placeholder, std::optional<int>& target,
                      std::string_view help) {
  impl_->app.add_option(std::string(names), target, std::string(help))->option_text(std::string(placeholder));
}

void Arguments::required_value(std::string_view names, std::string_view placeholder, std::string& target,
                               std::string_view help) {
  impl_->app.add_option(std::string(names), target, std::string(help))
      ->option_text(std::string(placeholder) + " (required)")
      ->required();
}

void Arguments::values(std::string_view names, std::string_view placeholder, std::vector<std::string>& target,
                       std::string_view help) {
  impl_->app.add_option(std::string(names), target, std::string(help))->option_text(std::string(placeholder));
}

void Arguments::pairs(std::string_view names, std::vector<std::pair<std::string, std::string>>& target,
                      std::string_view help) {
  auto entry = std::make_unique<Impl::Pairs>(Impl::Pairs{std::string(names), {}, &target});
  // One word at a time, so that a value never eats the positional that follows it.
  impl_->app.add_option(std::string(names), entry->words, std::string(help))
      ->option_text("KEY=VALUE")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  impl_->pairs.push_back(std::move(entry));
}

void Arguments::flag(std::string_view names, bool& target, std::string_view help) {
  impl_->app.add_flag(std::string(names), target, std::string(help));
}

void Arguments::json_flag(bool& target) { flag("--json", target, "Write JSON to standard output, errors included"); }

bool Arguments::parse(std::span<const std::string> words) {
  // CLI11 takes the words from the back.
  std::vector<std::string> reversed(words.rbegin(), words.rend());
  try {
    impl_->app.parse(std::move(reversed));
  } catch (const CLI::CallForHelp&) {
    print(impl_->app.help());
    return false;
  } catch (const CLI::ParseError& error) {
    throw UsageError(impl_->verb, error.what());
  }
  for (const auto& pairs : impl_->pairs) {
    for (const std::string& word : pairs->words) {
      const std::size_t equals = word.find('=');
      if (equals == std::string::npos || equals == 0)
        throw UsageError(impl_->verb, pairs->option + ": '" + word + "' is not KEY=VALUE");
      std::pair<std::string, std::string> pair{word.substr(0, equals), word.substr(equals + 1)};
      if (std::any_of(pairs->target->begin(), pairs->target->end(), [&](const auto& p) { return p.first == pair.first; }))
        throw UsageError(impl_->verb, pairs->option + ": '" + pair.first + "' is given twice");
      pairs->target->push_back(std::move(pair));
    }
  }
  return true;
}

}  // namespace pier::cli
