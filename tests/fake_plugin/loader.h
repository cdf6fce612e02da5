#pragma once

// For tests: loads a copy of the fake plugin and steers it.

#include <dlfcn.h>
#include <unistd.h>

#include <filesystem>
#include <stdexcept>
#include <string>

#include "fake_plugin/control.h"

namespace fake {

/// A fake plugin of one's own. The file goes with the object; the library stays loaded, as plugins do.
class Library {
 public:
  explicit Library(const std::string& file = "fake_plugin.so") {
    std::string folder = (std::filesystem::temp_directory_path() / "fake_plugin-XXXXXX").string();
    if (::mkdtemp(folder.data()) == nullptr) throw std::runtime_error("cannot make a folder for the fake plugin");
    folder_ = folder;
    path_ = folder_ / file;
    std::filesystem::copy_file(original(file), path_);
    open();
  }

  /// The original, one for the whole process; reset.
  static Library& shared() {
    static Library library{Original{}};
    library->reset();
    return library;
  }

  static std::filesystem::path original(const std::string& file) {
    return std::filesystem::path(FAKE_PLUGIN_DIR) / file;
  }

  ~Library() {
    control_->reset();
    std::error_code ignored;
    if (!folder_.empty()) std::filesystem::remove_all(folder_, ignored);
  }
  Library(const Library&) = delete;
  Library& operator=(const Library&) = delete;

  const std::filesystem::path& path() const noexcept { return path_; }
  FakeControl* operator->() const noexcept { return control_; }

  /// What GetPjrtApi() gives now.
  const void* api() const { return get_api_(); }

 private:
  struct Original {};
  explicit Library(Original) : path_(original("fake_plugin.so")) { open(); }

  void open() {
    void* library = ::dlopen(path_.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr) throw std::runtime_error(::dlerror());
    const auto control = reinterpret_cast<FakeControlFunction>(::dlsym(library, fake_control_symbol));
    get_api_ = reinterpret_cast<const void* (*)()>(::dlsym(library, "GetPjrtApi"));
    if (control == nullptr || get_api_ == nullptr) throw std::runtime_error(path_.string() + " is no fake plugin");
    control_ = control();
    if (control_->struct_size != sizeof(FakeControl)) throw std::runtime_error("test and fake plugin differ in age");
  }

  std::filesystem::path folder_;
  std::filesystem::path path_;
  FakeControl* control_ = nullptr;
  const void* (*get_api_)() = nullptr;
};

}  // namespace fake
