#pragma once

// toml++ with its parser compiled once, in toml.cpp: it is the largest header that pier includes.
#define TOML_HEADER_ONLY 0
#define TOML_ENABLE_WINDOWS_COMPAT 0
#include <toml++/toml.h>
