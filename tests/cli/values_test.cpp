#include <gtest/gtest.h>

#include "selector.h"
#include "usage.h"
#include "values.h"

namespace pier::cli {
namespace {

TEST(Values, TakeTheTypeThatTheTextLooksLike) {
  const Attributes attributes = attributes_from({{"count", "4"},
                                                 {"minus", "-7"},
                                                 {"fraction", "0.75"},
                                                 {"exponent", "1e3"},
                                                 {"yes", "true"},
                                                 {"no", "false"},
                                                 {"list", "[0, 1,2]"},
                                                 {"none", "[]"},
                                                 {"text", "cpu"},
                                                 {"empty", ""},
                                                 {"quoted", "\"4\""},
                                                 {"version", "1.2.3"},
                                                 {"broken", "[1,"},
                                                 {"huge", "9223372036854775808"}});
  EXPECT_EQ(attributes.at("count"), AttributeValue(std::int64_t{4}));
  EXPECT_EQ(attributes.at("minus"), AttributeValue(std::int64_t{-7}));
  EXPECT_EQ(attributes.at("fraction"), AttributeValue(0.75F));
  EXPECT_EQ(attributes.at("exponent"), AttributeValue(1000.0F));
  EXPECT_EQ(attributes.at("yes"), AttributeValue(true));
  EXPECT_EQ(attributes.at("no"), AttributeValue(false));
  EXPECT_EQ(attributes.at("list"), AttributeValue(std::vector<std::int64_t>{0, 1, 2}));
  EXPECT_EQ(attributes.at("none"), AttributeValue(std::vector<std::int64_t>{}));
  EXPECT_EQ(attributes.at("text"), AttributeValue(std::string("cpu")));
  EXPECT_EQ(attributes.at("empty"), AttributeValue(std::string()));
  EXPECT_EQ(attributes.at("quoted"), AttributeValue(std::string("4")));
  EXPECT_EQ(attributes.at("version"), AttributeValue(std::string("1.2.3")));
  EXPECT_EQ(attributes.at("broken"), AttributeValue(std::string("[1,")));
  EXPECT_TRUE(std::holds_alternative<float>(attributes.at("huge")));
}

TEST(Values, ForTheCompilerLoseTheirDashesAndKeepTheirPrecision) {
  const auto overrides = overrides_from({{"--xla_fraction", "0.1"}, {"xla_level", "3"}, {"xla_flag", "true"}, {"xla_dir", "/tmp"}});
  EXPECT_EQ(std::get<double>(overrides.at("xla_fraction")), 0.1);
  EXPECT_EQ(std::get<std::int64_t>(overrides.at("xla_level")), 3);
  EXPECT_EQ(std::get<bool>(overrides.at("xla_flag")), true);
  EXPECT_EQ(std::get<std::string>(overrides.at("xla_dir")), "/tmp");
}

TEST(Selector, TakesTheDeviceFromBehindTheLastColon) {
  EXPECT_EQ(parse_selector("cpu", "run").plugin, "cpu");
  EXPECT_FALSE(parse_selector("cpu", "run").device);
  EXPECT_EQ(parse_selector("cpu:3", "run").device, 3);
  EXPECT_EQ(parse_selector("./a:b.so:0", "run").plugin, "./a:b.so");
  EXPECT_EQ(parse_selector("./a:b.so:0", "run").device, 0);
  for (const char* const wrong : {"cpu:", "cpu:one", "cpu:-1", "cpu:1x", ":1", "cpu:99999999999"})
    EXPECT_THROW(parse_selector(wrong, "run"), UsageError) << wrong;
}

TEST(Platform, IsEmptyForThisMachineAndChecked) {
  EXPECT_EQ(parse_foreign_platform("", "install"), "");
  EXPECT_EQ(parse_foreign_platform("darwin-arm64", "install"), "macos-arm64");
  EXPECT_THROW(parse_foreign_platform("beos-ppc", "install"), UsageError);
}

}  // namespace
}  // namespace pier::cli
