#include <cstdlib>

namespace {

[[gnu::constructor]] void on_load() { std::abort(); }

}  // namespace

extern "C" __attribute__((visibility("default"))) const void* GetPjrtApi() { return nullptr; }
