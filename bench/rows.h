#pragma once

#include <string>
#include <vector>

#include <pier/pier.h>

#include "ratio.h"

namespace bench {

// Each measures one promise on one plugin, given by the path of its library.
std::vector<Row> dispatch_rows(const std::string& library);
std::vector<Row> transfer_rows(const std::string& library);
std::vector<Row> compile_rows(const std::string& library);
// `folder` holds the programs start_raw and start_pier.
std::vector<Row> start_rows(const std::string& folder, const std::string& selector, const std::string& library);
// The package of the installed plugin, made again from its files and served on 127.0.0.1, against curl and unzip. `folder`
// holds the program fetch_pier.
std::vector<Row> fetch_rows(const std::string& folder, const std::string& selector);

}  // namespace bench
