#include "arguments.h"

#include <algorithm>
#include <iterator>

#include <CLI/CLI.hpp>

#include "base/utf8.h"
#include "json.h"
#include "output.h"
#include "usage.h"

namespace pier::cli {
namespace {

constexpr std::size_t message_limit = 2000;

}  // namespace

void print_usage(std::string_view verb, const std::string& usage, bool json) {
  print(json ? Json::object().set("verb", Json::known(verb)).set("usage", usage).text() : usage);
}

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
  // Every verb has one word without a dash at most.
  CLI::Option* positional = nullptr;
  std::string* positional_target = nullptr;

  // An empty word is a variable of the user's that is not set, never a value.
  CLI::Option* add_option(std::string_view names, auto& target, std::string_view help) {
    return app.add_option(std::string(names), target, std::string(help))
        ->check([](const std::string& word) { return word.empty() ? std::string("the value is empty") : std::string(); });
  }

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
  CLI::Option* const option = impl_->add_option(name, target, help);
  option->option_text(" ");
  impl_->positional = option;
  impl_->positional_target = &target;
  if (need == Need::required) option->required();
}

void Arguments::positionals(std::string_view name, std::vector<std::string>& target, std::string_view help) {
  impl_->add_option(name, target, help)->option_text("...");
}

void Arguments::value(std::string_view names, std::string_view placeholder, std::string& target, std::string_view help) {
  impl_->add_option(names, target, help)->option_text(std::string(placeholder));
}

void Arguments::value(std::string_view names, std::string_view placeholder, std::optional<int>& target,
                      std::string_view help) {
  impl_->add_option(names, target, help)->option_text(std::string(placeholder));
}

void Arguments::required_value(std::string_view names, std::string_view placeholder, std::string& target,
                               std::string_view help) {
  impl_->add_option(names, target, help)
      ->option_text(std::string(placeholder) + " (required)")
      ->required();
}

void Arguments::values(std::string_view names, std::string_view placeholder, std::vector<std::string>& target,
                       std::string_view help) {
  impl_->add_option(names, target, help)->option_text(std::string(placeholder));
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
  // CLI11 lets a list of values swallow the "--", and what comes behind it with it.
  const auto dashes = std::find(words.begin(), words.end(), "--");
  std::vector<std::string> behind(dashes == words.end() ? dashes : dashes + 1, words.end());
  if (!behind.empty() && impl_->positional) impl_->positional->required(false);
  // CLI11 takes the words from the back.
  std::vector<std::string> reversed(std::make_reverse_iterator(dashes), words.rend());
  impl_->app.allow_extras();
  try {
    impl_->app.parse(std::move(reversed));
  } catch (const CLI::CallForHelp&) {
    print_usage(impl_->verb, impl_->app.help(), std::find(words.begin(), dashes, "--json") != dashes);
    return false;
  } catch (const CLI::ParseError& error) {
    throw UsageError(impl_->verb, shortened(error.what(), message_limit));
  }
  std::vector<std::string> extras = impl_->app.remaining();
  if (!behind.empty() && impl_->positional && impl_->positional->count() == 0) {
    if (behind.front().empty()) throw UsageError(impl_->verb, "the word behind -- is empty");
    *impl_->positional_target = behind.front();
    behind.erase(behind.begin());
  }
  extras.insert(extras.end(), behind.begin(), behind.end());
  if (!extras.empty()) {
    for (std::string& extra : extras) extra = shortened(extra);
    throw UsageError(impl_->verb, shortened("not expected: " + join(extras, " "), message_limit));
  }
  for (const auto& pairs : impl_->pairs) {
    for (const std::string& word : pairs->words) {
      const std::size_t equals = word.find('=');
      if (equals == std::string::npos || equals == 0)
        throw UsageError(impl_->verb, pairs->option + ": '" + shortened(word) + "' is not KEY=VALUE");
      std::pair<std::string, std::string> pair{word.substr(0, equals), word.substr(equals + 1)};
      if (std::any_of(pairs->target->begin(), pairs->target->end(), [&](const auto& p) { return p.first == pair.first; }))
        throw UsageError(impl_->verb, pairs->option + ": '" + shortened(pair.first) + "' is given twice");
      pairs->target->push_back(std::move(pair));
    }
  }
  return true;
}

}  // namespace pier::cli
