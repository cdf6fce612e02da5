#include <chrono>
#include <cstdio>
#include <optional>
#include <string>
#include <vector>

#include <pier/doctor.h>

#include "arguments.h"
#include "binary_report.h"
#include "base/text.h"
#include "json.h"
#include "output.h"
#include "plugin_json.h"
#include "usage.h"
#include "verb.h"

namespace pier::cli {
namespace {

// Text for people; the JSON has all of it.
constexpr std::size_t log_lines_shown = 20;

std::string last_lines(const std::string& log) {
  std::size_t start = log.size();
  for (std::size_t lines = 0; start > 0 && lines < log_lines_shown; ++lines) start = log.rfind('\n', start - 1) == std::string::npos ? 0 : log.rfind('\n', start - 1);
  return start == 0 ? log : text("[earlier lines are left out; --json has them]{}", log.substr(start));
}

std::string permissions(const FolderState& folder) {
  char out[8];
  std::snprintf(out, sizeof out, "%04o", folder.mode);
  return out;
}

std::string observations_text(std::string_view title, const std::vector<Observation>& list, std::string_view none) {
  std::string out = "\n" + bold(title) + "\n";
  if (list.empty()) return out + text("  {}\n", none);
  Table table;
  for (const Observation& seen : list) table.row({seen.what, seen.value, seen.how});
  return out + table.text(2);
}

std::string plugin_text(const PluginExamination& plugin) {
  const Candidate& candidate = plugin.plugin;
  std::string out = text("  {} {}{}{}\n", printable(candidate.id), printable(candidate.source), candidate.version.empty() ? "" : " ", printable(candidate.version));
  const auto line = [&](std::string_view what, const std::string& value) { out += text("    {}: {}\n", what, hanging(printable(value), 6)); };
  line("library", candidate.library.native());
  if (!candidate.usable) {
    line("not used", candidate.reason);
    return out;
  }
  line("device", !plugin.device_seen ? "the catalog does not know how to see it" : *plugin.device_seen ? "seen" : "none is seen on this machine");
  std::size_t found = 0;
  for (const LibraryLookup& library : plugin.libraries) found += library.path.has_value();
  line("needed libraries", text("{} of {} found", found, plugin.libraries.size()));
  for (const LibraryLookup& library : plugin.libraries) {
    std::string where = library.path ? text("{} ({})", library.path->native(), library.how) : library.optional ? "not found, and optional" : "NOT FOUND";
    if (!library.path && !library.looked_in.empty()) where += "; looked in " + join(library.looked_in);
    out += text("      {}: {}\n", printable(library.name), hanging(printable(where), 8));
  }
  for (const Finding& finding : plugin.findings) line(name(finding.severity), finding.message);
  if (plugin.probe) {
    const ProbeReport& probe = *plugin.probe;
    line("in a child process", text("loads, PJRT {}{}", to_string(probe.api_version),
                                    probe.client_created ? text("; {} of platform {} ({})", probe.devices.size() == 1 ? "1 device" : text("{} devices", probe.devices.size()), probe.platform_name,
                                                           probe.platform_version)
                                                         : "; no client was started, for no device is seen"));
  } else if (!plugin.probe_failure.empty()) {
    line("in a child process", plugin.probe_failure);
    line("it printed", plugin.probe_log.empty() ? "nothing" : "\n" + last_lines(plugin.probe_log));
  } else {
    line("in a child process", "not tried");
  }
  return out;
}

std::string as_text(const DoctorReport& report) {
  std::string out = bold("system") + "\n";
  Table system;
  for (const Observation& seen : report.system) system.row({seen.what, seen.value, seen.how});
  out += system.text(2);
  out += observations_text("hardware", report.hardware, "no accelerator on the PCI bus, no device node of one");
  out += observations_text("drivers", report.drivers, "none of an accelerator");
  out += "\n" + bold("plugins") + "\n";
  for (const PluginExamination& plugin : report.plugins) out += plugin_text(plugin);
  if (report.plugins.empty()) out += "  none; pier install cpu fetches one\n";
  out += observations_text("launcher", report.launchers, "none: one process");
  out += observations_text("package index", report.index, "none");
  out += "\n" + bold("folders") + "\n";
  Table folders;
  for (const FolderState& folder : report.folders)
    folders.row({folder.what, folder.path.native(),
                 folder.exists ? text("{} of user {}, {} in {} files{}", permissions(folder), folder.owner, bytes_text(folder.bytes), folder.files,
                                      folder.complete ? "" : " at least")
                               : "not there yet"});
  out += folders.text(2);
  out += observations_text("variables", report.variables, "none that matters");
  out += "\n" + bold("problems") + "\n";
  for (const Problem& problem : report.problems) {
    out += text("  {}: {}{}{}\n", name(problem.severity), printable(problem.plugin), problem.plugin.empty() ? "" : ": ", hanging(printable(problem.what), 4));
    out += text("    mend: {}\n", hanging(printable(problem.mend), 6));
  }
  if (report.problems.empty()) out += "  none\n";
  return out;
}

Json observations_json(const std::vector<Observation>& list) {
  Json out = Json::array();
  for (const Observation& seen : list)
    out.push(std::move(Json::object().set("what", seen.what).set("value", seen.value).set("how", Json::known(seen.how))));
  return out;
}

Json probe_json(const PluginExamination& plugin) {
  Json out = Json::object();
  if (!plugin.probe && plugin.probe_failure.empty()) return {};
  out.set("failure", Json::known(plugin.probe_failure)).set("log", plugin.probe_log);
  if (!plugin.probe) return out;
  const ProbeReport& probe = *plugin.probe;
  Json devices = Json::array();
  for (const ProbedDevice& device : probe.devices)
    devices.push(std::move(Json::object().set("id", device.id).set("kind", device.kind).set("description", device.description)));
  out.set("api_version", to_string(probe.api_version))
      .set("client_created", probe.client_created)
      .set("platform_name", Json::known(probe.platform_name))
      .set("platform_version", Json::known(probe.platform_version))
      .set("devices", std::move(devices));
  return out;
}

Json plugin_report_json(const PluginExamination& plugin) {
  Json libraries = Json::array();
  for (const LibraryLookup& library : plugin.libraries)
    libraries.push(std::move(Json::object()
                                 .set("name", library.name)
                                 .set("needed_by", library.needed_by)
                                 .set("optional", library.optional)
                                 .set("path", library.path ? Json(library.path->native()) : Json())
                                 .set("how", Json::known(library.how))
                                 .set("looked_in", Json::array_of(library.looked_in))));
  return std::move(Json::object()
                       .set("plugin", candidate_json(plugin.plugin))
                       .set("device_seen", plugin.device_seen ? Json(*plugin.device_seen) : Json())
                       .set("findings", findings_json(plugin.findings))
                       .set("libraries", std::move(libraries))
                       .set("probe", probe_json(plugin)));
}

std::string as_json(const DoctorReport& report) {
  Json plugins = Json::array();
  for (const PluginExamination& plugin : report.plugins) plugins.push(plugin_report_json(plugin));
  Json folders = Json::array();
  for (const FolderState& folder : report.folders)
    folders.push(std::move(Json::object()
                               .set("what", folder.what)
                               .set("path", folder.path.native())
                               .set("exists", folder.exists)
                               .set("mode", folder.exists ? Json(permissions(folder)) : Json())
                               .set("owner", folder.exists ? Json(folder.owner) : Json())
                               .set("bytes", folder.bytes)
                               .set("files", folder.files)
                               .set("complete", folder.complete)));
  Json problems = Json::array();
  for (const Problem& problem : report.problems)
    problems.push(std::move(Json::object()
                                .set("severity", name(problem.severity))
                                .set("plugin", Json::known(problem.plugin))
                                .set("what", problem.what)
                                .set("mend", problem.mend)));
  return Json::object()
      .set("ok", report.ok())
      .set("system", observations_json(report.system))
      .set("hardware", observations_json(report.hardware))
      .set("drivers", observations_json(report.drivers))
      .set("plugins", std::move(plugins))
      .set("launchers", observations_json(report.launchers))
      .set("index", observations_json(report.index))
      .set("folders", std::move(folders))
      .set("variables", observations_json(report.variables))
      .set("problems", std::move(problems))
      .text();
}

}  // namespace

ExitCode doctor_verb(Words words, Context&) {
  DoctorOptions options;
  std::optional<int> seconds;
  bool no_probe = false;
  bool json = false;
  Arguments arguments("doctor", "Examine this machine and its plugins, and say what mends what is wrong");
  arguments.positionals("SELECTOR", options.selectors, "Ids, labels or paths of the plugins to examine; without any: all");
  arguments.flag("--no-probe", no_probe, "Load nothing, not even in a child process");
  arguments.value("--time-limit", "SECONDS", seconds, "How long a plugin may take in its child process (30)");
  arguments.json_flag(json);
  if (!arguments.parse(words)) return ExitCode::ok;
  options.probe = !no_probe;
  if (seconds) {
    if (*seconds < 1) throw UsageError("doctor", "--time-limit: at least one second");
    options.probe_limit = std::chrono::seconds(*seconds);
  }
  const DoctorReport report = examine(options);
  print(json ? as_json(report) : as_text(report));
  return report.ok() ? ExitCode::ok : ExitCode::failure;
}

}  // namespace pier::cli
