#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include <pier/array.h>
#include <pier/dtype.h>

#include "base/file.h"

namespace pier::cli {

/// The files that take a program's results: one for each result, or one .npz or .safetensors for all.
class Outputs {
 public:
  /// Looks at the paths before anything else is done: suffix, a path given twice, an input or the module among them, a file
  /// that is there already (unless `force`), a folder that is missing or cannot be written. Throws UsageError and Error
  /// (already_exists, not_found, permission_denied ...).
  Outputs(std::vector<std::string> files, bool force, const std::vector<std::string>& inputs, const std::string& module);

  bool empty() const { return files_.empty(); }
  /// The file that result `index` goes to.
  const std::string& file_of(std::size_t index) const { return files_[to_one_ ? 0 : index]; }

  /// Compares the number of files with that of the results, as soon as it is known. Throws Error (invalid_argument).
  void check_count(std::size_t results);
  /// Whether the results have values, and the formats their element types. Throws Error (invalid_argument).
  void check_types(const std::vector<TensorType>& results) const;

  /// Writes everything to temporaries beside the targets, and only then gives them their names. When one cannot get its name,
  /// those before it are taken back, or named in the error where they have replaced an older file. `json`: how Ctrl-C is reported.
  void write(const std::vector<Array>& results, bool json) const;

 private:
  AtomicFile open(const std::string& file) const;

  std::vector<std::string> files_;
  bool force_;
  bool to_one_ = false;
};

/// Names of the results inside a file: output_0 ... or output_00 ... when there are more than ten, so that the order of names is
/// that of the results.
std::string output_name(std::size_t index, std::size_t count);

}  // namespace pier::cli
