#include "registry/python_environment.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <system_error>

#include <pier/error.h>

#include "base/env.h"
#include "base/platform.h"
#include "base/text.h"
#include "registry/trust.h"

namespace pier::registry {
namespace {

namespace fs = std::filesystem;

// More Pythons than anyone keeps beside each other, and more files than a lib folder of the system has.
constexpr std::size_t most_pythons = 32;
constexpr std::size_t most_entries = 20'000;

std::array<int, 3> version_of(std::string_view name) {
  return leading_version(name.substr(std::min(name.find_first_of("0123456789"), name.size()))).value_or(std::array<int, 3>{});
}

// Folders there that are named for a Python 3: "python3.13" before "python3.9".
std::vector<fs::path> pythons_in(const fs::path& lib) {
  std::vector<fs::path> out;
  std::error_code error;
  std::size_t seen = 0;
  for (fs::directory_iterator at(lib, error), end; !error && at != end && seen < most_entries; at.increment(error), ++seen) {
    const std::string name = at->path().filename();
    if (name.starts_with("python3") || name.starts_with("pypy3")) out.push_back(at->path());
  }
  std::sort(out.begin(), out.end(), [](const fs::path& a, const fs::path& b) {
    const std::string left = a.filename();
    const std::string right = b.filename();
    return version_of(left) != version_of(right) ? version_of(left) > version_of(right) : left < right;
  });
  if (out.size() > most_pythons) out.resize(most_pythons);
  return out;
}

class Sites {
 public:
  explicit Sites(std::vector<std::string>& places) : places_(places) {}

  // The packages of an environment, or of a system (Debian keeps its own in dist-packages).
  void add_prefix(const fs::path& prefix, const std::string& from) {
    const std::size_t before = looked_;
    for (const char* const lib : {"lib", "lib64"})
      for (const fs::path& python : pythons_in(prefix / lib))
        for (const char* const packages : {"site-packages", "dist-packages"}) add(python / packages, from);
    if (looked_ == before && from != "system" && from != "user")
      places_.push_back(text("{}: {} has no packages of a Python 3", from, prefix.native()));
  }

  void add_variable(const char* name) {
    const auto value = get_env(name);
    if (!value) return places_.push_back(text("{} is not set", name));
    if (value->front() != '/') return places_.push_back(text("{}: '{}' is not an absolute path", name, *value));
    add_prefix(*value, name);
  }

  void add_here() {
    std::error_code error;
    const fs::path here = fs::current_path(error);
    // Under elevated privileges the current folder is the choice of whoever started the program.
    if (error || has_elevated_privileges() || !fs::is_directory(here / ".venv", error)) return;
    add_prefix(here / ".venv", ".venv");
  }

  void add_user() {
    if (const auto base = get_env("PYTHONUSERBASE"); base && base->front() == '/') return add_prefix(*base, "user");
    try {
      const fs::path home = user_home();
      add_prefix(home / ".local", "user");
      // As Python on a Mac has it.
      std::error_code error;
      for (fs::directory_iterator at(home / "Library/Python", error), end; !error && at != end; at.increment(error))
        add(at->path() / "lib/python/site-packages", "user");
    } catch (const Error&) {
      places_.emplace_back("user: no home folder");
    }
  }

  std::vector<SiteFolder> take() { return std::move(sites_); }

 private:
  void add(const fs::path& folder, const std::string& from) {
    std::error_code error;
    const fs::path real = fs::canonical(folder, error);
    if (error || !fs::is_directory(real, error)) return;
    ++looked_;
    for (const SiteFolder& known : sites_)
      if (known.path == real) return;
    // What lies in it says what it is; whoever can write there could say anything.
    if (const auto why = why_untrusted(real)) return places_.push_back(text("{} ({}): not used: {}", real.native(), from, *why));
    sites_.push_back({real, from});
  }

  std::vector<std::string>& places_;
  std::vector<SiteFolder> sites_;
  std::size_t looked_ = 0;
};

}  // namespace

std::vector<SiteFolder> python_site_folders(const fs::path& root, std::vector<std::string>& places) {
  Sites sites(places);
  sites.add_variable("VIRTUAL_ENV");
  sites.add_variable("CONDA_PREFIX");
  sites.add_here();
  sites.add_user();
  for (const char* const prefix : {"usr/local", "usr", "opt/homebrew"}) sites.add_prefix(root / prefix, "system");
  return sites.take();
}

}  // namespace pier::registry
