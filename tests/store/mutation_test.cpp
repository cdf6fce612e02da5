// Random damage to everything that comes from outside: nothing but the room's own errors may come of it.

#include <random>

#include <fcntl.h>
#include <gtest/gtest.h>

#include <pier/error.h>

#include "store/home.h"
#include "store/index.h"
#include "store/manifest.h"
#include "store/pip_config.h"
#include "store/record.h"
#include "store/unpack.h"
#include "store/version.h"
#include "store/wheel_name.h"

namespace pier::test {
namespace {

class Mutator {
 public:
  explicit Mutator(unsigned seed) : random_(seed) {}
  std::string damage(std::string text) {
    const int changes = 1 + below(4);
    for (int i = 0; i < changes && !text.empty(); ++i) {
      const std::size_t at = static_cast<std::size_t>(below(static_cast<int>(text.size())));
      switch (below(6)) {
        case 0: text[at] = static_cast<char>(static_cast<unsigned char>(below(256))); break;
        case 1: text[at] = static_cast<char>(static_cast<unsigned char>(text[at]) ^ (1u << below(8))); break;
        case 2: text.erase(at, static_cast<std::size_t>(1 + below(8))); break;
        case 3: text.insert(at, std::string(static_cast<std::size_t>(1 + below(8)), static_cast<char>(static_cast<unsigned char>(below(256))))); break;
        case 4: text.insert(at, text.substr(at, static_cast<std::size_t>(below(40)))); break;
        default: text.resize(at); break;
      }
    }
    return text;
  }

 private:
  int below(int limit) { return std::uniform_int_distribution<int>(0, limit - 1)(random_); }
  std::mt19937 random_;
};

class OneText : public ByteSource {
 public:
  explicit OneText(std::string_view text) : rest_(text) {}
  std::size_t read(std::span<std::byte> bytes) override {
    const std::size_t count = std::min(bytes.size(), rest_.size());
    std::copy_n(reinterpret_cast<const std::byte*>(rest_.data()), count, bytes.begin());
    rest_.remove_prefix(count);
    return count;
  }

 private:
  std::string_view rest_;
};

template <class Function>
void survive(const std::string& text, int rounds, unsigned seed, Function&& function) {
  Mutator mutator(seed);
  for (int i = 0; i < rounds; ++i) {
    const std::string damaged = mutator.damage(text);
    try {
      function(damaged);
    } catch (const Error& error) {
      ASSERT_NE(error.code(), ErrorCode::internal) << error.what();
      ASSERT_FALSE(error.message().empty());
    }
  }
}

TEST(Damage, OfAWheelIsFoundOrHarmless) {
  const Home home;
  const std::string wheel = WheelBuilder().file("test_plugin/a.txt", std::string(2000, 'a')).file("test_plugin/b.bin", "bbbb").build();
  int accepted = 0;
  int round = 0;
  survive(wheel, 1500, 1, [&](const std::string& damaged) {
    const auto root = home.path() / std::to_string(++round);
    std::filesystem::create_directories(root);
    OneText source(damaged);
    const Unpacked unpacked = unpack_zip(source, root);
    write_text(home.path() / "w.whl", damaged);
    const Fd fd = open_file(home.path() / "w.whl", O_RDONLY);
    check_zip_directory(fd.get(), home.path() / "w.whl", unpacked, root);
    check_record(unpacked, root);
    // What passes must hold the true contents: only dates, comments and the like may differ.
    EXPECT_EQ(read_text(root / "test_plugin/a.txt"), std::string(2000, 'a'));
    ++accepted;
    std::filesystem::remove_all(root);
  });
  EXPECT_LT(accepted, 700);
  for (const auto& entry : std::filesystem::directory_iterator(home.path())) {
    const std::string name = entry.path().filename().native();
    EXPECT_TRUE(name == "w.whl" || name.find_first_not_of("0123456789") == std::string::npos) << name;
  }
}

TEST(Damage, OfAManifestIsFoundOrHarmless) {
  Manifest manifest;
  manifest.plugin.id = "cpu";
  manifest.plugin.library = "/data/plugins/x.so";
  manifest.plugin.labels = {"gpu"};
  manifest.plugin.create_options = {{"a", std::int64_t{1}}, {"b", 0.5f}, {"c", std::vector<std::int64_t>{1, 2, 3}}};
  manifest.plugin.environment = {{"A", "b"}};
  survive(format_manifest(manifest, "/data/manifests/cpu.toml"), 4000, 2,
          [](const std::string& damaged) { parse_manifest(damaged, "/data/manifests/cpu.toml"); });
}

TEST(Damage, OfAnIndexPageIsFoundOrHarmless) {
  const IndexVisitor keep = [](IndexFile&& file) { ASSERT_FALSE(file.name.empty()); };
  survive(R"({"meta": {"api-version": "1.1"}, "files": [{"filename": "x-1.whl", "url": "u", "hashes": {"sha256": "aa"}, "size": 12,
    "yanked": "why", "requires-python": null}, {"filename": "y", "url": "v", "core-metadata": {"a": [1.5, -2, true]}}], "name": "x"})",
          6000, 3, [&](const std::string& damaged) { read_index_json(damaged, keep); });
  survive(R"(<!DOCTYPE html><base href="/b/"><!-- c --><a href="x-1.whl#sha256=aa&amp;b=c" data-yanked='why &#x41;'>x</a><script>s</script><a href=y>)",
          6000, 4, [&](const std::string& damaged) { read_index_html(damaged, keep); });
}

TEST(Damage, OfSmallTextsIsFoundOrHarmless) {
  survive("1!2.0.post3.dev4+a.5", 4000, 5, [](const std::string& text) {
    const auto version = Version::parse(text);
    if (version) {
      EXPECT_EQ(Version::parse(version->text()), version);
    }
  });
  survive(">=1.0,<2,!=1.5.*,~=2.2,===x", 4000, 6, [](const std::string& text) { VersionSpecifiers::parse(text); });
  survive("some_plugin-1.2-3b-cp312-abi3-manylinux_2_27_x86_64.macosx_11_0_arm64.whl", 4000, 7,
          [](const std::string& text) { parse_wheel_name(text); });
  survive("a/b.py,sha256=AAAA,12\n\"q \"\" , x\",sha512=BB,0\nx-1.dist-info/RECORD,,\n", 4000, 8,
          [](const std::string& text) { parse_record(text); });
  survive("[global]\nindex-url = x\nextra-index-url =\n  a\n  b\n[install]\ncert: y\n", 4000, 9, [](const std::string& text) {
    PipConfig config;
    config.read_text(text, "f");
  });
  survive("https://user:pw@host.example:8443/a/b?c=d#e", 2000, 10, [](const std::string& text) { redact_url(text), parse_url(text); });
}

}  // namespace
}  // namespace pier::test
