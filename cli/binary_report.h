#pragma once

#include <string>
#include <vector>

#include <pier/inspect.h>

#include "json.h"

namespace pier::cli {

/// Whether this machine's loader takes files of that kind at all: system and processor are its own.
bool is_for_this_machine(const Binary& binary);

/// "this machine (linux-x86_64) cannot load it: it is for macos-arm64"
std::string cannot_load_text(const Binary& binary);

/// A library read without loading it: format, and for each architecture in it minimum system, entry symbol, needed
/// libraries; then what preflight found.
std::string binary_text(const Preflight& preflight);
/// [{severity, code, message, remedy}]
Json findings_json(const std::vector<Finding>& findings);
Json binary_json(const Preflight& preflight);

/// Preflight of a library for the platform that it says it is for.
Preflight read_binary(const std::filesystem::path& path);

}  // namespace pier::cli
