#include <gtest/gtest.h>

#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "base/support.h"

namespace pier {
namespace {

std::string run(const std::string& command) {
  std::string out;
  FILE* const pipe = ::popen(command.c_str(), "r");
  if (pipe == nullptr) return "no pipe";
  std::array<char, 256> block;
  while (const std::size_t got = std::fread(block.data(), 1, block.size(), pipe)) out.append(block.data(), got);
  ::pclose(pipe);
  return out;
}

// A group other than the process's own that it may give its files to.
gid_t second_group() {
  std::vector<gid_t> groups(static_cast<std::size_t>(::getgroups(0, nullptr)));
  groups.resize(static_cast<std::size_t>(::getgroups(static_cast<int>(groups.size()), groups.data())));
  for (const gid_t group : groups)
    if (group != ::getgid()) return group;
  return ::getgid();
}

// A copy of the program that runs with other privileges than its caller's: as another user for root, as another group for
// everybody else.
std::filesystem::path elevated_copy(const test::Folder& folder) {
  const std::filesystem::path copy = folder / "probe";
  std::filesystem::copy_file(PIER_ENV_PROBE, copy);
  ::chmod(folder.path().c_str(), 0755);
  if (::geteuid() == 0) {
    if (::chown(copy.c_str(), 65534, 65534) != 0 || ::chmod(copy.c_str(), 04755) != 0) throw std::runtime_error("chown");
  } else {
    if (::chown(copy.c_str(), ::getuid(), second_group()) != 0 || ::chmod(copy.c_str(), 02755) != 0) throw std::runtime_error("chown");
  }
  return copy;
}

TEST(ElevatedPrivileges, HideEveryVariableFromTheProgram) {
  const test::Folder folder;
  const std::string variables = "PIER_HOME=/chosen HOME=/chosen XDG_DATA_HOME=/chosen XDG_CONFIG_DIRS=/chosen PIER_FLAG=1 ";
  EXPECT_EQ(run(variables + PIER_ENV_PROBE), "PIER_HOME=/chosen flag=1 data=/chosen/data system=/chosen/pier\n");
  const std::string elevated = run(variables + elevated_copy(folder).native());
  EXPECT_EQ(elevated.substr(0, elevated.find(" data=")), "PIER_HOME= flag=0");
  EXPECT_NE(elevated.find("system=/etc/xdg/pier"), std::string::npos) << elevated;
  EXPECT_EQ(elevated.find("/chosen"), std::string::npos) << elevated;
}

}  // namespace
}  // namespace pier
