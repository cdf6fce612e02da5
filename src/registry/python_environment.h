#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace pier::registry {

// A folder in which Python finds installed packages.
struct SiteFolder {
  std::filesystem::path path;  // Without links.
  std::string from;            // How it is known: "VIRTUAL_ENV", "CONDA_PREFIX", ".venv", "user", "system".
};

// Those of the active environment (VIRTUAL_ENV, CONDA_PREFIX), of .venv in the current folder, of the user (PYTHONUSERBASE, else
// ~/.local) and of the system below `root`, newest Python first in each. What is not there is left out; so is what others can
// write, with a line in `places`. PYTHONPATH is left out on purpose: it names modules for one program, and what is installed
// has a place of its own. No program is started and nothing but names of folders is read.
std::vector<SiteFolder> python_site_folders(const std::filesystem::path& root, std::vector<std::string>& places);

}  // namespace pier::registry
