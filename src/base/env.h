#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace pier {

// Whether this program runs with more rights than whoever started it has (setuid, file capabilities).
bool has_elevated_privileges();

// The variable's value, or nothing when it is unset or empty. Under elevated privileges (setuid, file capabilities) every
// variable reads as unset: whoever starts such a program must not choose the code it loads.
std::optional<std::string> get_env(const char* name);

// The variables of this process, "NAME=value" each, with a null at the end.
char** environment();

// A variable that says yes or no: 1, true, yes, on. Anything else, unset included, is no.
bool env_flag(const char* name);

// HOME, else the folder that the account has. Throws Error (io) when there is neither.
std::filesystem::path user_home();

// Folders of pier for this user, after the XDG base directory specification (macOS: the same, so that both read alike).
// PIER_HOME puts everything under one folder.
std::filesystem::path config_home();  // manifests of registered plugins
std::filesystem::path data_home();    // installed plugins
std::filesystem::path cache_home();   // downloads that were not finished

// Folders with manifests that an administrator or a distribution placed, most important first.
std::vector<std::filesystem::path> system_config_dirs();

}  // namespace pier
