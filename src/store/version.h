#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace pier {

// A version as PEP 440 defines it, ordered as PEP 440 orders.
class Version {
 public:
  // Nothing when the text is no such version. Numbers up to 2^64 - 1.
  static std::optional<Version> parse(std::string_view text);

  std::strong_ordering operator<=>(const Version& other) const;
  bool operator==(const Version& other) const { return (*this <=> other) == 0; }

  bool is_prerelease() const { return pre_ || dev_; }
  bool is_postrelease() const { return post_.has_value(); }
  bool is_local() const { return !local_.empty(); }
  // Without the local part ("+cuda12").
  Version without_local() const;
  // Epoch and release only.
  Version base() const;
  // The normalised spelling.
  std::string text() const;

  std::uint64_t epoch() const { return epoch_; }
  // "1.2.3" is {1, 2, 3}; trailing zeros are kept.
  const std::vector<std::uint64_t>& release() const { return release_; }

 private:
  enum class Stage { alpha, beta, candidate };
  struct Pre {
    Stage stage;
    std::uint64_t number;
    auto operator<=>(const Pre&) const = default;
  };
  using LocalPart = std::variant<std::string, std::uint64_t>;  // in this order: a number is above any word
  class Parser;

  std::uint64_t epoch_ = 0;
  std::vector<std::uint64_t> release_;
  std::optional<Pre> pre_;
  std::optional<std::uint64_t> post_;
  std::optional<std::uint64_t> dev_;
  std::vector<LocalPart> local_;
};

// Conditions such as ">=1.2,<2,!=1.5.*", all of which must hold.
class VersionSpecifiers {
 public:
  // An empty text allows every version. Nothing when the text is malformed.
  static std::optional<VersionSpecifiers> parse(std::string_view text);

  // Prereleases count only if `prereleases` is set or a condition names one.
  bool contains(const Version& version, bool prereleases = false) const;
  // For "===", which compares spellings.
  bool contains(std::string_view version, bool prereleases = false) const;
  std::string text() const;

 private:
  enum class Operator { compatible, equal, not_equal, less_equal, greater_equal, less, greater, identical };
  struct Condition {
    Operator op;
    std::optional<Version> version;  // none only for identical
    bool prefix = false;             // "==1.2.*"
    std::string spelling;
  };
  static std::optional<Condition> parse_condition(std::string_view text);
  static bool holds(const Condition& condition, const Version& version, std::string_view spelling);
  bool contains(const Version* version, std::string_view spelling, bool prereleases) const;
  std::vector<Condition> conditions_;
};

// A project's name in the form in which names are compared (PEP 503): "Foo.Bar_baz" is "foo-bar-baz".
std::string normalize_name(std::string_view name);

}  // namespace pier
