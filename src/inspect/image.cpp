#include <algorithm>
#include <array>
#include <charconv>
#include <numeric>
#include <utility>

#include "base/ascii.h"
#include "base/platform.h"
#include "inspect/formats.h"

namespace pier {
namespace {

// Lower case without underscores: what stays the same in a name that was merely misspelt.
std::string folded(std::string_view name) {
  std::string out;
  for (const char c : name)
    if (c != '_') out += lower_ascii(c);
  return out;
}

std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i + 1;
    for (std::size_t j = 0; j < b.size(); ++j) {
      const std::size_t replaced = diagonal + (a[i] == b[j] ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({replaced, row[j] + 1, row[j + 1] + 1});
    }
  }
  return row.back();
}

// 0 for the same letters, up to 3 for two edits or less, 4 for a longer name around the stem; nothing for a stranger.
std::optional<std::size_t> difference(std::string_view candidate, std::string_view wanted, std::string_view stem) {
  const std::string name = folded(candidate);
  if (name == wanted) return 0;
  const std::size_t gap = name.size() > wanted.size() ? name.size() - wanted.size() : wanted.size() - name.size();
  if (gap <= 2)
    if (const std::size_t distance = edit_distance(name, wanted); distance <= 2) return distance;
  if (stem.size() >= 4 && name.find(stem) != std::string::npos) return 4;
  return std::nullopt;
}

// The dotted number at the start; shorter numbers sort before longer ones with the same start.
std::vector<std::uint64_t> dotted(std::string_view text) {
  std::vector<std::uint64_t> out;
  const char* at = text.data();
  const char* const end = at + text.size();
  while (at != end) {
    std::uint64_t number = 0;
    const auto [rest, error] = std::from_chars(at, end, number);
    if (error != std::errc() || rest == at) break;
    out.push_back(number);
    if (rest == end || *rest != '.') break;
    at = rest + 1;
  }
  return out;
}

}  // namespace

std::string_view name(BinaryFormat format) noexcept {
  switch (format) {
    case BinaryFormat::elf: return "elf";
    case BinaryFormat::macho: return "mach-o";
    case BinaryFormat::pe: return "pe";
  }
  return "unknown";
}

std::string_view name(ObjectKind kind) noexcept {
  switch (kind) {
    case ObjectKind::shared_library: return "shared library";
    case ObjectKind::executable: return "executable";
    case ObjectKind::object_file: return "object file";
    case ObjectKind::other: return "other";
  }
  return "other";
}

std::string_view name(CodeSignature signature) noexcept {
  switch (signature) {
    case CodeSignature::none: return "none";
    case CodeSignature::ad_hoc: return "ad hoc";
    case CodeSignature::signed_by_someone: return "signed";
  }
  return "none";
}

std::string_view name(Severity severity) noexcept {
  switch (severity) {
    case Severity::error: return "error";
    case Severity::warning: return "warning";
    case Severity::info: return "info";
  }
  return "info";
}

std::string to_string(ReleaseNumber number) {
  if (number.patch == 0) return text("{}.{}", number.major, number.minor);
  return text("{}.{}.{}", number.major, number.minor, number.patch);
}

std::optional<std::string> Image::newest_needed(std::string_view prefix) const {
  std::string_view newest;
  for (const SymbolVersion& version : versions_needed) {
    std::string_view number = version.version;
    if (!number.starts_with(prefix)) continue;
    number.remove_prefix(prefix.size());
    // GLIBC_PRIVATE and GLIBC_ABI_DT_RELR are names, not numbers.
    const std::vector<std::uint64_t> parts = dotted(number);
    if (!parts.empty() && parts > dotted(newest)) newest = number;
  }
  if (newest.empty()) return std::nullopt;
  return std::string(newest);
}

std::optional<std::string> Image::find_export(std::string_view symbol) const {
  if (!symbols || symbol.empty()) return std::nullopt;
  return symbols->find(symbol);
}

bool Image::exports(std::string_view symbol) const { return find_export(symbol).has_value(); }

std::vector<std::string> Image::similar_exports(std::string_view symbol, std::size_t limit) const {
  if (!symbols || limit == 0) return {};
  const std::string wanted = folded(symbol);
  std::string_view stem = wanted;
  if (stem.starts_with("get")) stem.remove_prefix(3);
  using Near = std::pair<std::size_t, std::string>;
  std::vector<Near> near;
  symbols->each([&](std::string_view candidate) {
    if (candidate == symbol) return true;
    const std::optional<std::size_t> distance = difference(candidate, wanted, stem);
    if (!distance) return true;
    // Kept sorted and short, however many names a hostile file has.
    Near entry(*distance, candidate);
    const auto place = std::lower_bound(near.begin(), near.end(), entry);
    if (place != near.end() && *place == entry) return true;
    near.insert(place, std::move(entry));
    if (near.size() > limit) near.pop_back();
    return true;
  });
  std::vector<std::string> out;
  for (Near& entry : near) out.push_back(std::move(entry.second));
  return out;
}

const Image* Binary::image_for(std::string_view wanted) const {
  const std::string spelling = to_string(parse_platform(wanted));
  const Image* second_best = nullptr;
  for (const Image& image : images) {
    if (image.platform == spelling) return &image;
    // Code for Haswell and later runs on every Intel Mac since 2013.
    if (spelling == "macos-x86_64" && image.platform == "macos-x86_64h") second_best = &image;
  }
  return second_best;
}

std::string Binary::platforms() const {
  std::string out;
  for (const Image& image : images) {
    if (!out.empty()) out += ", ";
    out += image.platform;
  }
  return out;
}

}  // namespace pier
