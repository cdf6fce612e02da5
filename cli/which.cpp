#include <cstdlib>
#include <string>

#include <pier/error.h>
#include <pier/log.h>
#include <pier/registry.h>

#include "arguments.h"
#include "base/text.h"
#include "failure.h"
#include "json.h"
#include "output.h"
#include "plugin_json.h"
#include "selector.h"
#include "verb.h"

namespace pier::cli {
namespace {

// A catalog entry is an answer only for `run`, which would fetch it.
const Candidate* usable(const Resolution& resolution) {
  const Candidate* const taken = resolution.taken();
  return taken && !taken->library.empty() ? taken : nullptr;
}

// Whoever sets a variable must hear that it has no effect.
void warn_of_unused(const Resolution& resolution) {
  for (const Candidate& candidate : resolution.candidates)
    if (!candidate.usable && candidate.manifest.empty() && candidate.found_in.empty() && candidate.source != "catalog" && candidate.source != "path")
      log(LogLevel::warning, text("{}={} is not used: {}", candidate.source, candidate.library.native(), candidate.reason));
}

// What the user has set for a variable, be it empty; null when it is unset and would be set.
const char* own_value(const std::string& variable) { return std::getenv(variable.c_str()); }

Json environment_json(const Candidate& candidate) {
  Json list = Json::array();
  for (const auto& [variable, value] : candidate.environment) {
    const char* const own = own_value(variable);
    list.push(std::move(Json::object().set("name", variable).set("value", own ? own : value.c_str()).set("set_by", own ? "user" : "pier")));
  }
  return list;
}

std::string as_json(const Resolution& resolution) {
  Json candidates = Json::array();
  for (const Candidate& candidate : resolution.candidates) candidates.push(candidate_json(candidate));
  Json steps = Json::array();
  for (const SearchStep& step : resolution.steps)
    steps.push(std::move(Json::object()
                             .set("name", step.name)
                             .set("looked", step.looked)
                             .set("places", Json::array_of(step.places))
                             .set("candidates", Json::array_of(step.candidates))));
  Json report = Json::object();
  report.set("selector", resolution.selector);
  const Candidate* const taken = usable(resolution);
  report.set("taken", taken ? candidate_json(*taken) : Json());
  report.set("environment", taken ? environment_json(*taken) : Json::array());
  report.set("candidates", std::move(candidates)).set("places", Json::array_of(resolution.places)).set("steps", std::move(steps));
  if (!taken) report.set("error", error_json(not_found_error(resolution)));
  return report.text();
}

std::string title_of(const std::string& step) {
  if (step == "selector") return "PIER_PLATFORM";
  if (step == "manifests") return "manifests, and what pier installed";
  if (step == "python") return "Python environments";
  if (step == "workspace") return "Bazel workspace";
  return step;
}

std::string step_text(std::size_t number, const SearchStep& step, const Resolution& resolution) {
  std::string out = text("  {}. {}\n", number, title_of(step.name));
  for (const std::size_t i : step.candidates) {
    const Candidate& candidate = resolution.candidates[i];
    const std::string what = candidate.library.empty() ? candidate.package : candidate.library.native();
    out += text("     {} {}{}{}{}{}: {}\n", candidate.taken ? "*" : "-", printable(candidate.id), candidate.version.empty() ? "" : " ",
                printable(candidate.version), what.empty() ? "" : " ", printable(what), hanging(printable(candidate.reason), 9));
  }
  for (const std::string& place : step.places) out += text("     {}\n", hanging(printable(place), 7));
  if (step.candidates.empty() && step.places.empty()) out += "     nothing to look at for this selector\n";
  return out;
}

std::string settings_text(const Candidate& taken) {
  std::string out;
  if (!taken.environment.empty()) {
    out += "\n" + bold("environment, set before it is loaded") + "\n";
    for (const auto& [variable, value] : taken.environment) {
      if (const char* const own = own_value(variable))
        out += text("  {}={}   (yours stays; pier would set {})\n", variable, hanging(printable(own), 4), hanging(printable(value), 4));
      else out += text("  {}={}\n", variable, hanging(printable(value), 4));
    }
  }
  if (!taken.create_options.empty()) {
    out += "\n" + bold("create options of its client") + "\n";
    for (const auto& [option, value] : taken.create_options) out += text("  {}={}\n", printable(option), hanging(printable(to_string(value)), 4));
  }
  return out;
}

std::string explanation(const Resolution& resolution) {
  std::string out = text("selector {}\n", printable(resolution.selector));
  if (!resolution.candidates.empty()) {
    Table table({"", "ID", "LABELS", "PRIORITY", "VERSION", "SOURCE", "LIBRARY"});
    for (const Candidate& candidate : resolution.candidates)
      table.row({candidate.taken ? "*" : "", candidate.id, join(candidate.labels), std::to_string(candidate.priority),
                 candidate.version, candidate.source, candidate.library.empty() ? "-" : candidate.library.native()});
    out += table.text();
  }
  out += "\n" + bold("looked at") + "\n";
  for (std::size_t i = 0; i < resolution.steps.size(); ++i) out += step_text(i + 1, resolution.steps[i], resolution);
  if (const Candidate* const taken = resolution.taken()) out += settings_text(*taken);
  return out;
}

}  // namespace

ExitCode which_verb(Words words, Context&) {
  std::string name = "auto";
  bool explain = false;
  bool json = false;
  Arguments arguments("which", "Show which library a selector leads to; nothing is loaded or fetched");
  arguments.positional("SELECTOR", name, Arguments::Need::optional, "Id, label or path of a plugin, or auto (the default)");
  arguments.flag("--explain", explain, "Show every place that was looked at, and why each candidate was or was not taken");
  arguments.json_flag(json);
  if (!arguments.parse(words)) return ExitCode::ok;

  const std::string selector = parse_selector(name, "which").plugin;
  const bool everything = explain || json;
  Resolution resolution = resolve(selector, everything ? SearchDepth::everything : SearchDepth::until_found);
  // Whoever gets no answer is told all that there is.
  if (!everything && !usable(resolution)) resolution = resolve(selector);
  const Candidate* const taken = usable(resolution);
  if (json) {
    print(as_json(resolution));
    if (taken) return ExitCode::ok;
    const Error error = not_found_error(resolution);
    print_error(error_text(error));
    return exit_code_of(error.code());
  }
  if (explain) print(explanation(resolution));
  if (!taken) throw not_found_error(resolution);
  if (!explain) warn_of_unused(resolution);
  if (!explain) print(taken->library.native() + "\n");
  return ExitCode::ok;
}

}  // namespace pier::cli
