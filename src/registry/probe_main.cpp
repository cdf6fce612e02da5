// pier-probe: loads a plugin on behalf of a program that must survive it. Started by pier only.
#include <cstdio>

#include <sys/socket.h>
#include <sys/stat.h>

#include "registry/probe_child.h"

int main() {
  constexpr int socket = 3;
  struct stat status {};
  if (::fstat(socket, &status) != 0 || !S_ISSOCK(status.st_mode)) {
    std::fputs("pier-probe is started by pier, to load a plugin where a crash does no harm\n", stderr);
    return 2;
  }
  pier::registry::run_probe_child(socket);
}
