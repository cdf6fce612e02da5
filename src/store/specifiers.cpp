#include <algorithm>
#include <array>

#include "base/ascii.h"
#include "base/text.h"
#include "store/version.h"

namespace pier {
namespace {

bool same_spelling(std::string_view a, std::string_view b) {
  return lower_ascii(a) == lower_ascii(b);
}

// Whether the version's release starts with those numbers; missing ones are 0.
bool has_prefix(const Version& version, const Version& prefix, std::size_t parts) {
  if (version.epoch() != prefix.epoch()) return false;
  for (std::size_t i = 0; i < parts; ++i) {
    const std::uint64_t own = i < version.release().size() ? version.release()[i] : 0;
    if (own != prefix.release()[i]) return false;
  }
  return true;
}

}  // namespace

std::optional<VersionSpecifiers::Condition> VersionSpecifiers::parse_condition(std::string_view text) {
  struct Name {
    std::string_view text;
    Operator op;
  };
  static constexpr std::array<Name, 8> names = {{{"===", Operator::identical}, {"~=", Operator::compatible},
                                                {"==", Operator::equal}, {"!=", Operator::not_equal},
                                                {"<=", Operator::less_equal}, {">=", Operator::greater_equal},
                                                {"<", Operator::less}, {">", Operator::greater}}};
  const auto name = std::ranges::find_if(names, [&](const Name& n) { return text.starts_with(n.text); });
  if (name == names.end()) return std::nullopt;
  std::string_view value = trim(text.substr(name->text.size()));
  Condition condition{.op = name->op, .version = std::nullopt, .prefix = false, .spelling = std::string(value)};
  if (value.empty()) return std::nullopt;
  if (condition.op == Operator::identical)
    return value.find_first_of(" \t,") == std::string_view::npos ? std::optional(condition) : std::nullopt;
  if (value.ends_with(".*")) {
    if (condition.op != Operator::equal && condition.op != Operator::not_equal) return std::nullopt;
    condition.prefix = true;
    value.remove_suffix(2);
  }
  condition.version = Version::parse(value);
  if (!condition.version) return std::nullopt;
  const Version& version = *condition.version;
  if (condition.prefix && !(version.base() == version && !version.is_local())) return std::nullopt;
  if (condition.op == Operator::compatible && version.release().size() < 2) return std::nullopt;
  if (version.is_local() && condition.op != Operator::equal && condition.op != Operator::not_equal) return std::nullopt;
  return condition;
}

std::optional<VersionSpecifiers> VersionSpecifiers::parse(std::string_view text) {
  VersionSpecifiers set;
  if (trim(text).empty()) return set;
  for (;;) {
    const std::size_t comma = text.find(',');
    const auto condition = parse_condition(trim(text.substr(0, comma)));
    if (!condition) return std::nullopt;
    set.conditions_.push_back(*condition);
    if (comma == std::string_view::npos) return set;
    text.remove_prefix(comma + 1);
  }
}

bool VersionSpecifiers::holds(const Condition& condition, const Version& version, std::string_view spelling) {
  if (condition.op == Operator::identical) return same_spelling(spelling, condition.spelling);
  const Version& limit = *condition.version;
  const Version common = version.without_local();
  switch (condition.op) {
    case Operator::equal:
    case Operator::not_equal: {
      const bool same = condition.prefix ? has_prefix(version, limit, limit.release().size())
                                         : (limit.is_local() ? version : common) == limit;
      return same == (condition.op == Operator::equal);
    }
    case Operator::compatible: return common >= limit && has_prefix(version, limit, limit.release().size() - 1);
    case Operator::less_equal: return common <= limit;
    case Operator::greater_equal: return common >= limit;
    case Operator::less:
      // "<1.5" does not allow 1.5's own prereleases.
      return version < limit && (limit.is_prerelease() || !version.is_prerelease() || version.base() != limit.base());
    case Operator::greater:
      // ">1.5" does not allow 1.5's own post releases and local builds.
      if (!(version > limit)) return false;
      if (!limit.is_postrelease() && version.is_postrelease() && version.base() == limit.base()) return false;
      return !version.is_local() || version.base() != limit.base();
    case Operator::identical: break;
  }
  return false;
}

bool VersionSpecifiers::contains(const Version* version, std::string_view spelling, bool prereleases) const {
  const bool named = std::ranges::any_of(conditions_, [](const Condition& c) {
    return c.op != Operator::not_equal && c.version && c.version->is_prerelease();
  });
  if (version && version->is_prerelease() && !prereleases && !named) return false;
  return std::ranges::all_of(conditions_, [&](const Condition& condition) {
    if (condition.op == Operator::identical) return same_spelling(spelling, condition.spelling);
    return version && holds(condition, *version, spelling);
  });
}

bool VersionSpecifiers::contains(const Version& version, bool prereleases) const {
  return contains(&version, version.text(), prereleases);
}

bool VersionSpecifiers::contains(std::string_view version, bool prereleases) const {
  const auto parsed = Version::parse(version);
  return contains(parsed ? &*parsed : nullptr, version, prereleases);
}

std::string VersionSpecifiers::text() const {
  static constexpr std::array<std::string_view, 8> names = {"~=", "==", "!=", "<=", ">=", "<", ">", "==="};
  std::string out;
  for (const Condition& condition : conditions_)
    out += pier::text("{}{}{}", out.empty() ? "" : ",", names[static_cast<std::size_t>(condition.op)], condition.spelling);
  return out;
}

}  // namespace pier
