#pragma once

#include <exception>
#include <string>

#include <pier/error.h>

#include "json.h"
#include "verb.h"

namespace pier::cli {

/// "pier: message", then function, plugin and notes, each on its own indented line.
std::string error_text(const Error& error);

/// {"code", "message", "function", "plugin", "notes"}; function and plugin only where they are known.
Json error_json(const Error& error);

/// Reports the exception that is being handled: as text on standard error and, with --json, as {"error": {...}} on standard
/// output. Returns what the process exits with.
int report_failure(Context& context) noexcept;

}  // namespace pier::cli
