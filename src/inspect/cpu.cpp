#include "inspect/cpu.h"

#include <algorithm>
#include <array>
#include <fstream>
#include <sstream>

#if defined(__APPLE__)
#include <sys/sysctl.h>
#endif

#include "base/ascii.h"

namespace pier::inspection {
namespace {

std::string plain(std::string_view name) {
  std::string out;
  for (const char c : name) out += c == '.' ? '_' : lower_ascii(c);
  return out;
}

void add_words(std::string_view words, std::set<std::string>& out) {
  std::istringstream stream{std::string(words)};
  for (std::string word; stream >> word;) out.insert(plain(word));
}

#if defined(__APPLE__)
void add_from_sysctl(const char* name, std::set<std::string>& out) {
  std::array<char, 4096> value{};
  std::size_t size = value.size() - 1;
  if (sysctlbyname(name, value.data(), &size, nullptr, 0) == 0) add_words(value.data(), out);
}
#endif

}  // namespace

std::set<std::string> parse_cpuinfo(std::string_view text) {
  std::set<std::string> out;
  while (!text.empty() && out.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    const std::size_t colon = line.find(':');
    if (colon == std::string_view::npos) continue;
    // "flags" on x86, "Features" on Arm.
    if (line.starts_with("flags") || line.starts_with("Features")) add_words(line.substr(colon + 1), out);
  }
  return out;
}

std::optional<std::set<std::string>> host_cpu_features() {
  std::set<std::string> out;
#if defined(__linux__)
  // A file of /proc shows no size, so it is read as a stream; one processor's entry is enough.
  std::ifstream file("/proc/cpuinfo");
  std::string content(std::size_t{1} << 16, '\0');
  file.read(content.data(), static_cast<std::streamsize>(content.size()));
  content.resize(static_cast<std::size_t>(file.gcount()));
  out = parse_cpuinfo(content);
#elif defined(__APPLE__)
  for (const char* name : {"machdep.cpu.features", "machdep.cpu.leaf7_features", "machdep.cpu.extfeatures"})
    add_from_sysctl(name, out);
  if (out.contains("avx1_0")) out.insert("avx");
#endif
  if (out.empty()) return std::nullopt;
  return out;
}

std::vector<std::string> missing_features(const std::set<std::string>& available, const std::vector<std::string>& wanted) {
  std::vector<std::string> missing;
  for (const std::string& feature : wanted)
    if (!available.contains(plain(feature))) missing.push_back(feature);
  return missing;
}

std::vector<std::string> features_of_x86_level(int level) {
  std::vector<std::string> out;
  const auto add = [&](std::initializer_list<const char*> names) { out.insert(out.end(), names.begin(), names.end()); };
  if (level >= 2) add({"cx16", "lahf_lm", "popcnt", "sse4_1", "sse4_2", "ssse3"});
  if (level >= 3) add({"avx", "avx2", "bmi1", "bmi2", "f16c", "fma", "abm", "movbe", "xsave"});
  if (level >= 4) add({"avx512f", "avx512bw", "avx512cd", "avx512dq", "avx512vl"});
  return out;
}

}  // namespace pier::inspection
