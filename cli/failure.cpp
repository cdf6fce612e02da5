#include "failure.h"

#include <new>

#include "interrupt.h"
#include "output.h"
#include "usage.h"

namespace pier::cli {
namespace {

int code(ExitCode exit_code) { return static_cast<int>(exit_code); }

void write_json(const char* kind, const std::string& message) {
  print(Json::object()
            .set("error", std::move(Json::object().set("code", kind).set("message", message).set("notes", Json::array())))
            .text());
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
  if (context.json) {
    Json object = error_json(error);
    if (!log.empty()) object.set("plugin_log", log);
    print(Json::object().set("error", std::move(object)).text());
  }
  return code(exit_code_of(error.code()));
}

int interrupted(int signal, const Context& context) {
  print_error("pier: interrupted\n");
  if (context.json) write_json("cancelled", "interrupted");
  return 128 + signal;
}

int other(const char* message, Context& context) {
  context.log.show();
  print_error(std::string("pier: ") + message + "\n");
  if (context.json) write_json("internal", message);
  return code(ExitCode::failure);
}

}  // namespace

std::string error_text(const Error& error) {
  std::string out = "pier: " + hanging(printable(error.message()), 2) + "\n";
  if (!error.function().empty()) out += "  in " + printable(error.function()) + "\n";
  if (!error.plugin().empty()) out += "  plugin " + hanging(printable(error.plugin()), 4) + "\n";
  for (const std::string& note : error.notes()) out += "  " + hanging(printable(note), 4) + "\n";
  return out;
}

Json error_json(const Error& error) {
  Json json = Json::object();
  json.set("code", name(error.code())).set("message", error.message());
  if (!error.function().empty()) json.set("function", error.function());
  if (!error.plugin().empty()) json.set("plugin", error.plugin());
  json.set("notes", Json::array_of(error.notes()));
  return json;
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
