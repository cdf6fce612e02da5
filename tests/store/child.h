#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace pier::test {

struct ChildEnd {
  int status = -1;     // of its exit; -1 when a signal ended it
  std::string errors;  // "code: what was thrown", as it wrote it
};

// Runs store_install_child to its end: the wheel, an id, and words as they stand at its top. A process of its own, because a
// fork of one with threads may inherit their locks in any state.
ChildEnd run_install_child(const std::filesystem::path& wheel, const std::string& id, const std::vector<std::string>& words = {});

}  // namespace pier::test
