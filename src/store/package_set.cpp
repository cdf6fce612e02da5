#include "store/package_set.h"

#include <algorithm>
#include <set>

#include <pier/error.h>

#include "base/ascii.h"
#include "base/platform.h"
#include "base/text.h"
#include "store/digest.h"
#include "store/given.h"
#include "store/layout.h"
#include "store/member_path.h"
#include "store/version.h"

namespace pier {
namespace {

constexpr std::size_t most_companions = 64;

[[noreturn]] void refuse(const PluginRequest& request, std::string_view fault) {
  throw Error(ErrorCode::invalid_argument, text("cannot install '{}': {}", request.id, fault))
      .note("this is what the catalog says about the plugin; the catalog needs mending");
}

void check_pin(const PluginRequest& request, const Pin& pin, std::string_view whose) {
  if (!is_sha256(pin.sha256)) refuse(request, text("{} pin has no SHA-256 ('{}')", whose, printable(pin.sha256)));
  if (pin.file.empty() || pin.file.find('/') != std::string::npos || pin.file.starts_with('.'))
    refuse(request, text("{} pin's file name is '{}'", whose, printable(pin.file)));
  if (!pin.file.ends_with(".whl")) refuse(request, text("{} is no wheel", printable(pin.file)));
  if (!Version::parse(pin.version)) refuse(request, text("{} pin's version is '{}'", whose, printable(pin.version)));
  if (pin.package.empty() || pin.package.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-") !=
                                 std::string::npos)
    refuse(request, text("{} pin's package is '{}'", whose, printable(pin.package)));
}

void check_member(const PluginRequest& request, const Pin& pin) {
  if (request.find_library && pin.member.empty()) return;
  MemberNames names{UnpackLimits{}};
  try {
    names.add_file(pin.member);
  } catch (const Error& error) {
    refuse(request, text("its pin's library is refused: {}", error.message()));
  }
}

std::string hash_of(const std::vector<Pin>& pins) {
  if (pins.size() == 1) return pins.front().sha256;
  std::vector<std::string> hashes;
  for (const Pin& pin : pins) hashes.push_back(pin.sha256);
  // In which order the companions are named makes no other set.
  std::sort(hashes.begin() + 1, hashes.end());
  Digest digest;
  for (const std::string& hash : hashes) digest.update(std::as_bytes(std::span(hash)));
  return to_hex(digest.finish());
}

}  // namespace

PackageSet::PackageSet(const PluginRequest& request) {
  require_id(request.id);
  if (request.from.empty()) {
    pins_.push_back(request.pin);
    check_pin(request, request.pin, "its");
  } else {
    GivenPackage given = given_package(request);
    format_ = given.format;
    pins_.push_back(std::move(given.pin));
  }
  check_member(request, request.pin);
  if (request.companions.size() > most_companions) refuse(request, text("it has {} companions", request.companions.size()));
  pins_.insert(pins_.end(), request.companions.begin(), request.companions.end());
  std::set<std::string, std::less<>> hashes;
  for (Pin& pin : pins_) {
    pin.sha256 = lower_ascii(pin.sha256);
    pin.platform = to_string(parse_platform(pin.platform));
    if (&pin == &pins_.front()) {
      hashes.insert(pin.sha256);
      continue;
    }
    check_pin(request, pin, text("{}:", printable(pin.package)));
    if (pin.platform != pins_.front().platform)
      refuse(request, text("{} is for {}, the plugin for {}", pin.package, pin.platform, pins_.front().platform));
    if (!hashes.insert(pin.sha256).second) refuse(request, text("{} is there twice", pin.file));
  }
}

std::string PackageSet::folder_name() const {
  const auto version = Version::parse(own().version);
  return text("{}-{}", version ? version->text() : "local", hash_of(pins_).substr(0, 12));
}

bool PackageSet::is_set_of(const InstalledPlugin& plugin) const {
  if (lower_ascii(plugin.sha256) != own().sha256 || plugin.companions.size() + 1 != pins_.size()) return false;
  return std::ranges::all_of(plugin.companions, [&](const InstalledPackage& companion) {
    return std::ranges::find(pins_, lower_ascii(companion.sha256), &Pin::sha256) != pins_.end();
  });
}

void PackageSet::describe(InstalledPlugin& plugin) const {
  plugin.platform = own().platform;
  plugin.package = own().package;
  plugin.version = own().version;
  plugin.file = own().file;
  plugin.sha256 = own().sha256;
  std::vector<InstalledPackage> companions;
  for (std::size_t i = 1; i < pins_.size(); ++i) {
    const auto known = std::ranges::find(plugin.companions, pins_[i].sha256, &InstalledPackage::sha256);
    companions.push_back({pins_[i].package, pins_[i].version, pins_[i].file, pins_[i].sha256,
                          known == plugin.companions.end() ? std::vector<std::filesystem::path>{} : known->libraries});
  }
  plugin.companions = std::move(companions);
}

std::string package_text(const InstalledPlugin& plugin) {
  return text("{} (SHA-256 {})", plugin.package.empty() ? plugin.file : text("{} {}", plugin.package, plugin.version), plugin.sha256);
}

}  // namespace pier
