#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <limits>
#include <thread>
#include <utility>

#include "base/file.h"
#include "base/support.h"

namespace pier {
namespace {

using test::error_of;
using testing::HasSubstr;

// A process that holds the lock until it is killed.
class Holder {
 public:
  explicit Holder(const std::filesystem::path& path) {
    int ready[2];
    if (::pipe(ready) != 0) throw std::runtime_error("no pipe");
    pid_ = ::fork();
    if (pid_ == 0) {
      const auto lock = FileLock::try_acquire(path);
      if (!lock || ::write(ready[1], "1", 1) != 1) ::_exit(1);
      for (;;) ::pause();
    }
    ::close(ready[1]);
    char byte = 0;
    if (::read(ready[0], &byte, 1) != 1) throw std::runtime_error("the holder did not get the lock");
    ::close(ready[0]);
  }
  Holder(const Holder&) = delete;
  Holder& operator=(const Holder&) = delete;
  ~Holder() { kill(); }
  void kill() {
    if (pid_ == 0) return;
    ::kill(pid_, SIGKILL);
    ::waitpid(std::exchange(pid_, 0), nullptr, 0);
  }
  pid_t pid() const { return pid_; }

 private:
  pid_t pid_ = 0;
};

TEST(FileLock, ExcludesASecondHolderUntilTheFirstLetsGo) {
  const test::Folder folder;
  {
    const FileLock lock = FileLock::acquire(folder / "lock", 0);
    EXPECT_FALSE(FileLock::try_acquire(folder / "lock"));
    EXPECT_TRUE(FileLock::try_acquire(folder / "other"));
  }
  EXPECT_TRUE(FileLock::try_acquire(folder / "lock"));
}

TEST(FileLock, IsFreedWhenItsHolderIsKilled) {
  const test::Folder folder;
  Holder holder(folder / "lock");
  EXPECT_FALSE(FileLock::try_acquire(folder / "lock"));
  holder.kill();
  EXPECT_TRUE(FileLock::try_acquire(folder / "lock"));
}

TEST(FileLock, TellsWhoHoldsItWhenTheTimeIsUp) {
  const test::Folder folder;
  const Holder holder(folder / "lock");
  const auto start = std::chrono::steady_clock::now();
  const Error error = error_of([&] { FileLock::acquire(folder / "lock", 250); });
  const auto took = std::chrono::steady_clock::now() - start;
  EXPECT_EQ(error.code(), ErrorCode::deadline_exceeded);
  EXPECT_THAT(error.message(), HasSubstr("waited 0.25 s for the lock " + (folder / "lock").native() + ", held by process " +
                                         std::to_string(holder.pid()) + " on "));
  EXPECT_THAT(error.message(), HasSubstr(" since 20"));
  EXPECT_THAT(error.what(), HasSubstr("the lock goes with it"));
  EXPECT_GE(took, std::chrono::milliseconds(250));
  EXPECT_LT(took, std::chrono::seconds(20));
}

std::vector<std::string> told;

TEST(FileLock, TellsTheHolderOnceWhileItWaitsAndThenGetsTheLock) {
  const test::Folder folder;
  Holder holder(folder / "lock");
  const std::string pid = std::to_string(holder.pid());
  told.clear();
  std::thread end([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    holder.kill();
  });
  const FileLock lock = FileLock::acquire(folder / "lock", 60000, [](std::string_view who) { told.emplace_back(who); });
  end.join();
  ASSERT_EQ(told.size(), 1u);
  EXPECT_THAT(told.front(), testing::StartsWith("process " + pid + " on "));
  EXPECT_FALSE(FileLock::try_acquire(folder / "lock"));
}

TEST(FileLock, DoesNotTellAnythingWhenItNeedNotWait) {
  const test::Folder folder;
  told.clear();
  const FileLock lock = FileLock::acquire(folder / "lock", 0, [](std::string_view who) { told.emplace_back(who); });
  EXPECT_TRUE(told.empty());
}

TEST(FileLock, SaysPermissionAndNotBusyForAFileThatMayNotBeWritten) {
  const test::Folder folder;
  ::chmod(folder.path().c_str(), 0555);
  const std::string words = test::in_child([&] {
    test::lose_privileges();
    return std::string(error_of([&] { FileLock::acquire(folder / "lock", 60000); }).what());
  });
  EXPECT_EQ(words, "cannot write " + (folder / "lock").native() + ": Permission denied");
}

TEST(FileLock, SaysThatItsFolderIsMissing) {
  const test::Folder folder;
  EXPECT_EQ(error_of([&] { FileLock::acquire(folder / "no/lock", 60000); }).code(), ErrorCode::not_found);
  EXPECT_EQ(error_of([&] { FileLock::try_acquire(folder.path()); }).code(), ErrorCode::io);
}

TEST(FileLock, OnAFileThatWasRemovedKeepsNobodyOut) {
  const test::Folder folder;
  const FileLock old = FileLock::acquire(folder / "lock", 0);
  std::filesystem::remove(folder / "lock");
  const auto fresh = FileLock::try_acquire(folder / "lock");
  ASSERT_TRUE(fresh);
  EXPECT_FALSE(FileLock::try_acquire(folder / "lock"));
}

TEST(FileLock, TakesAnyTimeLimit) {
  const test::Folder folder;
  { const FileLock lock = FileLock::acquire(folder / "lock", std::numeric_limits<std::int64_t>::max()); }
  { const FileLock lock = FileLock::acquire(folder / "lock", std::numeric_limits<std::int64_t>::min()); }
  const auto held = FileLock::try_acquire(folder / "lock");
  EXPECT_EQ(error_of([&] { FileLock::acquire(folder / "lock", -5); }).code(), ErrorCode::deadline_exceeded);
}

TEST(FileLock, LetsOneProcessInAtATime) {
  const test::Folder folder;
  std::vector<pid_t> children;
  for (int i = 0; i < 8; ++i) {
    const pid_t child = ::fork();
    if (child == 0) {
      for (int round = 0; round < 10; ++round) {
        const FileLock lock = FileLock::acquire(folder / "lock", 60000);
        // The name can be made only while nobody else is inside.
        if (::mkdir((folder / "inside").c_str(), 0700) != 0) ::_exit(1);
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
        if (::rmdir((folder / "inside").c_str()) != 0) ::_exit(2);
      }
      ::_exit(0);
    }
    children.push_back(child);
  }
  for (const pid_t child : children) {
    int status = -1;
    ::waitpid(child, &status, 0);
    EXPECT_EQ(status, 0);
  }
}

}  // namespace
}  // namespace pier
