#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <pier/catalog.h>
#include <pier/error.h>

#include "store/http.h"
#include "store/index.h"

namespace pier::registry {

// The projects of the package index in use; each is asked for once, however often it comes up.
class Projects {
 public:
  // Throws Error (not_available) when PIER_OFFLINE forbids the network.
  explicit Projects(std::string_view index_url);

  // The project's pages, none when no index knows it. Throws as project_pages() does, and the same again the next time.
  const std::vector<ProjectPage>& pages(const std::string& name);

 private:
  struct Answer {
    std::vector<ProjectPage> pages;
    std::optional<Error> error;
  };
  IndexConfig config_;
  HttpClient client_;
  std::map<std::string, Answer, std::less<>> answers_;
};

// What the index in use has to say about a pinned file.
enum class PinState {
  good,        // there, with the same hash and size
  unverified,  // there, but the index gives no hash
  yanked,      // there, and withdrawn
  missing,     // not there
  differs,     // other bytes under the same name
  unknown,     // the index could not be asked
};
std::string_view name(PinState state);

struct CheckedPin {
  Pin pin;
  PinState state = PinState::unknown;
  std::string detail;  // What is wrong; empty when all is good.
};

// Every file that an entry pins: those of its packages, each followed by those of its companions.
std::vector<Pin> pins_of(const CatalogEntry& entry);

CheckedPin check_pin(const Pin& pin, Projects& projects);

}  // namespace pier::registry
