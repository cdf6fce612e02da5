#include <pier/plugin.h>

#include <map>
#include <mutex>
#include <system_error>
#include <utility>

#include <dlfcn.h>

#include <pier/error.h>

#include "abi/extension.h"
#include "abi/facts.h"
#include "abi/named_value.h"
#include "base/text.h"
#include "runtime/checked.h"
#include "runtime/state.h"

namespace pier {
namespace {

using abi::Api;
using runtime::PluginState;

// Closes the library unless it was kept: a file that turns out to be no plugin leaves nothing behind.
class Library {
 public:
  explicit Library(const std::filesystem::path& path) {
    // Local, so that two plugins with the same symbols (two LLVMs) do not meet.
    handle_ = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (handle_) return;
    const char* const reason = dlerror();
    throw Error(ErrorCode::not_available, text("cannot load {}: {}", path.native(), reason ? reason : "no reason given"))
        .note(text("`pier info {}` reads its header without loading it and names the libraries it needs", path.native()));
  }
  Library(const Library&) = delete;
  Library& operator=(const Library&) = delete;
  ~Library() {
    if (handle_) dlclose(handle_);
  }
  void* symbol(const char* name) const { return dlsym(handle_, name); }
  void keep() { handle_ = nullptr; }

 private:
  void* handle_ = nullptr;
};

struct Slot {
  std::mutex mutex;
  std::shared_ptr<const PluginState> state;
  bool kept = false;
  bool initialised = false;
};

// The loaded plugins, by canonical path and by the address of their table. Leaked: plugin threads may run until the very
// end of the process.
std::shared_ptr<Slot> slot_for(const std::string& key) {
  struct Registry {
    std::mutex mutex;
    std::map<std::string, std::shared_ptr<Slot>> slots;
  };
  static Registry* const registry = new Registry;
  const std::lock_guard lock(registry->mutex);
  auto& slot = registry->slots[key];
  if (!slot) slot = std::make_shared<Slot>();
  return slot;
}

// One table is one plugin, by whatever paths or descriptions it is reached: it must be initialised once, before anything else
// (some plugins set up their runtime there; the oldest ones do not have it). A failure leaves it to be tried again.
std::shared_ptr<const PluginState> adopt(const void* api, std::string path, Library* library) {
  const std::shared_ptr<Slot> slot = slot_for(text("api@{}", reinterpret_cast<std::uintptr_t>(api)));
  const std::lock_guard lock(slot->mutex);
  if (!slot->state) slot->state = std::make_shared<PluginState>(api, std::move(path));
  // From here on its threads may run, so it stays; once, for the loader counts every opening.
  if (library && !std::exchange(slot->kept, true)) library->keep();
  const abi::Table& table = slot->state->table;
  if (!slot->initialised && table.has<&Api::PJRT_Plugin_Initialize>()) table.call<&Api::PJRT_Plugin_Initialize>({});
  slot->initialised = true;
  return slot->state;
}

std::shared_ptr<const PluginState> open_plugin(const std::filesystem::path& path) {
  Library library(path);
  using GetApi = const void* (*)();
  const auto get_api = reinterpret_cast<GetApi>(library.symbol("GetPjrtApi"));
  if (!get_api)
    throw Error(ErrorCode::invalid_argument, text("{} is not a PJRT plugin: it exports no GetPjrtApi", path.native()))
        .note(text("`pier info {}` tells what the file is; a package may hold the plugin beside it", path.native()));
  const void* const api = get_api();
  if (!api)
    throw Error(ErrorCode::not_available, text("{}: GetPjrtApi returned null", path.native()))
        .in_function("GetPjrtApi")
        .note("the plugin refuses this machine or its own set-up; its log may say why");
  return adopt(api, path.string(), &library);
}

}  // namespace

std::string to_string(ApiVersion version) { return text("{}.{}", version.major, version.minor); }

ApiVersion newest_known_api() noexcept { return {abi::api_major, abi::api_minor}; }

Plugin::Plugin(std::shared_ptr<const PluginState> state) noexcept : state_(std::move(state)) {}

Plugin Plugin::load(const std::filesystem::path& library) {
  if (library.empty()) throw Error(ErrorCode::invalid_argument, "the path of the plugin is empty");
  std::error_code error;
  const std::filesystem::path path = std::filesystem::canonical(library, error);
  if (error)
    throw Error(error == std::errc::no_such_file_or_directory ? ErrorCode::not_found
                : error == std::errc::permission_denied       ? ErrorCode::permission_denied
                                                              : ErrorCode::io,
                text("cannot load {}: {}", library.native(), error.message()));
  if (std::filesystem::is_directory(path, error))
    throw Error(ErrorCode::invalid_argument, text("{} is a folder, not a library", path.native()));
  const std::shared_ptr<Slot> slot = slot_for(path.native());
  const std::lock_guard lock(slot->mutex);
  if (!slot->state) slot->state = open_plugin(path);
  return Plugin(slot->state);
}

Plugin Plugin::from_api(const void* pjrt_api, std::string description) {
  return Plugin(adopt(pjrt_api, std::move(description), nullptr));
}

const PluginState& Plugin::own() const { return runtime::held(state_, "a plugin"); }

const std::string& Plugin::path() const { return own().path; }

ApiVersion Plugin::api_version() const { return {abi::api_major, own().table.minor()}; }

Attributes Plugin::attributes() const {
  Attributes out;
  runtime::offered([&] {
    const auto args = own().table.call<&Api::PJRT_Plugin_Attributes>({});
    out = abi::read_named_values(own().table, args.attributes, args.num_attributes, "PJRT_Plugin_Attributes");
  });
  return out;
}

std::vector<ExtensionInfo> Plugin::extensions() const {
  std::vector<ExtensionInfo> out;
  for (const abi::ExtensionEntry& entry : abi::extension_chain(own().table).entries)
    out.push_back({entry.type, std::string(entry.name.empty() ? "unknown" : entry.name), entry.struct_size});
  return out;
}

std::vector<MissingFunction> Plugin::missing_functions() const {
  std::vector<MissingFunction> out;
  for (const abi::AbsentFunction& function : own().table.absent())
    out.push_back({std::string(function.name), {abi::api_major, function.since}});
  return out;
}

}  // namespace pier
