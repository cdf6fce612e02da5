#include "io/source.h"

#include <algorithm>
#include <vector>

#include <pier/error.h>

#include "base/file.h"
#include "base/text.h"
#include "base/utf8.h"

namespace pier {
Source map_source(const std::filesystem::path& path) {
  const MappedFile file(path);
  return {file.bytes(), file.owner(), path.native()};
}

std::string in_quotes(std::string_view text) { return "'" + escaped(shortened(text)) + "'"; }

void check_rank(std::size_t rank, std::string_view source) {
  if (rank > max_rank)
    throw Error(ErrorCode::invalid_argument,
                text("{}: an array of {} dimensions; pier takes up to {}", source, rank, max_rank));
}

void check_savable(const std::filesystem::path& path, const NamedArrays& arrays) {
  std::vector<std::string_view> names;
  names.reserve(arrays.size());
  for (const Entry& entry : arrays) {
    if (host_bytes(entry.array.dtype()) == 0)
      throw Error(ErrorCode::invalid_argument, text("{}: the array {} has the type {}, which holds no data",
                                                    path.native(), in_quotes(entry.name), name(entry.array.dtype())));
    check_rank(entry.array.shape().size(), text("{}: {}", path.native(), in_quotes(entry.name)));
    if (!valid_utf8(entry.name) || entry.name.find('\0') != std::string::npos)
      throw Error(ErrorCode::invalid_argument,
                  text("{}: {} cannot name an array: names are UTF-8 without NUL", path.native(), in_quotes(entry.name)));
    names.push_back(entry.name);
  }
  std::sort(names.begin(), names.end());
  const auto twice = std::adjacent_find(names.begin(), names.end());
  if (twice != names.end())
    throw Error(ErrorCode::invalid_argument, text("{}: two arrays are named {}", path.native(), in_quotes(*twice)));
}

}  // namespace pier
