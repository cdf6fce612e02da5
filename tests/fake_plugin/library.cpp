#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <thread>

#include "fake_plugin/report.h"
#include "fake_plugin/schedule.h"
#include "fake_plugin/script.h"
#include "fake_plugin/steering.h"
#include "fake_plugin/table.h"

namespace fake {
namespace {

/// The moments that are steered like functions but have no arguments.
void obey(FunctionId moment) {
  const Plan plan = steering().plan(moment);
  if (plan.crash) crash(*plan.crash, moment);
  if (plan.hang) hang();
}

void make_noise() {
  for (int line = 1; line <= 5; ++line) {
    std::fprintf(stderr, "fake_plugin: noise from a thread, line %d of 5\n", line);
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
}

[[gnu::constructor]] void on_load() {
  if (const char* script = std::getenv("FAKE_PJRT")) {
    if (const std::string mistake = apply_script(script); !mistake.empty()) {
      std::fprintf(stderr, "fake_plugin: FAKE_PJRT: %s\n", mistake.c_str());
      std::abort();
    }
  }
  const auto now = settings();
  if (now->noise_from_constructor) std::fputs("fake_plugin: noise from the constructor\n", stderr);
  if (now->noise_from_thread) std::thread(make_noise).detach();
  obey(constructor_moment());
}

[[gnu::destructor]] void on_exit_of_process() { write_report(); }

}  // namespace
}  // namespace fake

extern "C" __attribute__((visibility("default"))) const pier::abi::PJRT_Api* GetPjrtApi() {
  fake::obey(fake::get_api_moment());
  return fake::posed_table();
}
