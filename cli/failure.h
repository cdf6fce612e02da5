#pragma once

#include <exception>
#include <string>
#include <string_view>

#include <pier/error.h>

#include "json.h"
#include "verb.h"

namespace pier::cli {

/// "pier: message", then function, plugin and notes, each on its own indented line. Of very many notes some are counted only.
std::string error_text(const Error& error);

/// {"code", "message", "notes", "function", "plugin", "plugin_log"}; null for what is not known. `log`: what the plugin wrote.
Json error_json(const Error& error, std::string_view log = {});

/// Reports the exception that is being handled: as text on standard error and, with --json, as {"error": {...}} on standard
/// output. Returns what the process exits with.
int report_failure(Context& context) noexcept;

}  // namespace pier::cli
