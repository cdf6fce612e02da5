#include "abi/named_value.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <pier/error.h>
#include <pier/log.h>

#include <cstring>
#include <limits>

#include "abi/fake_table.h"

namespace pier::abi {
namespace {

using ::testing::HasSubstr;

constexpr std::string_view function = "PJRT_Plugin_Attributes";

const Table& table() {
  static const fake::PluginTable plugin(81);
  static const Table table(plugin.get(), "libx.so");
  return table;
}

PJRT_NamedValue number(const char* name, std::int64_t value) {
  PJRT_NamedValue out;
  out.name = name;
  out.name_size = std::strlen(name);
  out.type = PJRT_NamedValue_kInt64;
  out.int64_value = value;
  out.value_size = 1;
  return out;
}

std::string refusal(const PJRT_NamedValue* values, std::size_t count) {
  try {
    read_named_values(table(), values, count, function);
  } catch (const Error& error) {
    EXPECT_EQ(error.function(), function);
    EXPECT_EQ(error.plugin(), "libx.so (PJRT 0.81)");
    EXPECT_THAT(error.what(), HasSubstr("The plugin is at fault"));
    return error.what();
  }
  ADD_FAILURE() << "nothing was refused";
  return {};
}

TEST(NamedValues, CarriesEveryTypeThereAndBack) {
  const Attributes attributes = {{"bool", true},
                                 {"off", false},
                                 {"float", 0.75f},
                                 {"int", std::numeric_limits<std::int64_t>::min()},
                                 {"list", std::vector<std::int64_t>{1, -2, 3}},
                                 {"no list", std::vector<std::int64_t>{}},
                                 {"text", std::string("with\0zero", 9)},
                                 {"no text", std::string()}};
  const NamedValues values(attributes);
  ASSERT_EQ(values.size(), attributes.size());
  for (std::size_t i = 0; i < values.size(); ++i) EXPECT_EQ(values.data()[i].struct_size, 56u);
  EXPECT_EQ(read_named_values(table(), values.data(), values.size(), function), attributes);
}

TEST(NamedValues, ReadsNothingOfNothing) { EXPECT_TRUE(read_named_values(table(), nullptr, 0, function).empty()); }

TEST(NamedValues, StepsByTheSizeThatValuesSay) {
  struct Larger {
    PJRT_NamedValue known;
    std::int64_t more = 99;
  } values[2];
  values[0].known = number("a", 1);
  values[1].known = number("b", 2);
  values[0].known.struct_size = values[1].known.struct_size = sizeof(Larger);
  const Attributes read = read_named_values(table(), &values[0].known, 2, function);
  EXPECT_EQ(read, (Attributes{{"a", std::int64_t{1}}, {"b", std::int64_t{2}}}));
}

TEST(NamedValues, RefusesSizesThatNoValueHas) {
  for (const std::size_t size : {std::size_t{0}, std::size_t{55}, std::size_t{5000}, SIZE_MAX}) {
    PJRT_NamedValue value = number("a", 1);
    value.struct_size = size;
    EXPECT_THAT(refusal(&value, 1), HasSubstr(std::to_string(size)));
  }
  PJRT_NamedValue values[] = {number("a", 1), number("b", 2)};
  values[1].struct_size = 48;
  EXPECT_THAT(refusal(values, 2), HasSubstr("attribute 1"));
}

TEST(NamedValues, RefusesPromisesThatAreNotKept) {
  EXPECT_THAT(refusal(nullptr, 3), HasSubstr("3 attributes"));
  PJRT_NamedValue value = number("a", 1);
  EXPECT_THAT(refusal(&value, SIZE_MAX), HasSubstr("attributes"));

  PJRT_NamedValue text = value;
  text.type = PJRT_NamedValue_kString;
  text.string_value = nullptr;
  text.value_size = 4;
  EXPECT_THAT(refusal(&text, 1), HasSubstr("text of attribute 0 is null"));
  text.string_value = "abc";
  text.value_size = SIZE_MAX;
  EXPECT_THAT(refusal(&text, 1), HasSubstr("bytes"));

  PJRT_NamedValue list = value;
  list.type = PJRT_NamedValue_kInt64List;
  list.int64_array_value = nullptr;
  list.value_size = 2;
  EXPECT_THAT(refusal(&list, 1), HasSubstr("list of attribute 0 is null"));
  list.value_size = SIZE_MAX / 8 + 1;
  EXPECT_THAT(refusal(&list, 1), HasSubstr("numbers"));

  PJRT_NamedValue nameless = value;
  nameless.name = nullptr;
  EXPECT_THAT(refusal(&nameless, 1), HasSubstr("name of attribute 0 is null"));
}

TEST(NamedValues, LeavesOutUnknownTypesAndSaysSo) {
  std::string logged;
  set_log_callback([&](LogLevel, std::string_view message) { logged = message; });
  PJRT_NamedValue values[] = {number("new", 1), number("known", 2)};
  values[0].type = static_cast<PJRT_NamedValue_Type>(9);
  const Attributes read = read_named_values(table(), values, 2, function);
  set_log_callback({});
  EXPECT_EQ(read, (Attributes{{"known", std::int64_t{2}}}));
  EXPECT_THAT(logged, HasSubstr("new"));
}

TEST(NamedValues, KeepsTheFirstOfTwoWithOneName) {
  PJRT_NamedValue values[] = {number("a", 1), number("a", 2)};
  EXPECT_EQ(read_named_values(table(), values, 2, function), (Attributes{{"a", std::int64_t{1}}}));
}

TEST(NamedValues, ReadsABoolOfAnyByte) {
  PJRT_NamedValue value = number("a", 0);
  value.type = PJRT_NamedValue_kBool;
  const unsigned char byte = 0x82;
  std::memcpy(&value.bool_value, &byte, 1);
  EXPECT_EQ(read_named_values(table(), &value, 1, function), (Attributes{{"a", true}}));
}

}  // namespace
}  // namespace pier::abi
