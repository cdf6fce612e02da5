#include <gmock/gmock.h>

#include <pier/error.h>
#include <pier/inspect.h>

#include "inspect/bytes.h"

namespace pier {
namespace {

using ::testing::HasSubstr;
using namespace std::string_view_literals;

std::string refusal(std::string_view content) {
  try {
    static_cast<void>(inspect(test::as_bytes(content), "plugin.so"));
  } catch (const IntegrityError& error) {
    return error.what();
  }
  return "no refusal";
}

TEST(Content, NamesAWheelAndTheCommandThatTakesIt) {
  EXPECT_THAT(refusal("PK\x03\x04rest"), HasSubstr("plugin.so is not a library: it is a zip archive (a wheel?)"));
  EXPECT_THAT(refusal("PK\x03\x04rest"), HasSubstr("pier install ID --find-links .;"));
}

TEST(Content, NamesOtherArchives) {
  EXPECT_THAT(refusal("\x1f\x8b\x08"), HasSubstr("gzip"));
  EXPECT_THAT(refusal("\x28\xb5\x2f\xfd"), HasSubstr("zstd"));
  EXPECT_THAT(refusal("\xfd" "7zXZ"), HasSubstr("xz"));
  EXPECT_THAT(refusal("BZh9"), HasSubstr("bzip2"));
  EXPECT_THAT(refusal(std::string(257, '\0') + "ustar" + std::string(50, '\0')), HasSubstr("tar archive"));
  EXPECT_THAT(refusal("!<arch>\nrest"), HasSubstr("static or import library"));
}

TEST(Content, TellsAWebPageFromOtherText) {
  EXPECT_THAT(refusal("<!DOCTYPE html><title>403</title>"), HasSubstr("web page"));
  EXPECT_THAT(refusal("\n  <HTML lang=en>"), HasSubstr("web page"));
  EXPECT_THAT(refusal("<?xml version='1.0'?><Error/>"), HasSubstr("XML"));
  EXPECT_THAT(refusal("{\"message\": \"not found\"}"), HasSubstr("JSON text ('{\"message\": \"not found\"}')"));
  EXPECT_THAT(refusal("Not Found\nmore"), HasSubstr("text file ('Not Found')"));
  EXPECT_THAT(refusal("#!/bin/sh\necho"), HasSubstr("a script ('#!/bin/sh')"));
}

TEST(Content, TellsPointersAndStubsFromTheLibraryTheyStandFor) {
  EXPECT_THAT(refusal("version https://git-lfs.github.com/spec/v1\noid sha256:1\n"), HasSubstr("git lfs pull"));
  EXPECT_THAT(refusal("/* GNU ld script */\nGROUP ( /lib/libc.so.6 )"), HasSubstr("linker script"));
  EXPECT_THAT(refusal("/* a script for\n   the linker */\nINPUT(-ltinfo)"), HasSubstr("linker script"));
  EXPECT_THAT(refusal("--- !tapi-tbd\ntbd-version: 4"), HasSubstr("stub for the linker"));
}

TEST(Content, TellsEmptyAndUnfinishedFiles) {
  EXPECT_THAT(refusal(""), HasSubstr("empty file (0 bytes)"));
  EXPECT_THAT(refusal(std::string(8192, '\0')), HasSubstr("download that was not finished"));
}

TEST(Content, TellsAJavaClassFromAUniversalFile) {
  EXPECT_THAT(refusal("\xca\xfe\xba\xbe\0\0\0\x34"sv), HasSubstr("Java class"));
  EXPECT_THAT(refusal("\xca\xfe\xba\xbe\0\0\0\x02"sv), HasSubstr("table of architectures"));
}

TEST(Content, ShowsTheFirstBytesOfUnknownData) { EXPECT_THAT(refusal("\x01\x02\x03\xff"sv),
                                                             HasSubstr("it starts with 010203ff")); }

TEST(Content, NeverCutsACharacterOfAQuotedLine) {
  std::string line(59, 'a');
  line += "\xc3\xa9\xc3\xa9";
  EXPECT_THAT(refusal(line), HasSubstr("('" + std::string(59, 'a') + "...')"));
}

TEST(Content, AMissingFileIsNotADamagedOne) {
  try {
    static_cast<void>(inspect(std::filesystem::path("no/such/plugin.so")));
    FAIL() << "inspected a file that does not exist";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::not_found);
    EXPECT_THAT(error.what(), HasSubstr("no/such/plugin.so"));
  }
}

}  // namespace
}  // namespace pier
