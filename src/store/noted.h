#pragma once

#include <concepts>
#include <string>
#include <utility>

#include <pier/error.h>

namespace pier {

// An error with notes that keeps its own type: throw noted(IntegrityError("..."), "do this next").
template <std::derived_from<Error> E, class... Notes>
[[nodiscard]] E noted(E error, Notes&&... notes) {
  (error.note(std::string(std::forward<Notes>(notes))), ...);
  return error;
}

}  // namespace pier
