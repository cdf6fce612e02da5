#include <algorithm>
#include <csignal>
#include <array>
#include <cstdio>
#include <string>
#include <string_view>
#include <vector>

#include <fcntl.h>
#include <unistd.h>

#include <pier/log.h>
#include <pier/plugin.h>

#include "arguments.h"
#include "base/utf8.h"
#include "failure.h"
#include "json.h"
#include "output.h"
#include "usage.h"
#include "verb.h"

namespace pier::cli {
namespace {

struct Verb {
  std::string_view name;
  std::string_view summary;
  ExitCode (*run)(Words, Context&);
};

constexpr std::array verbs = {
    Verb{"run", "Run a program on a device", run_verb},
    Verb{"install", "Fetch a plugin, verify it and put it in place", install_verb},
    Verb{"remove", "Remove an installed plugin, or forget a registered one", remove_verb},
    Verb{"register", "Use a plugin that was built here", register_verb},
    Verb{"list", "Show the plugins on this machine", list_verb},
    Verb{"which", "Show which plugin a name leads to, and why", which_verb},
    Verb{"info", "Show what a plugin and its devices can do", info_verb},
    Verb{"verify", "Compare the files of plugins with their recorded hashes", verify_verb},
    Verb{"lock", "Write down the exact packages of plugins", lock_verb},
    Verb{"sync", "Install what a lock file or a bundle names", sync_verb},
    Verb{"bundle", "Put plugins into a file for machines without a network", bundle_verb},
    Verb{"rollback", "Use an earlier version of a plugin again", rollback_verb},
    Verb{"gc", "Remove versions and files that nothing needs", gc_verb},
    Verb{"catalog", "Compare the catalog's pins with the package index", catalog_verb},
    Verb{"doctor", "Examine this machine and its plugins, and say what mends what is wrong", doctor_verb},
};

std::string overview() {
  Table table;
  for (const Verb& verb : verbs) table.row({std::string(verb.name), std::string(verb.summary)});
  table.row({"help VERB", "Show the options of a verb"});
  return "pier: fetch, register and load PJRT plugins, and run programs on them\n\n"
         "Usage: pier VERB [OPTIONS]\n\n" +
         table.text(2) +
         "\nStart with: pier run model.mlir -i x.npy -o y.npy\n"
         "Exit codes: 0 ok, 1 failure, 2 usage, 3 not available here, 4 integrity\n";
}

const Verb& find_verb(std::string_view name) {
  const auto found = std::find_if(verbs.begin(), verbs.end(), [&](const Verb& verb) { return verb.name == name; });
  if (found != verbs.end()) return *found;
  std::vector<std::string_view> names;
  for (const Verb& verb : verbs) names.push_back(verb.name);
  names.insert(names.end(), {"help", "--version", "--help"});
  std::string message = "there is no verb '" + shortened(name) + "'";
  if (const std::string_view guess = nearest(name.substr(0, 100), names); !guess.empty())
    message += "; did you mean '" + std::string(guess) + "'?";
  throw UsageError("", message);
}

ExitCode print_version(const Context& context) {
  const std::string newest = to_string(newest_known_api());
  if (context.json) print(Json::object().set("version", PIER_VERSION).set("newest_pjrt", newest).text());
  else print(std::string("pier ") + PIER_VERSION + " (knows PJRT up to " + newest + ")\n");
  return ExitCode::ok;
}

ExitCode dispatch(const std::vector<std::string>& words, Context& context) {
  if (words.empty()) throw UsageError("", "a verb is missing");
  const std::string& first = words.front();
  const Words rest = Words(words).subspan(1);
  if (first == "--version" || first == "-V") return print_version(context);
  if (first == "help" || first == "--help" || first == "-h") {
    if (rest.empty() || rest.front().starts_with("-") || rest.front() == "help") {
      print_usage({}, overview(), context.json);
      return ExitCode::ok;
    }
    std::vector<std::string> ask = {"--help"};
    if (context.json) ask.emplace_back("--json");
    return find_verb(rest.front()).run(ask, context);
  }
  // "pier --json list" reads as naturally as "pier list --json".
  if (first == "--json" && !rest.empty() && rest.front() != first) {
    std::vector<std::string> turned(rest.begin(), rest.end());
    turned.push_back(first);
    return dispatch(turned, context);
  }
  return find_verb(first).run(rest, context);
}

// A file that is opened while one of the first three descriptors is closed would take its place, and be written to.
// Standard output is not opened for writing, so that results for nobody are an error.
void open_standard_descriptors() {
  for (int fd = 0; fd <= STDERR_FILENO; ++fd)
    if (::fcntl(fd, F_GETFD) < 0 && ::open("/dev/null", fd == STDERR_FILENO ? O_WRONLY : O_RDONLY) != fd) ::_exit(1);
}

int run(const std::vector<std::string>& words) {
  // Destroyed last: what plugins write while they are taken down is captured, too.
  Context context;
  const auto dashes = std::find(words.begin(), words.end(), "--");
  context.json = std::find(words.begin(), dashes, "--json") != dashes;
  try {
    set_log_callback([](LogLevel level, std::string_view message) {
      if (level < LogLevel::warning) return;
      const std::string kind = level == LogLevel::warning ? "pier: warning: " : "pier: error: ";
      print_error(kind + hanging(printable(message), 2) + "\n");
    });
    return static_cast<int>(dispatch(words, context));
  } catch (...) {
    return report_failure(context);
  }
}

}  // namespace
}  // namespace pier::cli

int main(int argc, char** argv) {
  pier::cli::open_standard_descriptors();
  // A limit on the size of files is an error like a full disk, not the end.
  ::signal(SIGXFSZ, SIG_IGN);
  const int code = pier::cli::run({argv + std::min(argc, 1), argv + argc});
  std::fflush(nullptr);
  // Without the exit handlers: threads of a plugin outlive its statics there, and some plugins abort over it.
  ::_exit(code);
}
