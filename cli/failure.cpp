#include "failure.h"

#include <new>
#include <string>
#include <string_view>
#include <vector>

#include "interrupt.h"
#include "output.h"
#include "usage.h"

namespace pier::cli {
namespace {

int code(ExitCode exit_code) { return static_cast<int>(exit_code); }

Json object_of(std::string_view kind, std::string_view message, const std::vector<std::string>& notes, std::string_view function,
               std::string_view plugin, std::string_view log) {
  Json json = Json::object();
  json.set("code", kind).set("message", message).set("notes", Json::array_of(notes));
  json.set("function", Json::known(function)).set("plugin", Json::known(plugin)).set("plugin_log", Json::known(log));
  return json;
}

void write_json(const char* kind, const std::string& message, std::string_view log = {}) {
  print(Json::object().set("error", object_of(kind, message, {}, {}, {}, log)).text());
}

int usage(const UsageError& error, const Context& context) {
  const std::string help = error.verb().empty() ? "pier help" : "pier help " + error.verb();
  print_error("pier: " + hanging(printable(error.what()), 2) + "\n  see: " + help + "\n");
  if (context.json) write_json("usage", error.what());
  return code(ExitCode::usage);
}

int failure(const Error& error, Context& context) {
  const std::string log = context.log.text();
  context.log.show();
  print_error(error_text(error));
  if (context.json) print(Json::object().set("error", error_json(error, log)).text());
  return code(exit_code_of(error.code()));
}

int interrupted(int signal, const Context& context) {
  print_error("pier: interrupted\n");
  if (context.json) write_json("cancelled", "interrupted");
  return 128 + signal;
}

int other(const char* message, Context& context) {
  const std::string log = context.log.text();
  context.log.show();
  print_error(std::string("pier: ") + message + "\n");
  if (context.json) write_json("internal", message, log);
  return code(ExitCode::failure);
}

}  // namespace

std::string error_text(const Error& error) {
  std::string out = "pier: " + hanging(printable(error.message()), 2) + "\n";
  if (!error.function().empty()) out += "  in " + printable(error.function()) + "\n";
  if (!error.plugin().empty()) out += "  plugin " + hanging(printable(error.plugin()), 4) + "\n";
  const std::vector<std::string>& notes = error.notes();
  // A hundred lines hide the advice at their end; JSON has them all.
  constexpr std::size_t first = 16, last = 4;
  const std::size_t left_out = notes.size() > first + last + 4 ? notes.size() - first - last : 0;
  for (std::size_t i = 0; i < notes.size(); ++i) {
    if (left_out != 0 && i == first) {
      out += "  ... " + std::to_string(left_out) + " more lines; --json has them all\n";
      i += left_out;
    }
    out += "  " + hanging(printable(notes[i]), 4) + "\n";
  }
  return out;
}

Json error_json(const Error& error, std::string_view log) {
  return object_of(name(error.code()), error.message(), error.notes(), error.function(), error.plugin(), log);
}

int report_failure(Context& context) noexcept {
  try {
    try {
      throw;
    } catch (const UsageError& error) {
      return usage(error, context);
    } catch (const Interrupted& error) {
      return interrupted(error.signal(), context);
    } catch (const Error& error) {
      // What failed because Ctrl-C reached a child process, too, is no failure of its own.
      if (const int signal = InterruptGuard::pending()) return interrupted(signal, context);
      return failure(error, context);
    } catch (const std::bad_alloc&) {
      return other("out of memory", context);
    } catch (const std::exception& error) {
      return other(error.what(), context);
    } catch (...) {
      return other("an unknown exception", context);
    }
  } catch (const std::exception& error) {
    // Standard output is closed or full: the report on standard error has been written.
    print_error(std::string("pier: ") + error.what() + "\n");
    return code(ExitCode::failure);
  }
}

}  // namespace pier::cli
