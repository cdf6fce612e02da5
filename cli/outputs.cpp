#include "outputs.h"

#include <algorithm>
#include <filesystem>

#include <unistd.h>

#include <pier/error.h>
#include <pier/files.h>

#include "base/file.h"
#include "base/text.h"
#include "base/utf8.h"
#include "interrupt.h"
#include "io/safetensors_header.h"
#include "io/write.h"
#include "paths.h"
#include "usage.h"

namespace pier::cli {
namespace {

namespace fs = std::filesystem;

bool is_archive(const fs::path& path) { return format_by_suffix(path)->holds_many; }

// All of them, or none where nothing may be replaced: what has got its name is taken back when a later one fails.
void commit(std::vector<AtomicFile>& files, bool force) {
  // What can fail for want of room fails here, while the old files are still there.
  for (AtomicFile& file : files) file.sync();
  std::vector<fs::path> done;
  try {
    for (AtomicFile& file : files) {
      file.commit();
      done.push_back(file.target());
    }
  } catch (Error& error) {
    for (const fs::path& target : done) {
      if (force) error.note(text("{} has been replaced already", target.native()));
      else ::unlink(target.c_str());
    }
    throw;
  }
}

}  // namespace

Outputs::Outputs(std::vector<std::string> files, bool force, const std::vector<std::string>& inputs, const std::string& module)
    : files_(std::move(files)), force_(force) {
  std::vector<fs::path> targets;
  // What the names alone tell comes before anything is looked at.
  for (const std::string& file : files_)
    if (!format_by_suffix(file)) throw UsageError("run", text("-o {}: the suffix must be .npy, .npz or .safetensors", shortened(file)));
  for (std::size_t i = 0; i < files_.size(); ++i) {
    const fs::path path = files_[i];
    for (const std::string& input : inputs)
      if (same_file(input, path)) throw UsageError("run", text("-o {}: it is also an input", files_[i]));
    if (same_file(module, path)) throw UsageError("run", text("-o {}: it is the module", files_[i]));

    try {
      // Made and removed at once: only the attempt shows that the folder can be written.
      targets.push_back(open(files_[i]).target());
    } catch (Error& error) {
      std::error_code ignored;
      if (error.code() == ErrorCode::already_exists && !force_ && !fs::is_directory(path, ignored))
        error.note("give --force to replace it");
      if (const fs::path folder = parent_of(path); !fs::is_directory(folder, ignored))
        error.note(fs::exists(folder, ignored) ? text("{} is a file, not a folder", folder.native()) : text("the folder {} is not there", folder.native()));
      throw;
    }
    // Links have been followed: two of them may lead to one file that is still to be made.
    for (std::size_t j = 0; j < i; ++j)
      if (same_file(targets[j], targets[i])) throw UsageError("run", text("-o {}: given twice", files_[i]));
  }
}

void Outputs::check_count(std::size_t results) {
  to_one_ = files_.size() == 1 && is_archive(files_.front());
  if (files_.empty() || to_one_ || files_.size() == results) return;
  throw Error(ErrorCode::invalid_argument,
              text("the module gives {} result{}, and -o names {} file{}", results, results == 1 ? "" : "s", files_.size(),
                   files_.size() == 1 ? "" : "s"))
      .note("give one -o for each result, or one .npz or .safetensors for all of them");
}

void Outputs::check_types(const std::vector<TensorType>& results) const {
  for (std::size_t i = 0; i < results.size(); ++i) {
    const auto& [type, shape] = results[i];
    if (type == DType::token)
      throw Error(ErrorCode::invalid_argument, text("result {} is a token: it orders effects, and has no value to show or write", i))
          .note("give pier a module whose entry function does not return it");
    if (files_.empty()) continue;
    // The other formats have every type.
    if (format_by_suffix(file_of(i))->write != write_safetensors) continue;
    const bool open_extent = std::any_of(shape.begin(), shape.end(), [](std::int64_t extent) { return extent < 0; });
    if (!safetensors_name(type).empty() && (open_extent || safetensors_nbytes(type, shape))) continue;
    throw Error(ErrorCode::invalid_argument, text("result {} is {}, which {} cannot hold", i, to_string(results[i]), file_of(i)))
        .note("safetensors has few element types, and packs those below 8 bits into whole bytes")
        .note("write it to a .npy or .npz file");
  }
}

AtomicFile Outputs::open(const std::string& file) const {
  return AtomicFile(file, force_ ? AtomicFile::Existing::replace : AtomicFile::Existing::refuse);
}

void Outputs::write(const std::vector<Array>& results, bool json) const {
  const InterruptGuard guard(json, InterruptGuard::Stop::at_check);
  NamedArrays arrays;
  for (std::size_t i = 0; i < results.size(); ++i) arrays.push_back({output_name(i, results.size()), results[i]});
  std::vector<AtomicFile> files;
  for (std::size_t i = 0; i < std::min(files_.size(), to_one_ ? std::size_t{1} : results.size()); ++i) {
    try {
      files.push_back(open(files_[i]));
      format_by_suffix(files_[i])->write(files.back(), to_one_ ? arrays : NamedArrays{arrays[i]});
    } catch (Error& error) {
      error.note(text("while writing {}", files_[i]));
      throw;
    }
    InterruptGuard::check();
  }
  commit(files, force_);
}

std::string output_name(std::size_t index, std::size_t count) {
  std::string number = std::to_string(index);
  const std::size_t digits = std::to_string(count > 0 ? count - 1 : 0).size();
  return "output_" + std::string(digits - std::min(digits, number.size()), '0') + number;
}

}  // namespace pier::cli
