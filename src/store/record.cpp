#include "store/record.h"

#include <algorithm>
#include <charconv>
#include <set>

#include <pier/error.h>

#include "base/text.h"
#include "store/member_path.h"
#include "store/noted.h"

namespace pier {
namespace {

[[noreturn]] void refuse(std::size_t line, std::string_view fault) {
  throw noted(IntegrityError(text("the package's RECORD is refused: line {} {}", line, fault)),
              "tell the package's makers; if it is installed already, install it again with --force");
}

// Reads the fields of one CSV row; quoted ones may hold commas, doubled quotes and line ends.
class Rows {
 public:
  explicit Rows(std::string_view content) : rest_(content) {}

  bool next(std::vector<std::string>& fields) {
    fields.clear();
    while (rest_.starts_with('\n') || rest_.starts_with("\r\n")) {
      rest_.remove_prefix(rest_.front() == '\r' ? 2 : 1);
      ++line_;
    }
    if (rest_.empty()) return false;
    start_ = line_;
    for (;;) {
      fields.push_back(field());
      if (rest_.starts_with(',')) {
        rest_.remove_prefix(1);
        continue;
      }
      if (rest_.starts_with('\r')) rest_.remove_prefix(1);
      if (rest_.empty()) return true;
      if (rest_.front() != '\n') refuse(start_, "has text after a quoted field");
      rest_.remove_prefix(1);
      ++line_;
      return true;
    }
  }
  std::size_t line() const { return start_; }

 private:
  std::string field() {
    std::string out;
    if (!rest_.starts_with('"')) {
      const std::size_t end = std::min(rest_.find_first_of(",\r\n"), rest_.size());
      out = rest_.substr(0, end);
      rest_.remove_prefix(end);
      return out;
    }
    rest_.remove_prefix(1);
    for (;;) {
      const std::size_t quote = rest_.find('"');
      if (quote == std::string_view::npos) refuse(start_, "has a quote that is never closed");
      const std::string_view part = rest_.substr(0, quote);
      line_ += static_cast<std::size_t>(std::count(part.begin(), part.end(), '\n'));
      out += part;
      rest_.remove_prefix(quote + 1);
      if (!rest_.starts_with('"')) return out;
      out += '"';
      rest_.remove_prefix(1);
    }
  }

  std::string_view rest_;
  std::size_t line_ = 1;
  std::size_t start_ = 1;
};

}  // namespace

std::string record_row(std::string_view path, std::string_view raw_sha256, std::uint64_t size) {
  std::string shown(path);
  if (path.find_first_of(",\"\r\n") != std::string_view::npos) {
    shown = '"';
    for (const char c : path) shown += c == '"' ? std::string("\"\"") : std::string(1, c);
    shown += '"';
  }
  return text("{},sha256={},{}\n", shown, to_base64url(raw_sha256), size);
}

bool is_record(std::string_view path) {
  if (!path.ends_with(".dist-info/RECORD")) return false;
  return path.find('/') + 1 == path.size() - std::string_view("RECORD").size();
}

bool is_record_signature(std::string_view path) {
  const std::size_t dot = path.rfind('.');
  if (dot == std::string_view::npos || !is_record(path.substr(0, dot))) return false;
  const std::string_view extension = path.substr(dot);
  return extension == ".jws" || extension == ".p7s";
}

std::vector<RecordEntry> parse_record(std::string_view content) {
  std::vector<RecordEntry> entries;
  std::set<std::string, std::less<>> seen;
  Rows rows(content);
  std::vector<std::string> fields;
  while (rows.next(fields)) {
    if (fields.size() != 3) refuse(rows.line(), text("has {} fields instead of path, hash and size", fields.size()));
    RecordEntry entry{.path = fields[0], .kind = std::nullopt, .hash = {}, .size = std::nullopt};
    if (entry.path.empty()) refuse(rows.line(), "has no path");
    if (!seen.insert(entry.path).second) refuse(rows.line(), text("repeats '{}'", printable(entry.path)));
    if (!fields[1].empty()) {
      const std::size_t equals = fields[1].find('=');
      entry.kind = parse_hash_kind(fields[1].substr(0, equals));
      if (equals == std::string::npos || !entry.kind)
        refuse(rows.line(), text("has the hash '{}'; known are sha256, sha384 and sha512", printable(fields[1])));
      entry.hash = fields[1].substr(equals + 1);
      // Some writers pad base64 although the format says not to.
      while (entry.hash.ends_with('=')) entry.hash.pop_back();
      if (entry.hash.empty()) refuse(rows.line(), "has an empty hash");
    }
    if (!fields[2].empty()) {
      std::uint64_t size = 0;
      const char* const end = fields[2].data() + fields[2].size();
      const auto [stop, error] = std::from_chars(fields[2].data(), end, size);
      if (error != std::errc() || stop != end) refuse(rows.line(), text("has the size '{}'", printable(fields[2])));
      entry.size = size;
    }
    entries.push_back(std::move(entry));
  }
  return entries;
}

}  // namespace pier
