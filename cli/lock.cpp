#include <filesystem>
#include <string>
#include <vector>

#include <pier/lock.h>

#include "arguments.h"
#include "base/text.h"
#include "json.h"
#include "lock_report.h"
#include "output.h"
#include "selector.h"
#include "verb.h"

namespace pier::cli {

ExitCode lock_verb(Words words, Context&) {
  LockRequest request;
  std::string file = "pier.lock";
  bool json = false;
  Arguments arguments("lock", "Write down the exact packages of plugins, with their hashes, for `pier sync`");
  arguments.positionals("ID...", request.ids, "These plugins; else all that are installed, and what the file has already");
  arguments.value("-o,--output", "FILE", file, "The lock file: pier.lock");
  arguments.values("--platform", "PLATFORM...", request.platforms, "For these machines: linux-aarch64, macos-arm64 ...");
  arguments.flag("--upgrade", request.upgrade, "Take what the catalog pins now, not what is installed or was locked");
  arguments.json_flag(json);
  if (!arguments.parse(words)) return ExitCode::ok;
  take_ids(request.ids, "lock");
  take_platforms(request.platforms, "lock");

  std::error_code ignored;
  const LockFile before = std::filesystem::exists(file, ignored) ? read_lock(file) : LockFile{};
  const LockFile lock = lock_plugins(request, before);
  write_lock(lock, file);
  if (json) print(Json::object().set("file", file).set("plugins", lock_json(lock)).text());
  else print(lock_text(lock) + text("{}: {} {}\n", file, lock.plugins.size(), lock.plugins.size() == 1 ? "plugin" : "plugins"));
  return ExitCode::ok;
}

}  // namespace pier::cli
