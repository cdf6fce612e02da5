// A plugin that needs the second version, finds it beside itself, and says on stderr which one it got.
#include <cstdio>

extern "C" {
int companion_version();

__attribute__((visibility("default"))) const void* GetPjrtApi() {
  std::fprintf(stderr, "companion %d\n", companion_version());
  return nullptr;
}
}
