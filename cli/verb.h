#pragma once

#include <span>
#include <string>

#include "exit_code.h"
#include "plugin_log.h"

namespace pier::cli {

/// What a verb gets besides its words.
struct Context {
  bool json = false;  ///< --json stands on the command line.
  PluginLog log;
};

/// The words after the verb.
using Words = std::span<const std::string>;

/// Each does one verb's work and prints what came of it. They throw UsageError, Error and Interrupted.
ExitCode run_verb(Words words, Context& context);
ExitCode install_verb(Words words, Context& context);
ExitCode remove_verb(Words words, Context& context);
ExitCode register_verb(Words words, Context& context);
ExitCode list_verb(Words words, Context& context);
ExitCode which_verb(Words words, Context& context);
ExitCode info_verb(Words words, Context& context);
ExitCode verify_verb(Words words, Context& context);
ExitCode lock_verb(Words words, Context& context);
ExitCode sync_verb(Words words, Context& context);
ExitCode bundle_verb(Words words, Context& context);
ExitCode rollback_verb(Words words, Context& context);
ExitCode gc_verb(Words words, Context& context);
ExitCode catalog_verb(Words words, Context& context);
ExitCode doctor_verb(Words words, Context& context);

}  // namespace pier::cli
