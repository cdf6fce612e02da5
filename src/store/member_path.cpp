#include "store/member_path.h"

#include <algorithm>
#include <array>
#include <vector>

#include <pier/error.h>

#include "base/ascii.h"
#include "base/text.h"
#include "base/utf8.h"
#include "store/noted.h"

namespace pier {
namespace {

[[noreturn]] void refuse(std::string_view name, std::string_view fault) {
  throw noted(IntegrityError(text("the package has a member that is refused: '{}' {}", printable(name), fault)),
              "nothing was installed; tell the package's makers");
}

// Names that Windows gives to devices, whatever extension follows.
bool is_device_name(std::string_view component) {
  static constexpr std::array<std::string_view, 4> plain = {"con", "prn", "aux", "nul"};
  std::string stem = lower_ascii(component.substr(0, component.find('.')));
  while (stem.ends_with(' ')) stem.pop_back();
  if (std::ranges::find(plain, stem) != plain.end()) return true;
  return stem.size() == 4 && (stem.starts_with("com") || stem.starts_with("lpt")) && stem[3] >= '1' && stem[3] <= '9';
}

}  // namespace

std::string printable(std::string_view name) {
  std::string out;
  constexpr std::size_t limit = 300;
  while (!name.empty() && out.size() < limit) {
    const std::size_t size = utf8_sequence(name);
    const auto first = static_cast<unsigned char>(name.front());
    if (size == 0 || first < 0x20 || first == 0x7f) {
      out += text("\\x{:02x}", static_cast<unsigned>(first));
      name.remove_prefix(1);
    } else {
      out += name.substr(0, size);
      name.remove_prefix(size);
    }
  }
  if (!name.empty()) out += text("... ({} more bytes)", name.size());
  return out;
}

std::string MemberNames::check(std::string_view name) const {
  if (name.empty()) refuse(name, "has no name");
  if (name.size() > limits_.path_bytes) refuse(name, text("is longer than {} bytes", limits_.path_bytes));
  if (!valid_utf8(name)) refuse(name, "is not UTF-8");
  for (const char c : name) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x20 || byte == 0x7f) refuse(name, "has a control character");
    if (c == '\\') refuse(name, "has a backslash, which is a folder on some systems");
    if (c == ':') refuse(name, "has a colon, which names a drive or a stream on some systems");
  }
  if (name.front() == '/') refuse(name, "is an absolute path");
  std::string_view rest = name;
  if (rest.ends_with('/')) rest.remove_suffix(1);
  const std::string path(rest);
  std::size_t depth = 0;
  for (;;) {
    const std::size_t slash = rest.find('/');
    const std::string_view component = rest.substr(0, slash);
    if (component.empty()) refuse(name, "has an empty part");
    if (component == "..") refuse(name, "leads out of its folder");
    if (component == ".") refuse(name, "has a '.' part");
    if (component.size() > limits_.component_bytes) refuse(name, text("has a part longer than {} bytes", limits_.component_bytes));
    if (component.ends_with(' ') || component.ends_with('.')) refuse(name, "has a part that ends in a space or a dot");
    if (is_device_name(component)) refuse(name, "has a part that names a device on some systems");
    if (++depth > limits_.depth) refuse(name, text("is more than {} folders deep", limits_.depth));
    if (slash == std::string_view::npos) return path;
    rest.remove_prefix(slash + 1);
  }
}

void MemberNames::add(const std::string& path, Kind kind) {
  // Every folder on the way counts as seen, too: "a" and "A/b" must not meet.
  for (std::size_t slash = path.find('/'); slash != std::string::npos; slash = path.find('/', slash + 1)) {
    const std::string folder = path.substr(0, slash);
    const auto [found, fresh] = seen_.try_emplace(lower_ascii(folder), Seen{folder, Kind::folder});
    if (fresh) continue;
    if (found->second.kind == Kind::file) refuse(path, text("lies in '{}', which is a file", printable(found->second.spelling)));
    if (found->second.spelling != folder)
      refuse(path, text("differs from '{}' only in upper and lower case", printable(found->second.spelling)));
  }
  const auto [found, fresh] = seen_.try_emplace(lower_ascii(path), Seen{path, kind});
  if (!fresh) {
    if (found->second.spelling != path)
      refuse(path, text("differs from '{}' only in upper and lower case", printable(found->second.spelling)));
    // A folder may be listed after its files.
    if (found->second.kind == Kind::file || kind == Kind::file) refuse(path, "is there twice");
  }
  if (seen_.size() > limits_.entries) refuse(path, text("is one of more than {} members", limits_.entries));
}

std::string MemberNames::add_file(std::string_view name) {
  const std::string path = check(name);
  if (name.ends_with('/')) refuse(name, "is a file with a folder's name");
  add(path, Kind::file);
  return path;
}

std::string MemberNames::add_folder(std::string_view name) {
  const std::string path = check(name);
  add(path, Kind::folder);
  return path;
}

}  // namespace pier
