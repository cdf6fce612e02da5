// Ends with a client in a static variable, which goes after the plugin's own statics. Status 0 when the client was told of the
// exit in time, and every later use of it is refused.

#include <cstdio>
#include <optional>

#include <unistd.h>

#include <pier/client.h>
#include <pier/error.h>

namespace {

struct UsesItAtExit {
  std::optional<pier::Client> client;
  ~UsesItAtExit() {
    if (!client) return;
    try {
      client->devices();
      _exit(3);
    } catch (const pier::Error& error) {
      if (error.message() != "this process is at its exit; the plugin may be taken down already") _exit(4);
    }
  }
};

std::optional<pier::Client> kept;
UsesItAtExit user;

}  // namespace

// What a client holds is left to the system at the exit, on purpose.
extern "C" const char* __asan_default_options() { return "detect_leaks=0"; }

int main(int argc, char** argv) try {
  if (argc != 2) return 2;
  kept = pier::Client::create(pier::Plugin::load(argv[1]));
  user.client = pier::Client::create(kept->plugin());
  return kept->devices().empty() ? 5 : 0;
} catch (const pier::Error& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 1;
}
