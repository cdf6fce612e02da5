// Stands in for libcuda.so.1. STUB_CUDA: the version it says, "fail", "hang" or "crash".
#include <cstdlib>
#include <cstring>

#include <unistd.h>

extern "C" __attribute__((visibility("default"))) int cuDriverGetVersion(int* version) {
  const char* const what = std::getenv("STUB_CUDA");
  if (!what) return 1;
  if (std::strcmp(what, "fail") == 0) return 999;
  if (std::strcmp(what, "crash") == 0) std::abort();
  if (std::strcmp(what, "hang") == 0)
    for (;;) ::pause();
  *version = std::atoi(what);
  return 0;
}
