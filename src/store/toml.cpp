#define TOML_IMPLEMENTATION
#include "store/toml.h"
