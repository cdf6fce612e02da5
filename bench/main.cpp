// Ratios of pier to raw C on one plugin, both sides in one run. Usage: pier_ratios SELECTOR [start|dispatch|transfer|compile|fetch]...
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <string>
#include <vector>

#include <pier/pier.h>

#include "rows.h"

int main(int argc, char** argv) try {
  if (argc < 2) {
    std::fprintf(stderr, "usage: pier_ratios SELECTOR [start|dispatch|transfer|compile|fetch]...\n");
    return 2;
  }
  const std::string selector = argv[1];
  std::vector<std::string> wanted(argv + 2, argv + argc);
  const auto want = [&](const char* name) { return wanted.empty() || std::find(wanted.begin(), wanted.end(), name) != wanted.end(); };
  const pier::Plugin plugin = pier::load_plugin(selector);
  const std::string library = plugin.path();
  std::printf("%s (PJRT %s)\n", std::filesystem::path(library).filename().c_str(), pier::to_string(plugin.api_version()).c_str());

  std::vector<bench::Row> rows;
  const auto add = [&](std::vector<bench::Row> more) { rows.insert(rows.end(), more.begin(), more.end()); };
  const std::string folder = std::filesystem::canonical("/proc/self/exe").parent_path().string();
  if (want("start")) add(bench::start_rows(folder, selector, library));
  if (want("dispatch")) add(bench::dispatch_rows(library));
  if (want("transfer")) add(bench::transfer_rows(library));
  if (want("compile")) add(bench::compile_rows(library));
  if (want("fetch")) add(bench::fetch_rows(folder, selector));
  bench::print(rows);
  return 0;
} catch (const pier::Error& error) {
  std::fprintf(stderr, "bench: %s\n", error.what());
  return 1;
}
