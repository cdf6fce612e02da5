#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "file_server.h"
#include "process.h"
#include "rows.h"

namespace bench {
namespace {

namespace fs = std::filesystem;

// First word of what a command prints.
std::string word_of(const std::string& command) {
  char word[128] = {};
  std::FILE* const pipe = ::popen(command.c_str(), "r");
  if (!pipe || std::fscanf(pipe, "%127s", word) != 1 || ::pclose(pipe) != 0) {
    std::fprintf(stderr, "bench: %s failed\n", command.c_str());
    std::exit(1);
  }
  return word;
}

// A folder of its own that goes with the object.
struct Folder {
  Folder() : path((fs::temp_directory_path() / "pier-bench-XXXXXX").string()) {
    if (!::mkdtemp(path.data())) std::exit(1);
  }
  ~Folder() {
    std::error_code ignored;
    fs::remove_all(path, ignored);
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  std::string path;
};

}  // namespace

std::vector<Row> fetch_rows(const std::string& folder, const std::string& selector) {
  const pier::Inventory inventory = pier::installed_plugins();
  const auto plugin = std::find_if(inventory.plugins.begin(), inventory.plugins.end(), [&](const pier::InstalledPlugin& candidate) {
    return candidate.id == selector && candidate.origin == pier::Origin::installed;
  });
  if (plugin == inventory.plugins.end()) {
    std::fprintf(stderr, "bench: fetch wants a plugin that pier installed, and '%s' is none\n", selector.c_str());
    std::exit(1);
  }
  const Folder work;
  const std::string wheel = work.path + "/" + plugin->file;
  run_process({"sh", "-c", "cd \"$1\" && zip -q -r \"$2\" . -x pier-manifest.toml", "sh", plugin->root.string(), wheel});
  const std::string hash = word_of("sha256sum '" + wheel + "'");
  const std::string page = work.path + "/page";
  std::ofstream(page) << "<a href=\"/files/" << plugin->file << "#sha256=" << hash << "\">" << plugin->file << "</a>\n";
  const FileServer server({{"/simple/" + plugin->package + "/", page}, {"/files/" + plugin->file, wheel}});

  // Both sides write into the same file system, each round into an empty folder.
  ::setenv("XDG_DATA_HOME", (work.path + "/data").c_str(), 1);
  ::setenv("XDG_CACHE_HOME", (work.path + "/cache").c_str(), 1);
  ::unsetenv("PIER_HOME");
  ::unsetenv("PIER_OFFLINE");
  const std::string memory = work.path + "/memory";
  const std::string copy = work.path + "/copy.whl";
  const std::string target = work.path + "/target";
  const std::vector<std::string> ours = {folder + "/fetch_pier", server.url("/simple"), plugin->package, plugin->version, plugin->file,
                                         std::to_string(fs::file_size(wheel)), hash,
                                         plugin->library.lexically_relative(plugin->root).string(), plugin->platform, memory};
  std::vector<double> raw_times;
  std::vector<double> our_times;
  std::size_t largest = 0;
  const auto raw_side = [&] {
    fs::remove(copy);
    fs::remove_all(target);
    const double fetched = run_process({"curl", "-sf", "-o", copy, server.url("/files/" + plugin->file)});
    raw_times.push_back(fetched + run_process({"unzip", "-q", copy, "-d", target}));
  };
  const auto our_side = [&] {
    fs::remove_all(work.path + "/data");
    fs::remove_all(work.path + "/cache");
    our_times.push_back(run_process(ours));
    std::size_t bytes = 0;
    std::ifstream(memory) >> bytes;
    largest = std::max(largest, bytes);
  };
  for (int round = 0; round < 11; ++round) {
    if (round % 2) our_side();
    raw_side();
    if (round % 2 == 0) our_side();
  }
  Row row = from_pairs("fetch, verify and unpack, against curl + unzip", raw_times, our_times, 1.2);
  char note[96];
  std::snprintf(note, sizeof note, "package of %.1f MB; %.1f MiB of memory beyond the program", static_cast<double>(fs::file_size(wheel)) / 1e6,
                static_cast<double>(largest) / (1 << 20));
  row.note = note;
  return {row};
}

}  // namespace bench
