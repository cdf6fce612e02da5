#include <cstdio>
#include <cstdlib>

// A library that ends its process while it is loaded, as some plugins do that find no device.
namespace {
[[gnu::constructor]] void end_the_process() {
  std::fputs("and to standard output\n", stdout);
  std::fputs("no device, good bye\n", stderr);
  std::exit(7);
}
}  // namespace
