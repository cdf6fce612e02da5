#include <algorithm>
#include <charconv>
#include <utility>

#include <pier/error.h>

#include "base/ascii.h"
#include "base/text.h"
#include "store/digest.h"
#include "store/index.h"

namespace pier {
namespace {

constexpr std::string_view space = " \t\n\r\f";

bool same_word(std::string_view a, std::string_view b) { return lower_ascii(a) == lower_ascii(b); }

void append_utf8(std::string& out, std::uint32_t code) {
  const auto byte = [&](std::uint32_t value) { out += static_cast<char>(static_cast<unsigned char>(value)); };
  if (code == 0 || code > 0x10ffff || (code >= 0xd800 && code < 0xe000)) code = 0xfffd;
  if (code < 0x80) {
    byte(code);
  } else if (code < 0x800) {
    byte(0xc0 | (code >> 6));
    byte(0x80 | (code & 63));
  } else if (code < 0x10000) {
    byte(0xe0 | (code >> 12));
    byte(0x80 | ((code >> 6) & 63));
    byte(0x80 | (code & 63));
  } else {
    byte(0xf0 | (code >> 18));
    byte(0x80 | ((code >> 12) & 63));
    byte(0x80 | ((code >> 6) & 63));
    byte(0x80 | (code & 63));
  }
}

// "&gt;=3.9&#x2c; &lt;4": the entities that index pages use. Others stay as they are.
std::string decode_entities(std::string_view text) {
  static constexpr std::pair<std::string_view, char> named[] = {{"amp", '&'}, {"lt", '<'}, {"gt", '>'}, {"quot", '"'}, {"apos", '\''}};
  std::string out;
  while (!text.empty()) {
    const std::size_t start = std::min(text.find('&'), text.size());
    out += text.substr(0, start);
    text.remove_prefix(start);
    if (text.empty()) break;
    const std::size_t end = text.substr(0, 12).find(';');
    const std::string_view name = end == std::string_view::npos ? std::string_view() : text.substr(1, end - 1);
    const auto found = std::ranges::find(named, name, &std::pair<std::string_view, char>::first);
    if (found != std::end(named)) {
      out += found->second;
    } else if (name.size() >= 2 && name[0] == '#') {
      const bool hex = lower_ascii(name[1]) == 'x';
      const std::string_view digits = name.substr(hex ? 2 : 1);
      std::uint32_t code = 0;
      const auto [stop, error] = std::from_chars(digits.data(), digits.data() + digits.size(), code, hex ? 16 : 10);
      append_utf8(out, error == std::errc() && stop == digits.data() + digits.size() ? code : 0);
    } else {
      out += '&';
      text.remove_prefix(1);
      continue;
    }
    text.remove_prefix(end + 1);
  }
  return out;
}

// The decoded last part of a link's path.
std::string file_name(std::string_view link) {
  link = link.substr(0, link.find_first_of("?#"));
  const std::size_t slash = link.rfind('/');
  if (slash != std::string_view::npos) link.remove_prefix(slash + 1);
  return percent_decode(link);
}

std::string sha256_of(std::string_view link) {
  const std::size_t hash = link.find('#');
  if (hash == std::string_view::npos) return {};
  std::string_view fragment = link.substr(hash + 1);
  while (!fragment.empty()) {
    const std::size_t end = std::min(fragment.find('&'), fragment.size());
    const std::string_view part = fragment.substr(0, end);
    if (part.starts_with("sha256=") && is_sha256(part.substr(7))) return lower_ascii(part.substr(7));
    fragment.remove_prefix(std::min(end + 1, fragment.size()));
  }
  return {};
}

// Goes from tag to tag. Only <a> and <base> mean something; comments and scripts are passed over whole.
class Tokenizer {
 public:
  explicit Tokenizer(std::string_view body) : rest_(body) {}

  // The next start tag's name, lower-cased by comparison only; empty at the end of the page.
  std::string_view next_tag() {
    for (;;) {
      const std::size_t open = rest_.find('<');
      if (open == std::string_view::npos || open + 1 >= rest_.size()) return {};
      rest_.remove_prefix(open + 1);
      if (rest_.starts_with("!--")) {
        const std::size_t end = rest_.find("-->", 3);
        if (end == std::string_view::npos) return {};
        rest_.remove_prefix(end + 3);
        continue;
      }
      const char first = lower_ascii(rest_.front());
      if (first < 'a' || first > 'z') continue;
      const std::size_t end = std::min(rest_.find_first_of(" \t\n\r\f/>"), rest_.size());
      const std::string_view name = rest_.substr(0, end);
      rest_.remove_prefix(end);
      if (same_word(name, "script") || same_word(name, "style")) {
        skip_raw(name);
        continue;
      }
      return name;
    }
  }

  // The next attribute of that tag; false at its end.
  bool next_attribute(std::string_view& name, std::string_view& value) {
    const std::size_t start = rest_.find_first_not_of(" \t\n\r\f/");
    if (start == std::string_view::npos || rest_[start] == '>') {
      rest_.remove_prefix(start == std::string_view::npos ? rest_.size() : start + 1);
      return false;
    }
    rest_.remove_prefix(start);
    // A stray '=' at the front belongs to the name, so that every call gets further.
    const std::size_t end = std::min(rest_.find_first_of(" \t\n\r\f/>=", 1), rest_.size());
    name = rest_.substr(0, end);
    rest_.remove_prefix(end);
    value = {};
    const std::size_t equals = rest_.find_first_not_of(space);
    if (equals == std::string_view::npos || rest_[equals] != '=') return true;
    rest_.remove_prefix(equals + 1);
    const std::size_t begin = std::min(rest_.find_first_not_of(space), rest_.size());
    rest_.remove_prefix(begin);
    if (rest_.empty()) return true;
    if (rest_.front() == '"' || rest_.front() == '\'') {
      const std::size_t close = rest_.find(rest_.front(), 1);
      // An open quote swallows the page: nothing after it can be trusted.
      if (close == std::string_view::npos) throw NetworkError("the index page cannot be read: a quote in a tag is never closed");
      value = rest_.substr(1, close - 1);
      rest_.remove_prefix(close + 1);
    } else {
      const std::size_t close = std::min(rest_.find_first_of(" \t\n\r\f>"), rest_.size());
      value = rest_.substr(0, close);
      rest_.remove_prefix(close);
    }
    return true;
  }

 private:
  void skip_raw(std::string_view name) {
    for (;;) {
      const std::size_t end = rest_.find("</");
      if (end == std::string_view::npos) {
        rest_ = {};
        return;
      }
      rest_.remove_prefix(end + 2);
      if (rest_.size() >= name.size() && same_word(rest_.substr(0, name.size()), name)) return;
    }
  }

  std::string_view rest_;
};

}  // namespace

std::string read_index_html(std::string_view body, const IndexVisitor& visit) {
  Tokenizer tokens(body);
  std::string base;
  for (std::string_view tag = tokens.next_tag(); !tag.empty(); tag = tokens.next_tag()) {
    const bool link = same_word(tag, "a");
    const bool is_base = same_word(tag, "base");
    IndexFile file;
    std::string_view name;
    std::string_view value;
    while (tokens.next_attribute(name, value)) {
      if (is_base && same_word(name, "href") && base.empty()) base = decode_entities(value);
      if (!link) continue;
      if (same_word(name, "href")) {
        file.url = decode_entities(value);
      } else if (same_word(name, "data-requires-python")) {
        file.requires_python = decode_entities(value);
      } else if (same_word(name, "data-yanked")) {
        file.yanked = true;
        file.yanked_reason = decode_entities(value);
      }
    }
    if (!link || file.url.empty()) continue;
    file.name = file_name(file.url);
    file.sha256 = sha256_of(file.url);
    if (!file.name.empty()) visit(std::move(file));
  }
  return base;
}

}  // namespace pier
