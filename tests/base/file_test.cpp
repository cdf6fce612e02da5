#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sys/resource.h>
#include <sys/stat.h>

#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstddef>
#include <fstream>
#include <thread>

#include <fcntl.h>
#if defined(__linux__)
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#endif

#include "base/file.h"
#include "base/support.h"

namespace pier {
namespace {

using Existing = AtomicFile::Existing;
using test::error_of;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr std::uint64_t plenty = 1 << 20;

void put(const std::filesystem::path& path, std::string_view content) { std::ofstream(path, std::ios::binary) << content; }

std::string get(const std::filesystem::path& path) { return read_file(path, plenty); }

TEST(ReadFile, GivesTheWholeFile) {
  const test::Folder folder;
  const std::string content("a\0b\nc", 5);
  put(folder / "f", content);
  EXPECT_EQ(get(folder / "f"), content);
  put(folder / "empty", "");
  EXPECT_EQ(get(folder / "empty"), "");
}

TEST(ReadFile, RefusesWhatIsMissingTooLargeOrNoFile) {
  const test::Folder folder;
  put(folder / "f", "12345");
  EXPECT_EQ(read_file(folder / "f", 5), "12345");
  EXPECT_THAT(error_of([&] { read_file(folder / "f", 4); }).message(), HasSubstr("has 5 bytes, more than the 4"));
  EXPECT_EQ(error_of([&] { get(folder / "none"); }).code(), ErrorCode::not_found);
  EXPECT_THAT(error_of([&] { get(folder.path()); }).message(), HasSubstr("is a folder, not a file"));
  ASSERT_EQ(::mkfifo((folder / "pipe").c_str(), 0600), 0);
  EXPECT_THAT(error_of([&] { get(folder / "pipe"); }).message(), HasSubstr("is not a regular file"));
}

TEST(ReadFile, TellsThatPermissionIsMissing) {
  const test::Folder folder;
  put(folder / "f", "secret");
  ::chmod((folder / "f").c_str(), 0);
  ::chmod(folder.path().c_str(), 0755);
  EXPECT_EQ(test::in_child([&] {
              test::lose_privileges();
              return std::string(name(error_of([&] { get(folder / "f"); }).code()));
            }),
            "permission_denied");
}

TEST(MappedFile, StaysReadableThroughItsOwner) {
  const test::Folder folder;
  put(folder / "f", "mapped");
  std::shared_ptr<const void> owner;
  std::span<const std::byte> bytes;
  {
    const MappedFile file(folder / "f");
    bytes = file.bytes();
    owner = file.owner();
  }
  std::filesystem::remove(folder / "f");
  EXPECT_EQ(std::string_view(reinterpret_cast<const char*>(bytes.data()), bytes.size()), "mapped");
}

TEST(MappedFile, OfAnEmptyFileIsEmptyAndFoldersAndPipesAreRefused) {
  const test::Folder folder;
  put(folder / "empty", "");
  EXPECT_TRUE(MappedFile(folder / "empty").bytes().empty());
  EXPECT_EQ(error_of([&] { const MappedFile file(folder.path()); }).code(), ErrorCode::io);
  ASSERT_EQ(::mkfifo((folder / "pipe").c_str(), 0600), 0);
  EXPECT_EQ(error_of([&] { const MappedFile file(folder / "pipe"); }).code(), ErrorCode::io);
}

TEST(AtomicFile, AppearsWholeAndOnlyWhenItIsCommitted) {
  const test::Folder folder;
  {
    AtomicFile file(folder / "f", Existing::refuse);
    file.write("half");
    EXPECT_FALSE(std::filesystem::exists(folder / "f"));
    // Nor anything else that would be left if the process were killed now; some file systems need a temporary.
    const auto names = folder.names();
    EXPECT_TRUE(names.empty() || (names.size() == 1 && names.front().starts_with(".pier-"))) << names.front();
    file.write(" and whole");
    file.commit();
    EXPECT_EQ(error_of([&] { file.commit(); }).code(), ErrorCode::failed_precondition);
  }
  EXPECT_EQ(get(folder / "f"), "half and whole");
  EXPECT_THAT(folder.names(), ElementsAre("f"));
}

TEST(AtomicFile, LeavesNothingWithoutACommit) {
  const test::Folder folder;
  put(folder / "old", "old");
  {
    AtomicFile fresh(folder / "f", Existing::refuse);
    AtomicFile file(folder / "old", Existing::replace);
    AtomicFile moved(std::move(file));
    moved.write("new");
    fresh.write("new");
  }
  EXPECT_THAT(folder.names(), ElementsAre("old"));
  EXPECT_EQ(get(folder / "old"), "old");
}

TEST(AtomicFile, RefusesOrReplacesWhatIsThere) {
  const test::Folder folder;
  put(folder / "f", "old");
  const Error error = error_of([&] { const AtomicFile file(folder / "f", Existing::refuse); });
  EXPECT_EQ(error.code(), ErrorCode::already_exists);
  EXPECT_THAT(error.message(), HasSubstr((folder / "f").native()));
  AtomicFile file(folder / "f", Existing::replace);
  file.write("new");
  EXPECT_EQ(get(folder / "f"), "old");
  file.commit();
  EXPECT_EQ(get(folder / "f"), "new");
}

TEST(AtomicFile, DoesNotReplaceWhatAppearedMeanwhile) {
  const test::Folder folder;
  {
    AtomicFile file(folder / "f", Existing::refuse);
    file.write("late");
    put(folder / "f", "early");
    EXPECT_EQ(error_of([&] { file.commit(); }).code(), ErrorCode::already_exists);
  }
  EXPECT_EQ(get(folder / "f"), "early");
  EXPECT_THAT(folder.names(), ElementsAre("f"));
}

TEST(AtomicFile, IsMadeByExactlyOneOfManyAtOnce) {
  const test::Folder folder;
  std::atomic<int> made = 0;
  std::atomic<int> refused = 0;
  std::vector<std::thread> threads;
  for (int i = 0; i < 16; ++i)
    threads.emplace_back([&, i] {
      try {
        AtomicFile file(folder / "f", Existing::refuse);
        file.write(std::string(1000, static_cast<char>('a' + i)));
        file.commit();
        ++made;
      } catch (const Error& error) {
        if (error.code() == ErrorCode::already_exists) ++refused;
      }
    });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(made, 1);
  EXPECT_EQ(refused, 15);
  const std::string content = get(folder / "f");
  EXPECT_EQ(content, std::string(1000, content.front()));
  EXPECT_THAT(folder.names(), ElementsAre("f"));
}

TEST(AtomicFile, IsNeverSeenHalfByReadersWhileManyReplaceIt) {
  const test::Folder folder;
  put(folder / "f", std::string(5000, 'x'));
  std::atomic<bool> stop = false;
  std::thread reader([&] {
    while (!stop) {
      const std::string content = get(folder / "f");
      EXPECT_EQ(content, std::string(5000, content.empty() ? '?' : content.front()));
    }
  });
  std::vector<std::thread> writers;
  for (int i = 0; i < 4; ++i)
    writers.emplace_back([&, i] {
      for (int round = 0; round < 20; ++round) {
        AtomicFile file(folder / "f", Existing::replace);
        file.write(std::string(2500, static_cast<char>('a' + i)));
        file.write(std::string(2500, static_cast<char>('a' + i)));
        file.commit();
      }
    });
  for (std::thread& writer : writers) writer.join();
  stop = true;
  reader.join();
  EXPECT_THAT(folder.names(), ElementsAre("f"));
}

TEST(AtomicFile, NamesTheFolderThatIsMissing) {
  const test::Folder folder;
  const Error error = error_of([&] { const AtomicFile file(folder / "no/f", Existing::replace); });
  EXPECT_EQ(error.code(), ErrorCode::not_found);
  EXPECT_EQ(error.message(), "cannot write " + (folder / "no/f").native() + ": there is no folder " + (folder / "no").native());
}

TEST(AtomicFile, TellsThatTheFolderMayNotBeWritten) {
  const test::Folder folder;
  ::chmod(folder.path().c_str(), 0555);
  EXPECT_EQ(test::in_child([&] {
              test::lose_privileges();
              return std::string(name(error_of([&] { const AtomicFile file(folder / "f", Existing::refuse); }).code()));
            }),
            "permission_denied");
  EXPECT_THAT(folder.names(), IsEmpty());
}

TEST(AtomicFile, WorksInAFolderThatMayBeWrittenAndNotRead) {
  const test::Folder folder;
  ::chmod(folder.path().c_str(), 0333);
  EXPECT_EQ(test::in_child([&] {
              test::lose_privileges();
              AtomicFile file(folder / "f", Existing::refuse);
              file.write("dropped");
              file.commit();
              return get(folder / "f");
            }),
            "dropped");
}

TEST(AtomicFile, WritesThroughASymbolicLinkAndLeavesTheLink) {
  const test::Folder folder;
  std::filesystem::create_directory(folder / "data");
  put(folder / "data/f", "old");
  std::filesystem::create_symlink("data/f", folder / "link");
  std::filesystem::create_symlink("link", folder / "second");
  std::filesystem::create_symlink("data/new", folder / "dangling");
  for (const auto& [link, content] : {std::pair{"second", "one"}, std::pair{"dangling", "two"}}) {
    AtomicFile file(folder / link, Existing::replace);
    file.write(content);
    file.commit();
  }
  EXPECT_EQ(get(folder / "data/f"), "one");
  EXPECT_EQ(get(folder / "data/new"), "two");
  EXPECT_TRUE(std::filesystem::is_symlink(folder / "second"));
  EXPECT_TRUE(std::filesystem::is_symlink(folder / "link"));
  EXPECT_TRUE(std::filesystem::is_symlink(folder / "dangling"));
}

TEST(AtomicFile, RefusesASymbolicLinkWhereNothingMayBeReplacedEvenOneToNowhere) {
  const test::Folder folder;
  std::filesystem::create_symlink("nowhere", folder / "link");
  EXPECT_EQ(error_of([&] { const AtomicFile file(folder / "link", Existing::refuse); }).code(), ErrorCode::already_exists);
  std::filesystem::create_symlink("loop", folder / "loop");
  EXPECT_EQ(error_of([&] { const AtomicFile file(folder / "loop", Existing::replace); }).code(), ErrorCode::io);
}

TEST(AtomicFile, DoesNotPutAFileInThePlaceOfAFolderAPipeOrADevice) {
  const test::Folder folder;
  std::filesystem::create_directory(folder / "d");
  ASSERT_EQ(::mkfifo((folder / "pipe").c_str(), 0600), 0);
  std::filesystem::create_symlink("/dev/null", folder / "null");
  for (const char* name : {"d", "pipe", "null"})
    for (const Existing existing : {Existing::refuse, Existing::replace})
      EXPECT_EQ(error_of([&] { const AtomicFile file(folder / name, existing); }).code(), ErrorCode::already_exists) << name;
  EXPECT_TRUE(std::filesystem::is_character_file("/dev/null"));
  EXPECT_THAT(folder.names(), ElementsAre("d", "null", "pipe"));
}

TEST(AtomicFile, KeepsThePermissionsOfWhatItReplaces) {
  const test::Folder folder;
  put(folder / "f", "secret");
  ::chmod((folder / "f").c_str(), 0600);
  AtomicFile file(folder / "f", Existing::replace);
  file.write("new secret");
  file.commit();
  struct stat status {};
  ASSERT_EQ(::stat((folder / "f").c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777u, 0600u);
}

TEST(AtomicFile, LeavesNothingWhenThereIsNoRoomForIt) {
  const test::Folder folder;
  EXPECT_EQ(test::in_child([&] {
              const rlimit limit{1000, 1000};
              ::setrlimit(RLIMIT_FSIZE, &limit);
              ::signal(SIGXFSZ, SIG_IGN);
              return std::string(name(error_of([&] {
                                        AtomicFile file(folder / "f", Existing::refuse);
                                        file.write(std::string(5000, 'x'));
                                        file.commit();
                                      }).code()));
            }),
            "resource_exhausted");
  EXPECT_THAT(folder.names(), IsEmpty());
}

#if defined(__linux__)
// From here on the process has neither links nor a rename that replaces nothing, as on a file system without them. Returns
// whether that was possible.
bool lose_links() {
#if defined(SYS_link)
  constexpr unsigned link = SYS_link;
#else
  constexpr unsigned link = SYS_linkat;
#endif
  sock_filter filter[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_renameat2, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EINVAL),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, link, 1, 0),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_linkat, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
  };
  sock_fprog program{static_cast<unsigned short>(std::size(filter)), filter};
  return ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 && ::prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}

TEST(AtomicFile, IsMadeWhereTheFileSystemHasNoLinksAndStillReplacesNothing) {
  const test::Folder folder;
  EXPECT_EQ(test::in_child([&] {
              if (!lose_links()) return std::string("no filter");
              AtomicFile file(folder / "f", Existing::refuse);
              AtomicFile late(folder / "f", Existing::refuse);
              file.write("whole");
              file.commit();
              late.write("late");
              const Error error = error_of([&] { late.commit(); });
              return get(folder / "f") + ", " + std::string(name(error.code()));
            }),
            "whole, already_exists");
  EXPECT_THAT(folder.names(), ElementsAre("f"));
}

TEST(WriteAll, SaysThatTheDiskIsFullAndWhatToDo) {
  const Fd full = open_file("/dev/full", O_WRONLY);
  const std::string content = "x";
  const Error error = error_of([&] { write_all(full.get(), std::as_bytes(std::span(content)), "/some/file"); });
  EXPECT_EQ(error.code(), ErrorCode::resource_exhausted);
  EXPECT_THAT(error.what(), HasSubstr("cannot write /some/file: No space left on device\n  free some space"));
}
#endif

TEST(ThrowErrno, MapsTheSystemsReasonsToCodes) {
  const auto code = [](int number) { return error_of([&] { throw_errno(number, "open", "/f"); }).code(); };
  EXPECT_EQ(code(ENOENT), ErrorCode::not_found);
  EXPECT_EQ(code(EACCES), ErrorCode::permission_denied);
  EXPECT_EQ(code(EPERM), ErrorCode::permission_denied);
  EXPECT_EQ(code(EROFS), ErrorCode::permission_denied);
  EXPECT_EQ(code(EEXIST), ErrorCode::already_exists);
  EXPECT_EQ(code(ENOSPC), ErrorCode::resource_exhausted);
  EXPECT_EQ(code(EMFILE), ErrorCode::resource_exhausted);
  EXPECT_EQ(code(EIO), ErrorCode::io);
  EXPECT_EQ(error_of([] { throw_errno(EACCES, "open", "/f"); }).message(), "cannot open /f: Permission denied");
}

TEST(Descriptors, AreClosedOnceAndNotInheritedByPrograms) {
  int number = -1;
  {
    Fd fd = open_file("/dev/null", O_RDONLY);
    number = fd.get();
    EXPECT_TRUE(::fcntl(number, F_GETFD) & FD_CLOEXEC);
    Fd taken(std::move(fd));
    EXPECT_FALSE(fd.valid());  // NOLINT(bugprone-use-after-move): that is the promise
    EXPECT_EQ(taken.get(), number);
    taken = Fd();
    EXPECT_EQ(::fcntl(number, F_GETFD), -1);
  }
  EXPECT_EQ(::fcntl(number, F_GETFD), -1);
}

TEST(TemporaryFolders, AreNewAndPrivateAndMakeTheirParents) {
  const test::Folder folder;
  const auto first = make_temporary_folder(folder / "a/b");
  const auto second = make_temporary_folder(folder / "a/b");
  EXPECT_NE(first, second);
  EXPECT_EQ(first.parent_path(), folder / "a/b");
  EXPECT_TRUE(first.filename().native().starts_with(".pier-"));
  struct stat status {};
  ASSERT_EQ(::stat(first.c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777u, 0700u);
  put(folder / "file", "");
  EXPECT_THROW(make_temporary_folder(folder / "file/b"), Error);
}

}  // namespace
}  // namespace pier
