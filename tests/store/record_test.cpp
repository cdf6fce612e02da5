#include "store/record.h"

#include <gtest/gtest.h>

#include <pier/error.h>

namespace pier {
namespace {

TEST(Record, ReadsRowsWithQuotesAndEveryLineEnd) {
  const auto rows = parse_record(
      "a/b.py,sha256=AAAA,12\r\n"
      "\"with, comma and \"\"quote\"\".txt\",sha512=BBBB==,0\n"
      "x.dist-info/RECORD,,\n");
  ASSERT_EQ(rows.size(), 3u);
  EXPECT_EQ(rows[0].path, "a/b.py");
  EXPECT_EQ(rows[0].kind, HashKind::sha256);
  EXPECT_EQ(rows[0].hash, "AAAA");
  EXPECT_EQ(rows[0].size, 12u);
  EXPECT_EQ(rows[1].path, "with, comma and \"quote\".txt");
  EXPECT_EQ(rows[1].kind, HashKind::sha512);
  EXPECT_EQ(rows[1].hash, "BBBB");
  EXPECT_FALSE(rows[2].kind);
  EXPECT_FALSE(rows[2].size);
}

TEST(Record, RefusesWeakHashesRepeatsAndBrokenRows) {
  for (const char* text :
       {"a,md5=AAAA,1\n", "a,sha1=AAAA,1\n", "a,AAAA,1\n", "a,sha256=,1\n", "a,sha256=AA,1\na,sha256=AA,1\n", "a,sha256=AA\n",
        "a,sha256=AA,1,2\n", "a,sha256=AA,x\n", "a,sha256=AA,-1\n", "a,sha256=AA,99999999999999999999\n", ",sha256=AA,1\n",
        "\"a,sha256=AA,1\n", "\"a\"b,sha256=AA,1\n"})
    EXPECT_THROW(parse_record(text), IntegrityError) << text;
}

TEST(Record, NamesTheLine) {
  try {
    parse_record("a,sha256=AA,1\n\nb,md5=AA,1\n");
    FAIL();
  } catch (const IntegrityError& error) {
    EXPECT_NE(error.message().find("line 3"), std::string::npos) << error.message();
  }
}

TEST(Record, IsKnownByItsPlace) {
  EXPECT_TRUE(is_record("x-1.0.dist-info/RECORD"));
  EXPECT_FALSE(is_record("a/x-1.0.dist-info/RECORD"));
  EXPECT_FALSE(is_record("RECORD"));
  EXPECT_TRUE(is_record_signature("x-1.0.dist-info/RECORD.jws"));
  EXPECT_FALSE(is_record_signature("x-1.0.dist-info/RECORD.txt"));
}

}  // namespace
}  // namespace pier
