#include "store/json_events.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace pier::test {
namespace {

// Writes down what it is told, one letter or value each.
class Notes : public JsonEvents {
 public:
  std::string said;
  bool boolean(bool value) override { return add(value ? "T" : "F"); }
  bool number(std::optional<std::uint64_t> value) override { return add(value ? std::to_string(*value) : "N"); }
  bool string(std::string_view value) override { return add("'" + std::string(value) + "'"); }
  bool key(std::string_view value) override { return add(std::string(value) + ":"); }
  bool start_object() override { return add("{"); }
  bool end_object() override { return add("}"); }
  bool start_array() override { return add("["); }
  bool end_array() override { return add("]"); }

 private:
  bool add(const std::string& more) {
    said += more + " ";
    return more != "'stop'";
  }
};

std::string read(std::string_view text) {
  Notes notes;
  const auto fault = read_json(text, notes);
  if (!fault) return notes.said;
  return fault->too_deep ? "too deep" : "fault at " + std::to_string(fault->position);
}

TEST(Json, IsReadInItsOrder) {
  EXPECT_EQ(read(R"( {"a" : [1, true,false ,null, "x"], "b":{}, "c":[] } )"), "{ a: [ 1 T F 'x' ] b: { } c: [ ] } ");
  EXPECT_EQ(read("\"x\""), "'x' ");
}

TEST(Json, NumbersAreWholeOrNothing) {
  EXPECT_EQ(read("[0, 18446744073709551615, 18446744073709551616, -1, 1.5, 1e3, 1E+3, -0.5e-7]"), "[ 0 18446744073709551615 N N N N N N ] ");
  for (const char* text : {"01", "-", "1.", ".5", "1e", "+1", "1e+", "0x1", "NaN"}) EXPECT_THAT(read(text), testing::StartsWith("fault")) << text;
}

TEST(Json, StringsAreDecoded) {
  EXPECT_EQ(read(R"("a\"\\\/\b\f\n\r\tz")"), "'a\"\\/\b\f\n\r\tz' ");
  EXPECT_EQ(read(R"("\u0041\u00fc\u20ac\ud83d\ude00")"), "'A\xc3\xbc\xe2\x82\xac\xf0\x9f\x98\x80' ");
  EXPECT_EQ(read("\"\xc3\xbc and \xe2\x82\xac\""), "'\xc3\xbc and \xe2\x82\xac' ");
}

TEST(Json, BrokenStringsAreRefused) {
  for (const char* text : {"\"", "\"\n\"", "\"\\", "\"\\x\"", "\"\\u12\"", "\"\\u12g4\"", "\"\\ud800\"", "\"\\ud800\\u0041\"", "\"\\udc00\"",
                           "\"\xff\"", "\"\xc3\"", "\"\xed\xa0\x80\"", "\"\\u+123\"", "\"\\u-123\""})
    EXPECT_THAT(read(text), testing::StartsWith("fault")) << text;
}

TEST(Json, TextThatIsNoneIsRefusedWhereItStopsToBe) {
  EXPECT_EQ(read(""), "fault at 0");
  EXPECT_EQ(read("[1,]"), "fault at 3");
  EXPECT_EQ(read("[1 2]"), "fault at 3");
  EXPECT_EQ(read(R"({"a" 1})"), "fault at 5");
  EXPECT_EQ(read(R"({a:1})"), "fault at 1");
  EXPECT_EQ(read(R"({"a":1,})"), "fault at 7");
  EXPECT_EQ(read("{} x"), "fault at 3");
  EXPECT_EQ(read("[1"), "fault at 2");
  EXPECT_EQ(read("tru"), "fault at 0");
  EXPECT_EQ(read("nul"), "fault at 0");
  EXPECT_EQ(read(std::string_view("[1\0]", 4)), "fault at 2");
}

TEST(Json, DepthIsBounded) {
  EXPECT_THAT(read(std::string(64, '[') + std::string(64, ']')), testing::StartsWith("["));
  EXPECT_EQ(read(std::string(65, '[')), "too deep");
  EXPECT_EQ(read(std::string(1'000'000, '[')), "too deep");
}

TEST(Json, ReadingEndsWhenNobodyWantsMore) { EXPECT_EQ(read(R"(["a", "stop", "b")"), "[ 'a' 'stop' "); }

}  // namespace
}  // namespace pier::test
