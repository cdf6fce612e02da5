#include <algorithm>
#include <array>
#include <filesystem>
#include <string>
#include <vector>

#include <pier/catalog.h>
#include <pier/error.h>

#include "arguments.h"
#include "base/file.h"
#include "base/text.h"
#include "json.h"
#include "output.h"
#include "registry/catalog_check.h"
#include "registry/catalog_refresh.h"
#include "usage.h"
#include "verb.h"

namespace pier::cli {
namespace {

using registry::CheckedPin;
using registry::PinState;
using registry::Refreshed;

constexpr std::uint64_t largest_entry = 1 << 20;

CatalogEntry entry_of(const std::string& id) {
  if (auto entry = catalog_entry(id)) return std::move(*entry);
  throw Error(ErrorCode::not_found, text("the catalog has no '{}'", id)).note(text("it has: {}", join(catalog_ids())));
}

ExitCode worst(const std::vector<CheckedPin>& pins) {
  const auto any = [&](PinState state) { return std::ranges::find(pins, state, &CheckedPin::state) != pins.end(); };
  if (any(PinState::differs)) return ExitCode::integrity;
  if (any(PinState::unknown)) return ExitCode::failure;
  if (any(PinState::missing) || any(PinState::yanked)) return ExitCode::not_available;
  return any(PinState::unverified) ? ExitCode::failure : ExitCode::ok;
}

std::string line_of(const std::string& id, const CheckedPin& checked) {
  std::string line = text("{} {}: {}", id, checked.pin.file, name(checked.state));
  if (!checked.detail.empty()) line += ": " + hanging(printable(checked.detail), 2);
  return line + "\n";
}

ExitCode check(Words words) {
  std::vector<std::string> ids;
  std::string index_url;
  bool json = false;
  Arguments arguments("catalog check", "Ask the package index about every file that the catalog pins: it is there, was not withdrawn, and has the same hash and size");
  arguments.positionals("ID", ids, "Only these accelerators");
  arguments.value("--index-url", "URL", index_url, "The package index; else the one this machine is set up for");
  arguments.json_flag(json);
  if (!arguments.parse(words)) return ExitCode::ok;

  std::vector<CatalogEntry> entries;
  for (const std::string& id : ids.empty() ? catalog_ids() : ids) entries.push_back(entry_of(id));
  registry::Projects projects(index_url);
  std::vector<CheckedPin> checked;
  Json list = Json::array();
  for (const CatalogEntry& entry : entries) {
    for (const Pin& pin : registry::pins_of(entry)) {
      checked.push_back(check_pin(pin, projects));
      const CheckedPin& last = checked.back();
      if (!json) print(line_of(entry.id, last));
      list.push(std::move(Json::object().set("id", entry.id).set("package", pin.package).set("version", pin.version).set("platform", pin.platform)
                              .set("file", pin.file).set("state", name(last.state)).set("detail", Json::known(last.detail))));
    }
  }
  const auto good = static_cast<std::size_t>(std::ranges::count(checked, PinState::good, &CheckedPin::state));
  if (json) print(Json::object().set("pins", std::move(list)).set("checked", checked.size()).set("good", good).text());
  else print(text("{} of {} files are as pinned\n", good, checked.size()));
  return worst(checked);
}

std::string as_text(const Refreshed& refreshed) {
  std::string out;
  for (const registry::NewPins& newer : refreshed.newer) {
    out += text("{}: {} {} -> {}\n", refreshed.id, newer.package, newer.from, newer.to);
    for (const auto& [old_pin, new_pin] : newer.files) {
      for (const auto& [sign, pin] : {std::pair('-', &old_pin), std::pair('+', &new_pin)})
        out += text("{} file = \"{}\"\n", sign, pin->file) + text("{} size = {}\n", sign, pin->size) + text("{} sha256 = \"{}\"\n", sign, pin->sha256);
    }
  }
  for (const std::string& note : refreshed.notes) out += text("{}: note: {}\n", refreshed.id, note);
  return out;
}

Json as_json(const Refreshed& refreshed) {
  Json newer_list = Json::array();
  for (const registry::NewPins& newer : refreshed.newer) {
    Json files = Json::array();
    for (const auto& [old_pin, pin] : newer.files)
      files.push(std::move(Json::object().set("platform", pin.platform).set("file", pin.file).set("size", pin.size).set("sha256", pin.sha256)));
    newer_list.push(std::move(Json::object().set("package", newer.package).set("from", newer.from).set("to", newer.to).set("files", std::move(files))));
  }
  return std::move(Json::object().set("id", refreshed.id).set("newer", std::move(newer_list)).set("notes", Json::array_of(refreshed.notes)));
}

ExitCode refresh(Words words) {
  std::vector<std::string> ids;
  std::string index_url;
  std::string folder;
  bool json = false;
  Arguments arguments("catalog refresh", "Look for newer releases of what the catalog pins, and show the pins they would have");
  arguments.positionals("ID", ids, "Only these accelerators");
  arguments.value("--write", "FOLDER", folder, "Put the new pins into the files of this catalog folder");
  arguments.value("--index-url", "URL", index_url, "The package index; else the one this machine is set up for");
  arguments.json_flag(json);
  if (!arguments.parse(words)) return ExitCode::ok;

  registry::Projects projects(index_url);
  Json list = Json::array();
  std::size_t newer = 0;
  for (const std::string& id : ids.empty() ? catalog_ids() : ids) {
    const std::filesystem::path file = std::filesystem::path(folder) / (id + ".toml");
    const std::string toml = folder.empty() ? std::string() : read_file(file, largest_entry);
    const Refreshed refreshed = registry::refresh(folder.empty() ? entry_of(id) : parse_catalog_entry(toml, file.native()), projects);
    newer += refreshed.newer.size();
    if (!folder.empty() && !refreshed.newer.empty()) {
      AtomicFile out(file, AtomicFile::Existing::replace);
      out.write(rewritten(toml, refreshed, file.native()));
      out.commit();
    }
    if (json) list.push(as_json(refreshed));
    else print(as_text(refreshed));
  }
  if (json) print(Json::object().set("entries", std::move(list)).text());
  else if (newer == 0) print("nothing newer is there\n");
  else print("api, system, needs, member and unpacked are still those of the old packages: compare them with the new ones\n");
  return ExitCode::ok;
}

struct Action {
  std::string_view name;
  ExitCode (*run)(Words);
};

constexpr std::array actions = {Action{"check", check}, Action{"refresh", refresh}};

}  // namespace

ExitCode catalog_verb(Words words, Context&) {
  for (const Action& action : actions)
    if (!words.empty() && words.front() == action.name) return action.run(words.subspan(1));
  std::string action;
  bool json = false;
  Arguments arguments("catalog", "Compare the catalog's pins with the package index. Each action has a help of its own");
  arguments.positional("ACTION", action, Arguments::Need::required, "check: all is as pinned. refresh: show newer releases");
  arguments.json_flag(json);
  if (!arguments.parse(words)) return ExitCode::ok;
  throw UsageError("catalog", text("there is no action '{}' before its options: check or refresh", action));
}

}  // namespace pier::cli
