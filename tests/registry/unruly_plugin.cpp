// A library that misbehaves when it is loaded. PIER_TEST_LOCK: leaves a child behind that holds a lock on that file until it is
// killed. PIER_TEST_SHOUT: prints without end, from several processes.
#include <cstdlib>

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

namespace {

void leave_a_child(const char* file) {
  int ready[2] = {};
  if (::pipe(ready) != 0) ::_exit(81);
  if (::fork() == 0) {
    const int lock = ::open(file, O_RDWR | O_CREAT, 0600);
    if (::flock(lock, LOCK_EX) != 0 || ::write(ready[1], "x", 1) != 1) ::_exit(82);
    for (;;) ::pause();
  }
  char byte = 0;
  if (::read(ready[0], &byte, 1) != 1) ::_exit(83);
}

[[noreturn]] void shout() {
  static const char noise[65536] = {};
  if (::fork() == 0) ::fork();
  for (;;)
    if (::write(1, noise, sizeof noise) < 0) ::_exit(84);
}

__attribute__((constructor)) void misbehave() {
  if (const char* const file = std::getenv("PIER_TEST_LOCK")) leave_a_child(file);
  if (std::getenv("PIER_TEST_SHOUT")) shout();
}

}  // namespace

extern "C" __attribute__((visibility("default"))) const void* GetPjrtApi() { return nullptr; }
