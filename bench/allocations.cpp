// Counts operator new for the whole process. In a file of its own: inlined beside their callers, the compiler takes malloc
// and free for a mismatch.
#include <atomic>
#include <cstdlib>
#include <new>

#include "ratio.h"

namespace {
std::atomic<std::size_t> allocation_count{0};
}

// Visible to the plugin too: both sides of a comparison then count the same plugin, and the difference is pier's.
void* operator new(std::size_t size) {
  allocation_count.fetch_add(1, std::memory_order_relaxed);
  if (void* const memory = std::malloc(size ? size : 1)) return memory;
  throw std::bad_alloc();
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }

namespace bench {

std::size_t allocations() noexcept { return allocation_count.load(std::memory_order_relaxed); }

}  // namespace bench
