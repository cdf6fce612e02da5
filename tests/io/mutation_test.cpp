#include <random>

#include <pier/npy.h>

#include "io/support.h"

namespace pier::io_test {
namespace {

using Read = void (*)(const Source&);

void load_npy_bytes(const Source& source) { preview(read_npy(source).array, 1000); }
void load_npz_bytes(const Source& source) {
  for (const Entry& entry : read_npz(source)) preview(entry.array, 1000);
}
void load_safetensors_bytes(const Source& source) {
  for (const Entry& entry : read_safetensors(source)) preview(entry.array, 1000);
}

struct Subject {
  const char* file;
  Read read;
};

void PrintTo(const Subject& subject, std::ostream* out) { *out << subject.file; }

class Mutation : public testing::TestWithParam<Subject> {
 protected:
  // Loads, or throws an Error that names the file; anything else fails the test. Returns whether it loaded.
  bool survives(const std::string& bytes, const std::string& what) {
    try {
      GetParam().read(source_of(bytes, "the file"));
      return true;
    } catch (const Error& error) {
      const bool named = std::string_view(error.what()).find("the file") != std::string_view::npos;
      const bool coded = error.code() == ErrorCode::integrity || error.code() == ErrorCode::invalid_argument;
      EXPECT_TRUE(named && coded) << what << ": " << error.what();
    }
    return false;
  }
  const std::string whole = content(golden(GetParam().file));
};

TEST_P(Mutation, IsRefusedWhenCutShortAnywhere) {
  ASSERT_TRUE(survives(whole, "whole"));
  for (std::size_t length = 0; length < whole.size(); ++length)
    EXPECT_FALSE(survives(whole.substr(0, length), "cut to " + std::to_string(length)));
}

TEST_P(Mutation, LoadsOrIsRefusedWithAnyByteChanged) {
  for (std::size_t at = 0; at < whole.size(); ++at) {
    for (const int flip : {0x01, 0x80, 0xFF, static_cast<int>(static_cast<unsigned char>(whole[at]))}) {
      std::string bytes = whole;
      bytes[at] = static_cast<char>(bytes[at] ^ flip);
      survives(bytes, "byte " + std::to_string(at) + " xor " + std::to_string(flip));
    }
  }
}

TEST_P(Mutation, LoadsOrIsRefusedWithSeveralBytesChanged) {
  std::mt19937 random(20240229);
  for (int round = 0; round < 3000; ++round) {
    std::string bytes = whole;
    for (int i = 0; i < 4; ++i) {
      const std::size_t at = random() % bytes.size();
      switch (random() % 4) {
        case 0: bytes[at] = static_cast<char>(random()); break;
        case 1: bytes.erase(at, random() % 5); break;
        case 2: bytes.insert(at, random() % 5, static_cast<char>(random())); break;
        default: bytes.replace(at, 4, bytes, random() % bytes.size(), 4); break;
      }
    }
    survives(bytes, "round " + std::to_string(round));
  }
}

INSTANTIATE_TEST_SUITE_P(Files, Mutation,
                         testing::Values(Subject{"fortran.npy", load_npy_bytes},
                                         Subject{"big_float64.npy", load_npy_bytes},
                                         Subject{"version_3.npy", load_npy_bytes},
                                         Subject{"deflated.npz", load_npz_bytes}, Subject{"streamed.npz", load_npz_bytes},
                                         Subject{"small.npz", load_npz_bytes}, Subject{"small_zip64.npz", load_npz_bytes},
                                         Subject{"small.safetensors", load_safetensors_bytes},
                                         Subject{"packed.safetensors", load_safetensors_bytes}));

}  // namespace
}  // namespace pier::io_test
