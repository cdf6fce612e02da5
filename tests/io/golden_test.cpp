#include <pier/npy.h>
#include <pier/npz.h>
#include <pier/safetensors.h>

#include "base/file.h"
#include "io/support.h"
#include "io/write.h"
#include "io/zip_writer.h"

namespace pier::io_test {
namespace {

// make_golden.py --check reads the same files with the libraries of their makers. With PIER_KEEP_OUTPUT=FOLDER they are
// left there, together with a .npy of each type.
const char* const checked[] = {"from_pier.npz", "from_pier_zip64.npz", "from_pier.safetensors"};

void keep(const std::filesystem::path& file) {
  if (const char* kept = std::getenv("PIER_KEEP_OUTPUT"))
    std::filesystem::copy_file(file, std::filesystem::path(kept) / file.filename(),
                               std::filesystem::copy_options::overwrite_existing);
}

NamedArrays all_arrays() {
  NamedArrays arrays;
  for (const DType type : all_dtypes()) arrays.push_back({std::string(name(type)), pattern(type, {2, 3})});
  return arrays;
}

TEST(Golden, LoadsWhatNumPySavedOfEveryType) {
  for (const DType type : all_dtypes()) {
    const Array array = load_npy(golden(std::string(name(type)) + ".npy"));
    expect_same(array.as(type), pattern(type, {2, 3}), std::string(name(type)));
  }
}

TEST(Golden, SavesTheBytesThatNumPySaves) {
  const Folder folder;
  for (const DType type : all_dtypes()) {
    // numpy.save gives this one a header that numpy.load refuses.
    if (type == DType::float8_e5m2) continue;
    const std::string file = std::string(name(type)) + ".npy";
    save_npy(folder / file, pattern(type, {2, 3}));
    EXPECT_TRUE(content(folder / file) == content(golden(file))) << file;
  }
}

TEST(Golden, SavesFloat8E5m2AsVoidWhichNumPyReads) {
  const Folder folder;
  save_npy(folder / "a.npy", pattern(DType::float8_e5m2, {2, 3}));
  EXPECT_THAT(content(golden("float8_e5m2.npy")), testing::HasSubstr("'<f1'"));
  EXPECT_EQ(load_npy(golden("float8_e5m2.npy")).dtype(), DType::float8_e5m2);
  std::string expected = content(golden("float8_e4m3fn.npy")).substr(0, 128);
  EXPECT_EQ(content(folder / "a.npy").substr(0, 128), expected);
}

TEST(Golden, SavesTheBytesThatNumPySavesOfEveryShape) {
  const Folder folder;
  const std::vector<std::pair<std::string, Shape>> shapes = {{"", {}},
                                                             {"1", {1}},
                                                             {"5", {5}},
                                                             {"0", {0}},
                                                             {"2x3", {2, 3}},
                                                             {"2x0x3", {2, 0, 3}},
                                                             {"12345x0", {12345, 0}},
                                                             {"1x2x1x2", {1, 2, 1, 2}},
                                                             {"2x1x2x1x2", {2, 1, 2, 1, 2}}};
  for (const auto& [text, shape] : shapes) {
    const std::string file = "shape_" + text + ".npy";
    expect_same(load_npy(golden(file)), pattern(DType::float32, shape), file);
    save_npy(folder / file, pattern(DType::float32, shape));
    EXPECT_TRUE(content(folder / file) == content(golden(file))) << file;
  }
}

void expect_members(const NamedArrays& arrays) {
  std::vector<std::string> names;
  for (const Entry& entry : arrays) names.push_back(entry.name);
  EXPECT_THAT(names, testing::ElementsAre("bias", "leer/ü", "order", "scalar", "weights"));
  expect_same(find(arrays, "weights"), pattern(DType::float32, {64, 8}));
  expect_same(find(arrays, "bias").as(DType::bfloat16), pattern(DType::bfloat16, {3}));
  expect_same(find(arrays, "scalar"), pattern(DType::int64, {}));
  expect_same(find(arrays, "leer/ü"), pattern(DType::boolean, {0, 2}));
  expect_same(find(arrays, "order"), pattern(DType::int16, {2, 3}));
}

TEST(Golden, LoadsWhatNumPyStored) { expect_members(load_npz(golden("stored.npz"))); }
TEST(Golden, LoadsWhatNumPyDeflated) { expect_members(load_npz(golden("deflated.npz"))); }

TEST(Golden, LoadsAMemberWrittenThroughAPipe) {
  expect_same(find(load_npz(golden("streamed.npz")), "float32"), pattern(DType::float32, {2, 3}));
}

TEST(Golden, LoadsWhatTheSafetensorsLibrarySaved) {
  const NamedArrays arrays = load_safetensors(golden("numpy.safetensors"));
  EXPECT_EQ(arrays.size(), 15u);
  EXPECT_TRUE(
      std::is_sorted(arrays.begin(), arrays.end(), [](const Entry& a, const Entry& b) { return a.name < b.name; }));
  for (const Entry& entry : arrays) {
    if (entry.name == "scalar") expect_same(entry.array, pattern(DType::float32, {}));
    else if (entry.name == "empty") expect_same(entry.array, pattern(DType::int8, {2, 0}));
    else expect_same(entry.array, pattern(parse_dtype(entry.name).value(), {2, 3}), entry.name);
  }
}

TEST(Golden, LoadsEveryTypeOfSafetensors) {
  const NamedArrays arrays = load_safetensors(golden("all_types.safetensors"));
  EXPECT_EQ(arrays.size(), 22u);
  for (const Entry& entry : arrays)
    expect_same(entry.array, pattern(parse_dtype(entry.name).value(), {2, 4}), entry.name);
}

TEST(Golden, WritesTheFilesThatTheirMakersRead) {
  const Folder folder;
  save_npz(folder / "from_pier.npz", all_arrays());
  {
    AtomicFile file(folder / "from_pier_zip64.npz", AtomicFile::Existing::refuse);
    ZipWriter writer(file, true);
    for (const Entry& entry : all_arrays()) {
      const NpyBytes bytes = npy_bytes(entry.array, false);
      const std::array parts = {std::as_bytes(std::span(bytes.header)), bytes.data()};
      writer.add(entry.name + ".npy", parts);
    }
    writer.finish();
    file.commit();
  }
  NamedArrays tensors;
  for (const Entry& entry : load_safetensors(golden("all_types.safetensors"))) tensors.push_back(entry);
  save_safetensors(folder / "from_pier.safetensors", tensors);
  for (const char* file : checked) {
    keep(folder / file);
    EXPECT_TRUE(content(folder / file) == content(golden(file))) << file;
  }
  for (const Entry& entry : all_arrays()) {
    save_npy(folder / (entry.name + ".npy"), entry.array);
    keep(folder / (entry.name + ".npy"));
  }
}

}  // namespace
}  // namespace pier::io_test
