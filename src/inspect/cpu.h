#pragma once

#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace pier::inspection {

// The running processor's features under their names in /proc/cpuinfo ("avx2", "asimd"); nothing where the system does
// not tell. Apple's spellings are translated.
std::optional<std::set<std::string>> host_cpu_features();

// The features line of a /proc/cpuinfo text, of its first processor.
std::set<std::string> parse_cpuinfo(std::string_view text);

// Of the wanted ones, those that are not there. Case and the difference between '.' and '_' do not count.
std::vector<std::string> missing_features(const std::set<std::string>& available, const std::vector<std::string>& wanted);

// What a processor must have for an x86-64 level (x86-64 psABI, 3.1.1): level 2 to 4 with the lower ones included.
std::vector<std::string> features_of_x86_level(int level);

}  // namespace pier::inspection
