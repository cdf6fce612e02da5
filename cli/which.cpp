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
    if (!candidate.usable && candidate.manifest.empty() && candidate.source != "catalog" && candidate.source != "path")
      log(LogLevel::warning, text("{}={} is not used: {}", candidate.source, candidate.library.native(), candidate.reason));
}

std::string as_json(const Resolution& resolution) {
  Json candidates = Json::array();
  for (const Candidate& candidate : resolution.candidates) candidates.push(candidate_json(candidate));
  Json report = Json::object();
  report.set("selector", resolution.selector);
  const Candidate* const taken = usable(resolution);
  report.set("taken", taken ? candidate_json(*taken) : Json());
  report.set("candidates", std::move(candidates)).set("places", Json::array_of(resolution.places));
  if (!taken) report.set("error", error_json(not_found_error(resolution)));
  return report.text();
}

std::string explanation(const Resolution& resolution) {
  std::string out = text("selector {}\n", printable(resolution.selector));
  if (!resolution.candidates.empty()) {
    Table table({"", "ID", "LABELS", "PRIORITY", "VERSION", "SOURCE", "LIBRARY"});
    for (const Candidate& candidate : resolution.candidates)
      table.row({candidate.taken ? "*" : "", candidate.id, join(candidate.labels), std::to_string(candidate.priority),
                 candidate.version, candidate.source, candidate.library.empty() ? "-" : candidate.library.native()});
    out += table.text();
    out += "\n" + bold("reasons") + "\n";
    for (const Candidate& candidate : resolution.candidates)
      out += text("  {} {} ({}): {}\n", candidate.taken ? "*" : "-", printable(candidate.id), printable(candidate.source),
                  hanging(printable(candidate.reason), 6));
  }
  if (!resolution.places.empty()) {
    out += "\n" + bold("looked at") + "\n";
    for (const std::string& place : resolution.places) out += text("  {}\n", hanging(printable(place), 4));
  }
  return out;
}

}  // namespace

ExitCode which_verb(Words words, Context&) {
  std::string name = "auto";
  bool explain = false;
  bool json = false;
  Arguments arguments("which", "Show which library a selector leads to; nothing is loaded or fetched");
  arguments.positional("SELECTOR", name, Arguments::Need::optional, "Id, label or path of a plugin, or auto (the default)");
  arguments.flag("--explain", explain, "Show every candidate with the reason why it was or was not taken");
  arguments.json_flag(json);
  if (!arguments.parse(words)) return ExitCode::ok;

  const Resolution resolution = resolve(parse_selector(name, "which").plugin);
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
