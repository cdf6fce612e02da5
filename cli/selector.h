#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace pier::cli {

/// What --device says: the plugin, and the device of it where one is named.
struct Selector {
  std::string plugin;         ///< An id, a label, a path or "auto".
  std::optional<int> device;  ///< The N of "cpu:N": an id of the client's devices.
};

/// "cpu", "gpu:1", "./plugin.so:0". A file of exactly that name is taken as a path. Throws UsageError for what can be no selector.
Selector parse_selector(std::string_view text, std::string_view verb);

/// Whether the plugin of a selector is named by its path. Throws UsageError.
bool is_path(std::string_view selector, std::string_view verb);

/// Throws UsageError unless the text can be an id or a label; `what` says whose it is: "--id".
void require_name(std::string_view name, std::string_view what, std::string_view verb);

/// Brings ids to lower case, and platforms to their usual spelling. Throw UsageError for what is none.
void take_ids(std::vector<std::string>& ids, std::string_view verb);
void take_platforms(std::vector<std::string>& platforms, std::string_view verb);

/// --platform: the usual spelling of it, "macos-arm64"; empty for this machine. Throws UsageError that lists the known ones.
std::string parse_foreign_platform(std::string_view text, std::string_view verb);

}  // namespace pier::cli
