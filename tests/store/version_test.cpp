#include "store/version.h"

#include <gtest/gtest.h>

namespace pier {
namespace {

Version v(std::string_view text) {
  const auto version = Version::parse(text);
  EXPECT_TRUE(version) << text;
  return version.value_or(*Version::parse("0"));
}

TEST(Version, OrdersAsPep440Does) {
  // From the specification's own order, and the hard cases of real indexes.
  const std::vector<std::string> order = {
      "0.9.0.dev1", "0.9.0rc1", "0.9.0", "0.9.0.post1", "0.10.0", "1.0.dev456", "1.0a1", "1.0a2.dev456", "1.0a12.dev456",
      "1.0a12", "1.0b1.dev456", "1.0b2", "1.0b2.post345.dev456", "1.0b2.post345", "1.0rc1.dev456", "1.0rc1", "1.0",
      "1.0+abc.5", "1.0+abc.7", "1.0+5", "1.0.post456.dev34", "1.0.post456", "1.0.15", "1.1.dev1", "9.28.0.42", "2026.6.23",
      "1!0.1"};
  for (std::size_t i = 0; i < order.size(); ++i)
    for (std::size_t j = 0; j < order.size(); ++j) {
      EXPECT_EQ(v(order[i]) < v(order[j]), i < j) << order[i] << " " << order[j];
      EXPECT_EQ(v(order[i]) == v(order[j]), i == j) << order[i] << " " << order[j];
    }
}

TEST(Version, TakesEverySpellingOfTheSame) {
  const std::pair<const char*, const char*> same[] = {
      {"1.0", "1.0.0"}, {"v1.0", "1.0"}, {" 1.0\n", "1.0"}, {"1.0RC1", "1.0rc1"}, {"1.0-rc.1", "1.0rc1"}, {"1.0c1", "1.0rc1"},
      {"1.0preview1", "1.0rc1"}, {"1.0_alpha-2", "1.0a2"}, {"1.0beta", "1.0b0"}, {"1.0-1", "1.0.post1"}, {"1.0rev3", "1.0.post3"},
      {"1.0r", "1.0.post0"}, {"1.0-dev", "1.0.dev0"}, {"1.0+Ubuntu-1", "1.0+ubuntu.1"}, {"01.002", "1.2"}, {"0!1", "1"},
      {"1.0.a.1", "1.0a1"}, {"1.0post", "1.0.post0"}, {"1.0+001", "1.0+1"}};
  for (const auto& [a, b] : same) EXPECT_EQ(v(a), v(b)) << a << " " << b;
}

TEST(Version, WritesTheNormalSpelling) {
  const std::pair<const char*, const char*> spellings[] = {
      {"V1.0-RC.1", "1.0rc1"}, {"1!2.0.post3.dev4+A_b", "1!2.0.post3.dev4+a.b"}, {"1.0-4", "1.0.post4"}, {"2026.06.23", "2026.6.23"}};
  for (const auto& [from, to] : spellings) EXPECT_EQ(v(from).text(), to);
}

TEST(Version, RefusesWhatIsNone) {
  for (const char* text : {"", "abc", "1.0.x", "1..0", "1.0+", "1.0+a..b", "1.0+a+b", "1.0rcx", "1.0.dev1.post1", "1.0-", ".1", "1!",
                           "!1", "1.0 1", "1.0--1", "99999999999999999999999", "1.0a1b1", "1.0+é"})
    EXPECT_FALSE(Version::parse(text)) << text;
}

TEST(Specifiers, AgreeWithPep440) {
  struct Case {
    const char* set;
    std::vector<const char*> yes;
    std::vector<const char*> no;
  };
  const Case cases[] = {
      {"", {"1.0", "0"}, {"1.0rc1"}},
      {"==1.0", {"1.0", "1.0.0", "1.0+local"}, {"1.0.1", "1.0.post1"}},
      {"==1.0+local", {"1.0+local"}, {"1.0", "1.0+other"}},
      {"==1.1.*", {"1.1", "1.1.5", "1.1.post1"}, {"1.2", "1.10", "1"}},
      {"!=1.1.*", {"1.2", "1.10"}, {"1.1", "1.1.3"}},
      {"!=1.1", {"1.1.post1"}, {"1.1", "1.1.0", "1.1+x"}},
      {"~=2.2", {"2.2", "2.3", "2.99.1", "2.2.post3"}, {"2.1", "3.0"}},
      {"~=1.4.5", {"1.4.5", "1.4.9"}, {"1.4.4", "1.5.0"}},
      {"~=2.2.post3", {"2.2.post3", "2.3"}, {"2.2", "3.0"}},
      {"~=1.4.5a4", {"1.4.5a4", "1.4.5", "1.4.9"}, {"1.4.5a3", "1.5"}},
      {">1.7", {"1.7.1", "1.8"}, {"1.7", "1.7.0.post1", "1.7+x"}},
      {">1.7.post2", {"1.7.post3", "1.8"}, {"1.7.post2", "1.7.0"}},
      {"<1.5", {"1.4"}, {"1.5", "1.5rc1", "1.5.dev1"}},
      {"<1.5rc2", {"1.5rc1", "1.4"}, {"1.5rc2", "1.5"}},
      {"<=1.0", {"1.0", "1.0+x"}, {"1.0.1"}},
      {">=1.0,<2,!=1.5", {"1.0", "1.9"}, {"1.5", "2", "0.9"}},
      {"===1.0", {"1.0"}, {"1.0.0"}},
      {" >= 1.0 , < 2 ", {"1.1"}, {"2.1"}},
  };
  for (const Case& c : cases) {
    const auto set = VersionSpecifiers::parse(c.set);
    ASSERT_TRUE(set) << c.set;
    for (const char* text : c.yes) EXPECT_TRUE(set->contains(std::string_view(text))) << c.set << " " << text;
    for (const char* text : c.no) EXPECT_FALSE(set->contains(std::string_view(text))) << c.set << " " << text;
  }
}

TEST(Specifiers, AllowPrereleasesOnlyWhenAskedOrNamed) {
  const auto set = VersionSpecifiers::parse(">=1.0");
  EXPECT_FALSE(set->contains(v("2.0rc1")));
  EXPECT_TRUE(set->contains(v("2.0rc1"), true));
  EXPECT_TRUE(VersionSpecifiers::parse(">=2.0rc1")->contains(v("2.0rc2")));
  EXPECT_FALSE(VersionSpecifiers::parse("!=2.0rc1")->contains(v("2.0rc2")));
}

TEST(Specifiers, RefuseWhatIsMalformed) {
  for (const char* text : {"1.0", "=1.0", "~=1", "==1.0.*.*", ">=1.0.*", "==1.0+x.*", ">=1.0+x", ">=1.0,,<2", "==", "<", "=>1", "==1.0rc1.*",
                           "=== 1 0"})
    EXPECT_FALSE(VersionSpecifiers::parse(text)) << text;
}

TEST(Name, IsNormalisedAsPep503Says) {
  EXPECT_EQ(normalize_name("Friendly-Bard"), "friendly-bard");
  EXPECT_EQ(normalize_name("FRIENDLY._.bard"), "friendly-bard");
  EXPECT_EQ(normalize_name("friendly__--bard"), "friendly-bard");
}

}  // namespace
}  // namespace pier
