#include <algorithm>
#include <string>
#include <vector>

#include <pier/error.h>
#include <pier/store.h>

#include "arguments.h"
#include "base/text.h"
#include "json.h"
#include "output.h"
#include "selector.h"
#include "verb.h"

namespace pier::cli {
namespace {

struct Verdict {
  InstalledPlugin plugin;
  std::vector<std::string> wrong;
};

bool is_asked_for(const std::string& id, const std::vector<std::string>& ids) {
  return ids.empty() || std::find(ids.begin(), ids.end(), id) != ids.end();
}

std::string heading(const InstalledPlugin& plugin) {
  std::string out = plugin.id;
  if (!plugin.package.empty()) out += text(" {} {}", plugin.package, plugin.version);
  return out + text(" ({}, {})", name(plugin.origin), plugin.platform);
}

std::string remedy(const InstalledPlugin& plugin) {
  switch (plugin.origin) {
    case Origin::installed: return text("pier install {} --force", plugin.id);
    case Origin::foreign: return text("pier install {} --platform {} --force", plugin.id, plugin.platform);
    default: return text("pier register {} --id {}, when the new build is the one that is wanted", plugin.library.native(), plugin.id);
  }
}

}  // namespace

ExitCode verify_verb(Words words, Context&) {
  std::vector<std::string> ids;
  bool json = false;
  Arguments arguments("verify", "Compare every file of a plugin with the hash that was recorded when it was installed or registered");
  arguments.positionals("ID...", ids, "These plugins only; else all");
  arguments.json_flag(json);
  if (!arguments.parse(words)) return ExitCode::ok;
  take_ids(ids, "verify");

  const Inventory inventory = installed_plugins();
  std::vector<Verdict> verdicts;
  std::vector<RejectedManifest> rejected;
  for (const InstalledPlugin& plugin : inventory.plugins)
    if (is_asked_for(plugin.id, ids)) verdicts.push_back({plugin, verify_plugin(plugin)});
  for (const RejectedManifest& manifest : inventory.rejected)
    if (is_asked_for(manifest.manifest.stem().native(), ids)) rejected.push_back(manifest);
  for (const std::string& id : ids) {
    const auto is_this = [&](const Verdict& verdict) { return verdict.plugin.id == id; };
    const auto is_rejected = [&](const RejectedManifest& manifest) { return manifest.manifest.stem().native() == id; };
    if (std::none_of(verdicts.begin(), verdicts.end(), is_this) && std::none_of(rejected.begin(), rejected.end(), is_rejected))
      throw Error(ErrorCode::not_available, text("no plugin '{}' is installed or registered", id)).note("pier list shows what there is");
  }

  bool all_well = rejected.empty();
  Json list = Json::array();
  std::string out;
  for (const Verdict& verdict : verdicts) {
    all_well = all_well && verdict.wrong.empty();
    list.push(std::move(Json::object()
                            .set("id", verdict.plugin.id)
                            .set("platform", verdict.plugin.platform)
                            .set("library", verdict.plugin.library.native())
                            .set("whole", verdict.wrong.empty())
                            .set("wrong", Json::array_of(verdict.wrong))));
    out += text("{}: {}\n", heading(verdict.plugin), verdict.wrong.empty() ? "whole" : "damaged");
    for (const std::string& line : verdict.wrong) out += text("  {}\n", hanging(printable(line), 4));
    if (!verdict.wrong.empty()) out += text("  mend it: {}\n", remedy(verdict.plugin));
  }
  Json broken = Json::array();
  for (const RejectedManifest& manifest : rejected) {
    broken.push(std::move(Json::object().set("manifest", manifest.manifest.native()).set("reason", manifest.reason)));
    out += text("does not count: {}: {}\n", printable(manifest.manifest.native()), hanging(printable(manifest.reason), 2));
  }
  if (out.empty()) out = "no plugin is installed or registered\n";
  print(json ? Json::object().set("whole", all_well).set("plugins", std::move(list)).set("rejected", std::move(broken)).text() : out);
  return all_well ? ExitCode::ok : ExitCode::integrity;
}

}  // namespace pier::cli
