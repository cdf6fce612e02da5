#include <string>
#include <vector>

#include <sys/resource.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <pier/npy.h>

#include "cli/command.h"

namespace pier::cli_test {
namespace {

using testing::HasSubstr;

class Files : public testing::Test {
 protected:
  Files() {
    sandbox.use_fake();
    sandbox.write("m.mlir", module_text("fake.identity", "tensor<4xf32>, tensor<2xf32>", "tensor<4xf32>, tensor<2xf32>"));
    sandbox.write("x.npz", NamedArrays{{"a", Array::zeros(DType::float32, {4}), false}, {"b", Array::zeros(DType::float32, {2}), false}});
  }
  Sandbox sandbox;
};

TEST_F(Files, AreReplacedOnlyWithForce) {
  sandbox.write("p.npy", "old");
  const Finished refused = sandbox.pier({"run", "m.mlir", "-i", "x.npz", "-o", "q.npy", "p.npy"});
  EXPECT_EQ(refused.exit_code, 1);
  EXPECT_EQ(sandbox.read("p.npy"), "old");
  EXPECT_EQ(sandbox.names(), (std::vector<std::string>{"m.mlir", "p.npy", "x.npz"}));
  const Finished forced = sandbox.pier({"run", "m.mlir", "-i", "x.npz", "-o", "q.npy", "p.npy", "--force"});
  EXPECT_EQ(forced.exit_code, 0) << forced.err;
  EXPECT_EQ(load_npy(sandbox.path("p.npy")).shape(), Shape{2});
  EXPECT_EQ(sandbox.names(), (std::vector<std::string>{"m.mlir", "p.npy", "q.npy", "x.npz"}));
}

TEST_F(Files, KeepTheirOldContentWhenTheRunFails) {
  sandbox.write("p.npy", "old");
  sandbox.use_fake("fail_later=PJRT_LoadedExecutable_Execute@1:INTERNAL:broken");
  EXPECT_EQ(sandbox.pier({"run", "m.mlir", "-i", "x.npz", "-o", "q.npy", "p.npy", "--force"}).exit_code, 1);
  EXPECT_EQ(sandbox.read("p.npy"), "old");
  EXPECT_EQ(sandbox.names(), (std::vector<std::string>{"m.mlir", "p.npy", "x.npz"}));
}

TEST_F(Files, ThatAreReplacedStayLinksAndKeepTheirPermissions) {
  std::filesystem::create_directory(sandbox.path("data"));
  sandbox.write("data/p.npy", "old");
  std::filesystem::permissions(sandbox.path("data/p.npy"), static_cast<std::filesystem::perms>(0600));
  std::filesystem::create_symlink("data/p.npy", sandbox.path("p.npy"));
  std::filesystem::create_symlink("data/q.npy", sandbox.path("q.npy"));
  const Finished finished = sandbox.pier({"run", "m.mlir", "-i", "x.npz", "-o", "p.npy", "q.npy", "--force"});
  ASSERT_EQ(finished.exit_code, 0) << finished.err;
  for (const auto& [file, extent] : {std::pair{"p.npy", 4}, std::pair{"q.npy", 2}}) {
    EXPECT_TRUE(std::filesystem::is_symlink(sandbox.path(file))) << file;
    EXPECT_EQ(load_npy(sandbox.path(std::string("data/") + file)).shape(), Shape{extent});
  }
  EXPECT_EQ(std::filesystem::status(sandbox.path("data/p.npy")).permissions(), static_cast<std::filesystem::perms>(0600));
}

TEST_F(Files, HaveTheirSuffixInEitherCase) {
  const Finished finished = sandbox.pier({"run", "m.mlir", "-i", "x.npz", "-o", "Y.NPZ"});
  ASSERT_EQ(finished.exit_code, 0) << finished.err;
  EXPECT_EQ(load_arrays(sandbox.path("Y.NPZ")).size(), 2U);
}

TEST_F(Files, OfOneRunAppearTogetherOrNotAtAll) {
  // The second result does not fit under the limit on file sizes; the first one would.
  sandbox.write("m.mlir", module_text("fake.identity", "tensor<4xf32>, tensor<65536xf32>", "tensor<4xf32>, tensor<65536xf32>"));
  sandbox.write("x.npz", NamedArrays{{"a", Array::zeros(DType::float32, {4}), false}, {"b", Array::zeros(DType::float32, {65536}), false}});
  rlimit old{};
  ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &old), 0);
  rlimit small = old;
  small.rlim_cur = 64 * 1024;
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &small), 0);
  const auto previous = ::signal(SIGXFSZ, SIG_IGN);
  const Finished finished = sandbox.pier({"run", "m.mlir", "-i", "x.npz", "-o", "p.npy", "q.npy"});
  sandbox.write("old.npy", "old");
  const Finished forced = sandbox.pier({"run", "m.mlir", "-i", "x.npz", "-o", "old.npy", "q.npy", "--force"});
  ::signal(SIGXFSZ, previous);
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &old), 0);
  EXPECT_EQ(finished.exit_code, 1) << finished.err;
  EXPECT_THAT(finished.err, HasSubstr("File too large"));
  EXPECT_THAT(finished.err, HasSubstr("while writing q.npy"));
  EXPECT_EQ(forced.exit_code, 1) << forced.err;
  EXPECT_EQ(sandbox.read("old.npy"), "old");
  EXPECT_EQ(sandbox.names(), (std::vector<std::string>{"m.mlir", "old.npy", "x.npz"}));
}

TEST_F(Files, MayHaveSpacesAndOtherLettersInTheirNames) {
  std::filesystem::create_directory(sandbox.path("two words \xC3\xA9"));
  const Finished finished = sandbox.pier({"run", "m.mlir", "-i", "x.npz", "-o", "two words \xC3\xA9/all of it.npz"});
  EXPECT_EQ(finished.exit_code, 0) << finished.err;
  EXPECT_EQ(load_arrays(sandbox.path("two words \xC3\xA9/all of it.npz")).size(), 2U);
}

TEST_F(Files, GetTheModeThatTheUserAskedFor) {
  const mode_t old = ::umask(027);
  const Finished finished = sandbox.pier({"run", "m.mlir", "-i", "x.npz", "-o", "all.npz"});
  ::umask(old);
  ASSERT_EQ(finished.exit_code, 0) << finished.err;
  EXPECT_EQ(std::filesystem::status(sandbox.path("all.npz")).permissions(), static_cast<std::filesystem::perms>(0640));
}

}  // namespace
}  // namespace pier::cli_test
