#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "store/names.h"

namespace pier::registry {

// Parts between the separators; empty ones are left out.
std::vector<std::string> split(std::string_view text, char separator);

bool contains(const std::vector<std::string>& list, std::string_view item);

// "a, b, c"
std::string join(const std::vector<std::string>& list, std::string_view separator = ", ");

// Fit for a shell: as it is, or in quotation marks.
std::string shell_word(std::string_view word);

// The variable that names the library of an id: PIER_PLUGIN_ and the id in upper case with '_' for '-' and '.'.
std::string variable_of(std::string_view id);

// Whether the name is a library's that calls itself a plugin: it has "pjrt" or "plugin" in it.
bool is_plugin_name(std::string_view file_name);

// The accelerator that a library's name speaks of, or the name without its decoration: "cpu" for pjrt_c_api_cpu_plugin.so,
// libpjrt_cpu.so and xla_cpu_pjrt.so, "tpu" for libtpu.so.
std::string id_from_library(const std::filesystem::path& library);

// Priority of a plugin that nobody has given one: its label's, after the order tpu, gpu, cpu; else between gpu and cpu.
int default_priority(std::string_view id, const std::vector<std::string>& labels);

}  // namespace pier::registry
