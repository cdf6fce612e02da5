#include <pier/files.h>

#include <sys/resource.h>

#include <csignal>

#include "io/support.h"

namespace pier::io_test {
namespace {

TEST(Files, TellsFormatsByContent) {
  const Folder folder;
  const std::vector<std::pair<std::string, std::size_t>> cases = {
      {"float32.npy", 1}, {"stored.npz", 5}, {"deflated.npz", 5}, {"numpy.safetensors", 15}};
  for (const auto& [file, count] : cases) {
    for (const char* other : {"a.npy", "a.npz", "a.safetensors", "a.bin", "a"}) {
      std::filesystem::copy_file(golden(file), folder / other, std::filesystem::copy_options::overwrite_existing);
      EXPECT_EQ(load_arrays(folder / other).size(), count) << file << " as " << other;
    }
  }
}

TEST(Files, TellsASafetensorsFileWhoseLengthReadsLikeAZipMember) {
  const Folder folder;
  std::string header = R"({"x":{"dtype":"U8","shape":[2],"data_offsets":[0,2]}})";
  header.resize(0x04034b50, ' ');
  write(folder / "x.npz", safetensors(header, "ab"));
  ASSERT_EQ(content(folder / "x.npz").substr(0, 4), "PK\x03\x04");
  EXPECT_EQ(element_bytes(load_arrays(folder / "x.npz").at(0).array), "ab");
}

TEST(Files, NamesTheArrayOfANpyByItsStem) { EXPECT_EQ(load_arrays(golden("float32.npy"))[0].name, "float32"); }

TEST(Files, ListsTheKnownFormatsForAnUnknownOne) {
  const Folder folder;
  write(folder / "a.h5", "\x89HDF\r\n\x1a\n and so on");
  write(folder / "empty", "");
  expect_error([&] { load_arrays(folder / "a.h5"); }, ErrorCode::integrity,
               {"a.h5", "\\x89HDF", ".npy, .npz, .safetensors"});
  expect_error([&] { load_arrays(folder / "empty"); }, ErrorCode::integrity,
               {"empty", "0 bytes", ".npy, .npz, .safetensors"});
  expect_error([&] { save_arrays(folder / "b.h5", {}); }, ErrorCode::invalid_argument,
               {"b.h5", "'.h5'", ".npy, .npz, .safetensors"});
  expect_error([&] { save_arrays(folder / "b", {}); }, ErrorCode::invalid_argument,
               {"without a suffix", ".npy, .npz, .safetensors"});
}

TEST(Files, SuffixDecidesWhatIsSaidAboutAFileThatIsNone) {
  const Folder folder;
  for (const auto& [file, part] : std::vector<std::pair<std::string, std::string>>{
           {"a.npy", "not a .npy array"}, {"a.npz", "broken zip file"}, {"a.safetensors", "safetensors header"}}) {
    write(folder / file, "nothing of the kind, but long enough");
    expect_error([&] { load_arrays(folder / file); }, ErrorCode::integrity, {file, part});
  }
}

TEST(Files, SavesByTheSuffix) {
  const Folder folder;
  for (const char* file : {"a.npy", "a.npz", "a.safetensors", "b.NPY"}) {
    save_arrays(folder / file, {{"x", pattern(DType::float32, {2, 3})}});
    expect_same(load_arrays(folder / file)[0].array, pattern(DType::float32, {2, 3}));
  }
  EXPECT_EQ(content(folder / "a.npy").substr(0, 6), "\x93NUMPY");
  EXPECT_EQ(content(folder / "a.npz").substr(0, 4), "PK\x03\x04");
  EXPECT_EQ(content(folder / "a.safetensors")[8], '{');
}

TEST(Files, ANpyHoldsOneArrayOnly) {
  const Folder folder;
  const Array array = pattern(DType::int8, {1});
  expect_error([&] { save_arrays(folder / "a.npy", {}); }, ErrorCode::invalid_argument, {"a.npy", "one array, not 0"});
  expect_error([&] { save_arrays(folder / "a.npy", {{"x", array}, {"y", array}}); }, ErrorCode::invalid_argument,
               {"not 2", ".npz"});
  EXPECT_EQ(folder.files(), 0u);
}

// A write that the system refuses in the middle, as a full disk does.
TEST(Files, LeavesNothingBehindWhenWritingFails) {
  const Folder folder;
  rlimit before{};
  ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &before), 0);
  const auto handler = std::signal(SIGXFSZ, SIG_IGN);
  rlimit small = before;
  small.rlim_cur = 4096;
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &small), 0);
  for (const char* file : {"a.npy", "a.npz", "a.safetensors"}) {
    const Error error = error_of([&] { save_arrays(folder / file, {{"x", pattern(DType::float32, {5000})}}); });
    EXPECT_EQ(error.code(), ErrorCode::resource_exhausted) << error.what();
    EXPECT_THAT(error.what(), testing::HasSubstr((folder / file).native()));
  }
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &before), 0);
  std::signal(SIGXFSZ, handler);
  EXPECT_EQ(folder.files(), 0u);
}

}  // namespace
}  // namespace pier::io_test
