// Ratios of pier to raw C on one plugin, both sides in one run. Usage: pier_ratios SELECTOR [GROUP]...
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include <pier/pier.h>

#include "rows.h"

namespace {

struct Subject {
  std::string folder;  // of the programs that are started
  std::string selector;
  std::string library;
};

struct Group {
  std::string_view name;
  std::vector<bench::Row> (*rows)(const Subject&);
};

constexpr Group groups[] = {
    {"start", [](const Subject& s) { return bench::start_rows(s.folder, s.selector, s.library); }},
    {"dispatch", [](const Subject& s) { return bench::dispatch_rows(s.library); }},
    {"transfer", [](const Subject& s) { return bench::transfer_rows(s.library); }},
    {"compile", [](const Subject& s) { return bench::compile_rows(s.library); }},
    {"fetch", [](const Subject& s) { return bench::fetch_rows(s.folder, s.selector); }},
};

int usage() {
  std::string names;
  for (const Group& group : groups) names.append(names.empty() ? "" : "|").append(group.name);
  std::fprintf(stderr, "usage: pier_ratios SELECTOR [%s]...\n", names.c_str());
  return 2;
}

}  // namespace

int main(int argc, char** argv) try {
  if (argc < 2) return usage();
  const std::vector<std::string_view> wanted(argv + 2, argv + argc);
  for (const std::string_view name : wanted) {
    if (std::any_of(std::begin(groups), std::end(groups), [&](const Group& group) { return group.name == name; })) continue;
    std::fprintf(stderr, "bench: there is no group '%s'\n", std::string(name).c_str());
    return usage();
  }
  const pier::Plugin plugin = pier::load_plugin(argv[1]);
  const Subject subject{std::filesystem::canonical("/proc/self/exe").parent_path().string(), argv[1], plugin.path()};
  std::printf("%s (PJRT %s)\n", std::filesystem::path(subject.library).filename().c_str(), pier::to_string(plugin.api_version()).c_str());

  std::vector<bench::Row> rows;
  for (const Group& group : groups) {
    if (!wanted.empty() && std::find(wanted.begin(), wanted.end(), group.name) == wanted.end()) continue;
    const std::vector<bench::Row> more = group.rows(subject);
    rows.insert(rows.end(), more.begin(), more.end());
  }
  bench::print(rows);
  return 0;
} catch (const pier::Error& error) {
  std::fprintf(stderr, "bench: %s\n", error.what());
  return 1;
}
