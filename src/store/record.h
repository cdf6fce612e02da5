#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "store/digest.h"

namespace pier {

// A line of a wheel's RECORD.
struct RecordEntry {
  std::string path;
  std::optional<HashKind> kind;        // none: RECORD gives no hash, as for itself
  std::string hash;                    // as RECORD writes it
  std::optional<std::uint64_t> size;
};

// Throws IntegrityError that names the line. Weak or unknown hashes and repeated paths are refused.
std::vector<RecordEntry> parse_record(std::string_view content);

// A line of that form, with its end.
std::string record_row(std::string_view path, std::string_view raw_sha256, std::uint64_t size);

// Whether the path is that of a wheel's RECORD, or of a signature of it: the files that RECORD cannot vouch for.
bool is_record(std::string_view path);
bool is_record_signature(std::string_view path);

}  // namespace pier
