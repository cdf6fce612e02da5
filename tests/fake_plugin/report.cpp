#include "fake_plugin/report.h"

#include <unistd.h>

#include <cstdio>
#include <string>

#include "fake_plugin/control.h"
#include "fake_plugin/ledger.h"
#include "fake_plugin/steering.h"

namespace fake {
namespace {

constexpr std::string_view pid_mark = "{pid}";

std::string books() {
  const FakeLive live = ledger().live();
  std::string text;
  const auto line = [&](const char* name, std::int64_t value) {
    text += "live." + std::string(name) + " " + std::to_string(value) + "\n";
  };
  line("clients", live.clients);
  line("topologies", live.topologies);
  line("buffers", live.buffers);
  line("events", live.events);
  line("executables", live.executables);
  line("loaded_executables", live.loaded_executables);
  line("errors", live.errors);
  line("external_references", live.external_references);
  line("transfer_managers", live.transfer_managers);
  line("execute_contexts", live.execute_contexts);
  line("tracking_events", live.tracking_events);
  line("layouts", live.layouts);
  line("holders", live.holders);
  line("mappings", live.mappings);
  line("total", live.total);
  text += "violations " + std::to_string(ledger().violation_count()) + "\n";
  for (const std::string& violation : ledger().violations()) text += "violation " + violation + "\n";
  std::string calls = steering().call_report();
  for (std::size_t at = 0; at < calls.size(); at = calls.find('\n', at) + 1) calls.insert(at, "calls.");
  return text + calls;
}

}  // namespace

void write_report() noexcept {
  std::string path = settings()->report;
  if (path.empty()) return;
  if (const std::size_t at = path.find(pid_mark); at != std::string::npos) {
    path.replace(at, pid_mark.size(), std::to_string(::getpid()));
  }
  const std::string temporary = path + "." + std::to_string(::getpid());
  std::FILE* file = std::fopen(temporary.c_str(), "wb");
  if (file == nullptr) {
    std::perror("fake_plugin: report");
    return;
  }
  const std::string text = books();
  const bool written = std::fwrite(text.data(), 1, text.size(), file) == text.size();
  if (std::fclose(file) != 0 || !written || std::rename(temporary.c_str(), path.c_str()) != 0) {
    std::perror("fake_plugin: report");
  }
}

}  // namespace fake
