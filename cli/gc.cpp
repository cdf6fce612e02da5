#include <string>
#include <vector>

#include <pier/versions.h>

#include "arguments.h"
#include "base/text.h"
#include "json.h"
#include "output.h"
#include "verb.h"

namespace pier::cli {

ExitCode gc_verb(Words words, Context&) {
  CollectOptions options;
  bool json = false;
  Arguments arguments("gc", "Remove what nothing needs: versions that do not count, leftovers of interrupted installs, kept downloads");
  arguments.flag("--dry-run", options.dry_run, "Only show it");
  arguments.flag("--keep-previous", options.keep_previous, "Leave the version before the current one of each plugin, for pier rollback");
  arguments.json_flag(json);
  if (!arguments.parse(words)) return ExitCode::ok;

  std::uint64_t freed = 0;
  Json list = Json::array();
  std::string out;
  for (const Garbage& garbage : collect_garbage(options)) {
    const bool goes = garbage.removed || (options.dry_run && garbage.why.empty());
    if (goes) freed += garbage.bytes;
    list.push(std::move(Json::object()
                            .set("path", garbage.path.native())
                            .set("bytes", garbage.bytes)
                            .set("what", garbage.what)
                            .set("removed", garbage.removed)
                            .set("why", Json::known(garbage.why))));
    if (goes) out += text("{} ({}, {})\n", printable(garbage.path.native()), garbage.what, bytes_text(garbage.bytes));
    else out += text("stays: {} ({}): {}\n", printable(garbage.path.native()), garbage.what, garbage.why);
  }
  out += text("{} {}\n", options.dry_run ? "to be freed:" : "freed:", bytes_text(freed));
  print(json ? Json::object().set("bytes", freed).set("dry_run", options.dry_run).set("garbage", std::move(list)).text() : out);
  return ExitCode::ok;
}

}  // namespace pier::cli
