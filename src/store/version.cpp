#include "store/version.h"

#include <algorithm>
#include <charconv>
#include <span>

#include "base/ascii.h"
#include "base/text.h"

namespace pier {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) { return c >= 'a' && c <= 'z'; }

std::span<const std::uint64_t> without_zeros(const std::vector<std::uint64_t>& release) {
  std::size_t size = release.size();
  while (size > 1 && release[size - 1] == 0) --size;
  return std::span(release).first(size);
}

template <class T>
std::strong_ordering order(const T& a, const T& b) {
  return std::lexicographical_compare_three_way(a.begin(), a.end(), b.begin(), b.end());
}

}  // namespace

// Reads from left to right; every take_ function leaves the position alone when it finds nothing.
class Version::Parser {
 public:
  explicit Parser(std::string_view text) : text_(text) {}

  std::optional<Version> run() {
    Version version;
    take('v');
    const std::size_t start = at_;
    if (const auto epoch = take_number(); epoch && take('!')) version.epoch_ = *epoch;
    else at_ = start;
    do {
      const auto part = take_number();
      if (!part) return std::nullopt;
      version.release_.push_back(*part);
    } while (is_digit(peek(1)) && take('.'));
    take_pre(version);
    take_post(version);
    if (take_word({"dev"})) version.dev_ = take_suffix_number();
    if (take('+') && !take_local(version)) return std::nullopt;
    if (failed_ || at_ != text_.size()) return std::nullopt;
    return version;
  }

 private:
  char peek(std::size_t ahead = 0) const { return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0'; }
  bool take(char c) {
    if (peek() != c) return false;
    ++at_;
    return true;
  }
  static bool is_separator(char c) { return c == '.' || c == '-' || c == '_'; }

  std::optional<std::uint64_t> take_number() {
    std::size_t end = at_;
    while (end < text_.size() && is_digit(text_[end])) ++end;
    if (end == at_) return std::nullopt;
    std::uint64_t value = 0;
    if (std::from_chars(text_.data() + at_, text_.data() + end, value).ec != std::errc()) failed_ = true;
    at_ = end;
    return value;
  }

  // A word from the list with an optional separator before it; the longest that matches.
  std::string_view take_one_of(std::initializer_list<std::string_view> words) {
    const std::size_t start = is_separator(peek()) ? at_ + 1 : at_;
    for (const std::string_view word : words) {
      if (!text_.substr(std::min(start, text_.size())).starts_with(word)) continue;
      // "rcx" is not "rc".
      const std::size_t end = start + word.size();
      if (end < text_.size() && is_letter(text_[end])) continue;
      at_ = end;
      return word;
    }
    return {};
  }
  bool take_word(std::initializer_list<std::string_view> words) { return !take_one_of(words).empty(); }

  // The number after a word; a missing one is 0.
  std::uint64_t take_suffix_number() {
    const std::size_t start = at_;
    if (is_separator(peek())) ++at_;
    if (const auto value = take_number()) return *value;
    at_ = start;
    return 0;
  }

  void take_pre(Version& version) {
    const std::size_t start = at_;
    const std::string_view word = take_one_of({"alpha", "beta", "preview", "pre", "rc", "a", "b", "c"});
    if (word.empty()) return;
    // The number may stand right at the next word: "1.0a.dev1" has an a0.
    const Stage stage = word.front() == 'a' ? Stage::alpha : word.front() == 'b' ? Stage::beta : Stage::candidate;
    if (at_ == start) return;
    version.pre_ = Pre{stage, take_suffix_number()};
  }

  void take_post(Version& version) {
    if (peek() == '-' && is_digit(peek(1))) {
      ++at_;
      version.post_ = take_number();
    } else if (take_word({"post", "rev", "r"})) {
      version.post_ = take_suffix_number();
    }
  }

  bool take_local(Version& version) {
    do {
      std::size_t end = at_;
      while (end < text_.size() && (is_digit(text_[end]) || is_letter(text_[end]))) ++end;
      if (end == at_) return false;
      const std::string_view part = text_.substr(at_, end - at_);
      if (std::ranges::all_of(part, is_digit)) version.local_.emplace_back(*take_number());
      else version.local_.emplace_back(std::string(part));
      at_ = end;
    } while (is_separator(peek()) && ++at_);
    return true;
  }

  std::string_view text_;
  std::size_t at_ = 0;
  bool failed_ = false;
};

std::optional<Version> Version::parse(std::string_view text) {
  if (text.size() > 256) return std::nullopt;
  const std::string lower = lower_ascii(trim(text, " \t\n\r\f\v"));
  return Parser(lower).run();
}

std::strong_ordering Version::operator<=>(const Version& other) const {
  if (const auto c = epoch_ <=> other.epoch_; c != 0) return c;
  if (const auto c = order(without_zeros(release_), without_zeros(other.release_)); c != 0) return c;
  // 1.0.dev1 < 1.0a1 < 1.0rc1 < 1.0 < 1.0.post1: what has only a dev part comes before every prerelease.
  const auto rank = [](const Version& v) { return v.pre_ ? 1 : (!v.post_ && v.dev_) ? 0 : 2; };
  if (const auto c = rank(*this) <=> rank(other); c != 0) return c;
  if (pre_ && other.pre_)
    if (const auto c = *pre_ <=> *other.pre_; c != 0) return c;
  if (const auto c = post_ <=> other.post_; c != 0) return c;  // nothing is below any number
  if (dev_.has_value() != other.dev_.has_value()) return dev_ ? std::strong_ordering::less : std::strong_ordering::greater;
  if (dev_)
    if (const auto c = *dev_ <=> *other.dev_; c != 0) return c;
  return order(local_, other.local_);
}

Version Version::without_local() const {
  Version copy = *this;
  copy.local_.clear();
  return copy;
}

Version Version::base() const {
  Version base;
  base.epoch_ = epoch_;
  base.release_ = release_;
  return base;
}

std::string Version::text() const {
  std::string out;
  if (epoch_ != 0) out += pier::text("{}!", epoch_);
  for (std::size_t i = 0; i < release_.size(); ++i) out += pier::text("{}{}", i ? "." : "", release_[i]);
  if (pre_) {
    const std::string_view word = pre_->stage == Stage::alpha ? "a" : pre_->stage == Stage::beta ? "b" : "rc";
    out += pier::text("{}{}", word, pre_->number);
  }
  if (post_) out += pier::text(".post{}", *post_);
  if (dev_) out += pier::text(".dev{}", *dev_);
  char separator = '+';
  for (const LocalPart& part : local_) {
    out += separator;
    if (const auto* number = std::get_if<std::uint64_t>(&part)) out += pier::text("{}", *number);
    else out += std::get<std::string>(part);
    separator = '.';
  }
  return out;
}

std::string normalize_name(std::string_view name) {
  std::string out;
  bool separator = false;
  for (const char c : name) {
    if (c == '-' || c == '_' || c == '.') {
      separator = true;
      continue;
    }
    if (separator && !out.empty()) out += '-';
    separator = false;
    out += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  }
  return out;
}

}  // namespace pier
