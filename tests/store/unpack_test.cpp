#include "store/unpack.h"

#include <thread>

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <pier/error.h>

#include "store/home.h"
#include "store/verify.h"

namespace pier::test {
namespace {

using testing::HasSubstr;

class TextSource : public ByteSource {
 public:
  TextSource(std::string_view text, std::size_t step) : rest_(text), step_(step) {}
  std::size_t read(std::span<std::byte> bytes) override {
    const std::size_t count = std::min({bytes.size(), rest_.size(), step_});
    std::copy_n(reinterpret_cast<const std::byte*>(rest_.data()), count, bytes.begin());
    rest_.remove_prefix(count);
    return count;
  }

 private:
  std::string_view rest_;
  std::size_t step_;
};

class Unpack : public testing::Test {
 protected:
  // All that an install does with a package's bytes.
  Unpacked unpack(std::string_view zip, const UnpackLimits& limits = {}, std::size_t step = 1 << 20) {
    root = home.path() / ("root" + std::to_string(++count_));
    std::filesystem::create_directories(root);
    TextSource source(zip, step);
    const Unpacked unpacked = unpack_zip(source, root, limits);
    write_text(home.path() / "p.whl", zip);
    const Fd fd = open_file(home.path() / "p.whl", O_RDONLY);
    check_zip_directory(fd.get(), home.path() / "p.whl", unpacked, root, limits);
    check_record(unpacked, root);
    return unpacked;
  }

  // Expects a refusal, and that nothing came to lie outside of the folder.
  std::string refusal(std::string_view zip, const UnpackLimits& limits = {}) {
    std::string message = "no error";
    try {
      unpack(zip, limits);
    } catch (const IntegrityError& error) {
      message = error.what();
    }
    for (const auto& entry : std::filesystem::directory_iterator(home.path())) {
      const std::string name = entry.path().filename().native();
      EXPECT_TRUE(name == "p.whl" || name.starts_with("root")) << name;
    }
    EXPECT_FALSE(std::filesystem::exists("/tmp/pier-escaped"));
    return message;
  }

  // A wheel whose only fault is one more member.
  std::string with_member(const std::string& name, std::string_view content = "evil", const ZipWriter::Options& options = {}) {
    ZipWriter zip;
    const std::string record = "x-1.dist-info/RECORD,,\n" + WheelBuilder::record_row("good.txt", "good") + WheelBuilder::record_row(name, content);
    zip.add("good.txt", "good");
    zip.add(name, content, options);
    zip.add("x-1.dist-info/RECORD", record);
    return zip.finish();
  }

  Home home;
  std::filesystem::path root;

 private:
  int count_ = 0;
};

TEST_F(Unpack, WritesEveryMemberWithItsFolders) {
  WheelBuilder wheel;
  wheel.file("test_plugin/lib/a.so", std::string(300'000, 'a')).file("test_plugin/lib/b.txt", "b").file("test_plugin.libs/c, \"d\".so", "c");
  wheel.file("test_plugin/empty", "");
  const Unpacked unpacked = unpack(wheel.build());
  EXPECT_EQ(unpacked.files.size(), 6u);
  EXPECT_EQ(read_text(root / "test_plugin/lib/a.so"), std::string(300'000, 'a'));
  EXPECT_EQ(read_text(root / "test_plugin.libs/c, \"d\".so"), "c");
  EXPECT_EQ(unpacked.files.at("test_plugin/lib/b.txt").size, 1u);
  EXPECT_EQ(std::filesystem::file_size(root / "test_plugin/empty"), 0u);
  EXPECT_TRUE(verify_tree(root).empty());
}

TEST_F(Unpack, IsTheSameHoweverTheBytesArrive) {
  const std::string wheel = plugin_wheel("1.0", 200'000);
  const Unpacked whole = unpack(wheel);
  for (const std::size_t step : {std::size_t{1}, std::size_t{37}, std::size_t{4096}}) {
    if (step == 1 && wheel.size() > 500'000) continue;
    const Unpacked pieces = unpack(wheel, {}, step);
    ASSERT_EQ(pieces.files.size(), whole.files.size());
    for (const auto& [path, file] : whole.files) EXPECT_EQ(pieces.files.at(path).sha256, file.sha256) << path;
  }
}

TEST_F(Unpack, ReadsSizesThatStandAfterTheData) {
  EXPECT_EQ(unpack(with_member("d.bin", std::string(100'000, 'd'), {.descriptor = true})).files.at("d.bin").size, 100'000u);
}

TEST_F(Unpack, KeepsNamesBeyondAscii) {
  unpack(with_member("b\xc3\xbc" "cher/\xe6\x9c\xac.txt", "x"));
  EXPECT_EQ(read_text(root / "b\xc3\xbc" "cher/\xe6\x9c\xac.txt"), "x");
}

TEST_F(Unpack, TakesFolderEntriesInAnyOrder) {
  ZipWriter zip;
  zip.add("a/b/f", "f");
  zip.add("a/", "", {.mode = 040755});
  zip.add("a/b/", "", {.mode = 040755});
  zip.add("empty/", "", {.mode = 040755});
  zip.add("x-1.dist-info/RECORD", WheelBuilder::record_row("a/b/f", "f") + "x-1.dist-info/RECORD,,\n");
  unpack(zip.finish());
  EXPECT_TRUE(std::filesystem::is_directory(root / "empty"));
}

TEST_F(Unpack, SanitisesModesAndObeysTheUmask) {
  const mode_t before = ::umask(022);
  unpack(with_member("tool", "#!", {.mode = 0106777}));
  const auto mode = [&](const char* name) {
    struct stat status {};
    ::stat((root / name).c_str(), &status);
    return status.st_mode & 07777;
  };
  EXPECT_EQ(mode("tool"), 0755u);
  EXPECT_EQ(mode("good.txt"), 0644u);
  ::umask(077);
  unpack(with_member("tool", "#!", {.mode = 0100777}));
  EXPECT_EQ(mode("tool"), 0700u);
  EXPECT_EQ(mode("good.txt"), 0600u);
  ::umask(before);
}

TEST_F(Unpack, RefusesNamesThatLeadOutOrMeanSomethingElse) {
  const std::pair<std::string, const char*> cases[] = {
      {"/tmp/pier-escaped", "absolute"}, {"../evil", "out of its folder"}, {"a/../../evil", "out of its folder"}, {"a/..", "out of its folder"},
      {"..", "out of its folder"}, {"a\\..\\..\\evil", "refused"}, {"C:evil", "colon"}, {"C:/evil", "colon"}, {"a/file:stream", "colon"},
      {"a//b", "empty part"}, {"./a", "'.' part"}, {"a/./b", "'.' part"}, {"a\nb", "control"}, {"a\x7f", "control"},
      {"NUL", "device"}, {"a/con.txt", "device"}, {"a/LPT1", "device"}, {"a ", "space or a dot"}, {"a./b", "space or a dot"},
      {std::string(300, 'x'), "longer than 255"}, {std::string(2000, '/'), "longer than"}, {"good.txt", "twice"},
      {"GOOD.txt", "upper and lower"}, {"good.txt/x", "which is a file"}, {"X-1.dist-info/y", "upper and lower"},
  };
  for (const auto& [name, expected] : cases) EXPECT_THAT(refusal(with_member(name)), HasSubstr(expected)) << name;
  std::string deep;
  for (int i = 0; i < 100; ++i) deep += "d/";
  EXPECT_THAT(refusal(with_member(deep + "f")), HasSubstr("folders deep"));
  EXPECT_THAT(refusal(with_member("bad\xff" "name")), testing::AnyOf(HasSubstr("UTF-8"), HasSubstr("cannot be read"), HasSubstr("cannot be converted")));
}

TEST_F(Unpack, CutsANameAtNoZeroByte) {
  EXPECT_THAT(refusal(with_member(std::string("evil\0.txt", 9))), HasSubstr("control character"));
}

TEST_F(Unpack, RefusesLinksAndDevices) {
  EXPECT_THAT(refusal(with_member("link", "/etc/passwd", {.mode = 0120777})), HasSubstr("link"));
  EXPECT_THAT(refusal(with_member("pipe", "", {.mode = 0010644})), HasSubstr("no plain file"));
  EXPECT_THAT(refusal(with_member("device", "", {.mode = 0020644})), HasSubstr("no plain file"));
  EXPECT_THAT(refusal(with_member("file", "x", {.mode = 0040755})), HasSubstr("by its mode"));
  // Through a link to the outside, and then past it.
  ZipWriter zip;
  zip.add("out", "/tmp", {.mode = 0120777});
  zip.add("out/pier-escaped", "evil");
  EXPECT_THAT(refusal(zip.finish()), HasSubstr("which is a file"));
}

TEST_F(Unpack, RefusesADirectoryThatDisagreesWithTheMembers) {
  EXPECT_THAT(refusal(with_member("a.txt", "a", {.central_name = "b.txt"})), HasSubstr("lists 'b.txt', which is not among"));
  EXPECT_THAT(refusal(with_member("a.txt", "a", {.in_central = false})), HasSubstr("lists 2 files, but 3 are in it"));
  EXPECT_THAT(refusal(with_member("a.txt", "a", {.in_stream = false})), HasSubstr("lists 'a.txt', which is not among"));
  EXPECT_THAT(refusal(with_member("a.txt", "aaaa", {.central_size_lie = 5})), HasSubstr("gives 'a.txt' 9 bytes, its member has 4"));
  EXPECT_THAT(refusal(with_member("a.txt", "aaaa", {.size_lie = 5})), HasSubstr("read 4, expected 9"));
  EXPECT_THAT(refusal(with_member("a.txt", std::string(1000, 'a'), {.size_lie = -5})), HasSubstr("read 1000, expected 995"));
  EXPECT_THAT(refusal(with_member("a.txt", std::string(1000, 'a'), {.crc_flip = 1})), HasSubstr("CRC"));
  EXPECT_THAT(refusal(with_member("a.txt") + "trailing bytes"), HasSubstr("there is none at the end of the file"));
  // A second archive behind the first: one reader sees this, another that.
  ZipWriter second;
  second.add("other.txt", "other");
  EXPECT_THAT(refusal(with_member("a.txt") + second.finish()), HasSubstr("does not reach from its start to its end"));
}

TEST_F(Unpack, RefusesEncryptedMembers) { EXPECT_THAT(refusal(with_member("e", "secret", {.encrypted = true})), HasSubstr("encrypted")); }

TEST_F(Unpack, RefusesABomb) {
  const std::string zeros(80 << 20, '\0');
  UnpackLimits limits;
  limits.ratio_free = 1 << 20;
  EXPECT_THAT(refusal(with_member("zeros", zeros), limits), HasSubstr("bomb"));
  // The size of the whole package counts where it is known: what packs best may stand first.
  limits.packed_bytes = 4 << 20;
  EXPECT_EQ(unpack(with_member("zeros", zeros), limits).files.at("zeros").size, zeros.size());
  limits.packed_bytes = 3 << 20;
  EXPECT_THAT(refusal(with_member("zeros", zeros), limits), HasSubstr("more than 20 times its size"));
  limits = {};
  limits.total_bytes = 1 << 20;
  EXPECT_THAT(refusal(with_member("zeros", zeros, {.descriptor = true}), limits), HasSubstr("more than"));
  EXPECT_THAT(refusal(with_member("zeros", zeros), limits), HasSubstr("claims"));
}

TEST_F(Unpack, RefusesTooManyMembers) {
  ZipWriter zip;
  for (int i = 0; i < 200; ++i) zip.add("f" + std::to_string(i), "x");
  UnpackLimits limits;
  limits.entries = 100;
  EXPECT_THAT(refusal(zip.finish(), limits), HasSubstr("more than 100"));
}

TEST_F(Unpack, RefusesWhatIsNoZip) {
  for (const std::string& text : {std::string(), std::string("PK"), std::string("<html><body>login</body></html>"), std::string(5000, 'x')})
    EXPECT_THAT(refusal(text), HasSubstr("is no zip archive")) << text.substr(0, 20);
}

TEST_F(Unpack, RefusesEveryTruncation) {
  const std::string wheel = WheelBuilder().file("test_plugin/a.txt", std::string(3000, 'a')).file("b", "b").build();
  for (std::size_t size = 0; size < wheel.size(); size += 7) EXPECT_THAT(refusal(std::string_view(wheel).substr(0, size)), testing::AnyOf(HasSubstr("is no zip archive"), HasSubstr("cannot be unpacked"), HasSubstr("directory is refused"))) << size;
}

TEST_F(Unpack, ComparesEveryMemberWithRecord) {
  const auto base = [] { return WheelBuilder().file("test_plugin/a.txt", "content"); };
  EXPECT_EQ(unpack(base().build()).files.size(), 3u);
  EXPECT_THAT(refusal(base().record_line("test_plugin/a.txt", WheelBuilder::record_row("test_plugin/a.txt", "Content")).build()), HasSubstr("hash"));
  EXPECT_THAT(refusal(base().record_line("test_plugin/a.txt", "").build()), HasSubstr("not listed"));
  EXPECT_THAT(refusal(base().record_line("test_plugin/b.txt", WheelBuilder::record_row("test_plugin/b.txt", "x")).build()), HasSubstr("not there"));
  EXPECT_THAT(refusal(base().record_line("test_plugin/a.txt", "test_plugin/a.txt,,\n").build()), HasSubstr("no hash"));
  EXPECT_THAT(refusal(base().record_line("test_plugin/a.txt", "test_plugin/a.txt,md5=xx,7\n").build()), HasSubstr("md5"));
  EXPECT_THAT(refusal(base().without_record().build()), HasSubstr("no RECORD"));
  EXPECT_THAT(refusal(base().file("y-1.dist-info/RECORD", "").build()), HasSubstr("two RECORD"));
  std::string row = WheelBuilder::record_row("test_plugin/a.txt", "content");
  row.replace(row.rfind('7'), 1, "8");
  EXPECT_THAT(refusal(base().record_line("test_plugin/a.txt", row).build()), HasSubstr("RECORD says 8"));
}

TEST_F(Unpack, AcceptsTheLongerHashesOfRecord) {
  Digest digest(HashKind::sha512);
  digest.update(std::as_bytes(std::span(std::string_view("content"))));
  const std::string row = "a.txt,sha512=" + to_base64url(digest.finish()) + ",7\n";
  EXPECT_NO_THROW(unpack(WheelBuilder().file("a.txt", "content").record_line("a.txt", row).build()));
  std::string wrong = row;
  wrong[15] = wrong[15] == 'A' ? 'B' : 'A';
  EXPECT_THAT(refusal(WheelBuilder().file("a.txt", "content").record_line("a.txt", wrong).build()), HasSubstr("hash"));
}

TEST_F(Unpack, VerifiesATreeAgain) {
  unpack(WheelBuilder().file("a/b.txt", "content").build());
  EXPECT_TRUE(verify_tree(root).empty());
  write_text(root / "a/b.txt", "Content");
  EXPECT_THAT(verify_tree(root).at(0), HasSubstr("a/b.txt"));
  std::filesystem::remove(root / "a/b.txt");
  EXPECT_THAT(verify_tree(root).at(0), HasSubstr("not there"));
  write_text(root / "a/b.txt", "content");
  write_text(root / "extra", "x");
  EXPECT_THAT(verify_tree(root).at(0), HasSubstr("not listed"));
  // What pier adds is passed over, and its own record counts for more than the wheel's.
  std::filesystem::remove(root / "extra");
  write_text(root / "pier-manifest.toml", "x");
  EXPECT_TRUE(verify_tree(root).empty());
  write_text(root / "pier-record.csv", WheelBuilder::record_row("a/b.txt", "content"));
  EXPECT_THAT(verify_tree(root).at(0), HasSubstr("METADATA is there but is not listed"));
}

TEST_F(Unpack, PutsTheThreadsLocaleBack) {
  const locale_t before = ::uselocale(nullptr);
  unpack(WheelBuilder().build());
  EXPECT_EQ(::uselocale(nullptr), before);
}

TEST(Spool, LetsAReaderFollowTheWriterAndTellsItToStartAnew) {
  const Home home;
  Spool spool(home.path() / "s", open_file(home.path() / "s", O_RDWR | O_CREAT, 0644));
  std::string seen;
  bool abandoned = false;
  std::thread follower([&, reader = std::make_shared<Spool::Reader>(spool)] {
    std::array<std::byte, 10> buffer{};
    try {
      while (const std::size_t got = reader->read(buffer)) seen.append(reinterpret_cast<const char*>(buffer.data()), got);
    } catch (const Abandoned&) {
      abandoned = true;
    }
  });
  const auto bytes = [](std::string_view text) { return std::as_bytes(std::span(text)); };
  spool.append(bytes("hello "));
  spool.append(bytes("world, and more"));
  spool.finish();
  follower.join();
  EXPECT_EQ(seen, "hello world, and more");
  EXPECT_FALSE(abandoned);
  EXPECT_EQ(spool.sha256(), sha256_hex("hello world, and more"));

  Spool::Reader reader(spool);
  spool.restart();
  std::array<std::byte, 10> buffer{};
  EXPECT_THROW(reader.read(buffer), Abandoned);
  spool.append(bytes("x"));
  EXPECT_EQ(spool.sha256(), sha256_hex("x"));
}

TEST(Spool, TellsWhenSomebodyElseCutsTheFileShort) {
  const Home home;
  Spool spool(home.path() / "s", open_file(home.path() / "s", O_RDWR | O_CREAT, 0644));
  spool.append(std::as_bytes(std::span(std::string_view("0123456789"))));
  Spool::Reader reader(spool);
  std::array<std::byte, 4> buffer{};
  EXPECT_EQ(reader.read(buffer), 4u);
  std::filesystem::resize_file(home.path() / "s", 2);
  try {
    reader.read(buffer);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::io);
    EXPECT_THAT(error.what(), HasSubstr("changed by another program"));
  }
}

TEST(Spool, TakesOverWhatIsThere) {
  const Home home;
  write_text(home.path() / "s", "0123456789");
  Spool spool(home.path() / "s", open_file(home.path() / "s", O_RDWR | O_CREAT, 0644));
  spool.take_over(7);
  EXPECT_EQ(spool.size(), 7u);
  spool.append(std::as_bytes(std::span(std::string_view("xyz"))));
  EXPECT_EQ(spool.sha256(), sha256_hex("0123456xyz"));
  EXPECT_EQ(read_text(home.path() / "s"), "0123456xyz");
}

TEST(FreeSpace, IsAskedForBeforeItRunsOut) {
  const Home home;
  EXPECT_NO_THROW(require_free_space(home.path(), 1));
  try {
    require_free_space(home.path(), std::uint64_t{1} << 60);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::resource_exhausted);
    EXPECT_THAT(error.what(), HasSubstr("are needed"));
    EXPECT_THAT(error.what(), HasSubstr("PIER_HOME"));
  }
}

}  // namespace
}  // namespace pier::test
