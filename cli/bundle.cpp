#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include <pier/lock.h>

#include "arguments.h"
#include "base/text.h"
#include "interrupt.h"
#include "json.h"
#include "lock_report.h"
#include "output.h"
#include "progress.h"
#include "selector.h"
#include "usage.h"
#include "verb.h"

namespace pier::cli {

ExitCode bundle_verb(Words words, Context& context) {
  LockRequest request;
  InstallOptions options;
  std::string output;
  std::string lock_file;
  bool json = false;
  Arguments arguments("bundle", "Put plugins with all their packages into one file, for machines without a network");
  arguments.positionals("ID...", request.ids, "These plugins, as they are installed, else as the catalog pins them");
  arguments.required_value("-o,--output", "FILE", output, "The bundle, a .tar file; `pier sync FILE` installs it");
  arguments.values("--platform", "PLATFORM...", request.platforms, "For these machines instead of this one: linux-x86_64, macos-arm64 ...");
  arguments.value("--lock", "FILE", lock_file, "What this lock file names, instead of IDs");
  arguments.value("--index-url", "URL", options.index_url, "The package index; else the one this machine is set up for");
  arguments.values("--find-links", "PLACE...", options.find_links, "Folders, files or pages to search before the index");
  arguments.flag("--force", options.force, "Replace a file that is there");
  arguments.json_flag(json);
  if (!arguments.parse(words)) return ExitCode::ok;
  take_ids(request.ids, "bundle");
  take_platforms(request.platforms, "bundle");
  if (request.ids.empty() == lock_file.empty()) throw UsageError("bundle", "name either the IDs of plugins or a --lock file");
  if (!lock_file.empty() && !request.platforms.empty()) throw UsageError("bundle", "--platform goes with IDs, not with --lock");
  if (std::filesystem::path(output).extension() != ".tar") throw UsageError("bundle", text("-o: '{}' does not end in .tar", output));

  const InterruptGuard guard(context.json, InterruptGuard::Stop::at_check);
  const LockFile lock = lock_file.empty() ? lock_plugins(request) : read_lock(lock_file);
  {
    ProgressBar bar;
    options.progress = std::ref(bar);
    write_bundle(lock, output, options);
  }
  std::error_code ignored;
  const std::uint64_t size = std::filesystem::file_size(output, ignored);
  if (json) print(Json::object().set("file", output).set("size", size).set("plugins", lock_json(lock)).text());
  else print(lock_text(lock) + text("{}: {}; `pier sync {}` installs it\n", output, bytes_text(size), std::filesystem::path(output).filename().native()));
  return ExitCode::ok;
}

}  // namespace pier::cli
