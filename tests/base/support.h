#pragma once

#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

#include <pier/error.h>

namespace test {

/// A folder of one's own that goes with the object.
class Folder {
 public:
  Folder() {
    std::string name = (std::filesystem::temp_directory_path() / "pier-test-XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) throw std::runtime_error("cannot make a folder for the test");
    path_ = name;
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  ~Folder() {
    std::error_code ignored;
    std::filesystem::permissions(path_, std::filesystem::perms::owner_all, ignored);
    std::filesystem::remove_all(path_, ignored);
  }
  const std::filesystem::path& path() const { return path_; }
  std::filesystem::path operator/(const std::string& name) const { return path_ / name; }

  /// Names in it, in order.
  std::vector<std::string> names() const {
    std::vector<std::string> out;
    for (const auto& entry : std::filesystem::directory_iterator(path_)) out.push_back(entry.path().filename().string());
    std::sort(out.begin(), out.end());
    return out;
  }

 private:
  std::filesystem::path path_;
};

/// The error that the work throws; fails the program when it throws none.
template <class Work>
pier::Error error_of(const Work& work) {
  try {
    work();
  } catch (const pier::Error& error) {
    return error;
  }
  throw std::logic_error("no pier::Error was thrown");
}

/// Runs the work in a child process and returns its words; "ended with N" when the child did not come to its end.
inline std::string in_child(const std::function<std::string()>& work) {
  int ends[2];
  if (::pipe(ends) != 0) throw std::runtime_error("no pipe");
  std::fflush(nullptr);
  const pid_t child = ::fork();
  if (child == 0) {
    std::string words;
    try {
      words = work();
    } catch (const std::exception& error) {
      words = std::string("threw ") + error.what();
    }
    if (::write(ends[1], words.data(), words.size()) != static_cast<ssize_t>(words.size())) ::_exit(9);
    ::_exit(0);
  }
  ::close(ends[1]);
  std::string words;
  char block[512];
  for (ssize_t got = 0; (got = ::read(ends[0], block, sizeof block)) > 0;) words.append(block, static_cast<std::size_t>(got));
  ::close(ends[0]);
  int status = 0;
  ::waitpid(child, &status, 0);
  return status == 0 ? words : "ended with " + std::to_string(status);
}

/// For root, to whom no file is closed: becomes the user nobody, who owns nothing.
inline void lose_privileges() {
  if (::geteuid() != 0) return;
  if (::setgid(65534) != 0 || ::setuid(65534) != 0) ::_exit(8);
}

}  // namespace test
