#include "outputs.h"

#include <algorithm>
#include <cerrno>
#include <filesystem>

#include <unistd.h>

#include <pier/error.h>
#include <pier/files.h>

#include "base/file.h"
#include "base/text.h"
#include "interrupt.h"
#include "usage.h"

namespace pier::cli {
namespace {

namespace fs = std::filesystem;

bool is_archive(const fs::path& path) { return path.extension() == ".npz" || path.extension() == ".safetensors"; }

fs::path folder_of(const fs::path& path) { return path.has_parent_path() ? path.parent_path() : fs::path("."); }

bool same_file(const fs::path& a, const fs::path& b) {
  std::error_code error;
  if (fs::equivalent(a, b, error)) return true;
  // A file that is not there yet is known by its folder and name.
  return a.filename() == b.filename() && fs::equivalent(folder_of(a), folder_of(b), error);
}

// A private folder for temporaries beside a target: removed with what is left in it.
class TemporaryFolder {
 public:
  explicit TemporaryFolder(const fs::path& parent) : path_(make_temporary_folder(parent)) {}
  TemporaryFolder(TemporaryFolder&& other) noexcept : path_(std::exchange(other.path_, {})) {}
  TemporaryFolder& operator=(TemporaryFolder&&) = delete;
  ~TemporaryFolder() {
    std::error_code ignored;
    if (!path_.empty()) fs::remove_all(path_, ignored);
  }
  const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

struct Pending {
  TemporaryFolder folder;
  fs::path temporary;
  fs::path target;
};

bool has_no_links(int error) { return error == EPERM || error == ENOTSUP || error == EOPNOTSUPP || error == EMLINK; }

void commit(const std::vector<Pending>& pending, bool force) {
  std::vector<fs::path> named;
  try {
    for (const Pending& file : pending) {
      if (force) {
        if (::rename(file.temporary.c_str(), file.target.c_str()) != 0) throw_errno(errno, "write", file.target);
      } else {
        // link() fails when the name exists, so a file that appeared meanwhile is never replaced. Some file systems have no
        // links; there the name is looked at once more.
        if (::link(file.temporary.c_str(), file.target.c_str()) != 0) {
          const int error = errno;
          if (error == EEXIST || !has_no_links(error)) throw_errno(error, "write", file.target);
          if (fs::exists(fs::symlink_status(file.target))) throw_errno(EEXIST, "write", file.target);
          if (::rename(file.temporary.c_str(), file.target.c_str()) != 0) throw_errno(errno, "write", file.target);
        }
        named.push_back(file.target);
      }
    }
  } catch (...) {
    for (const fs::path& target : named) ::unlink(target.c_str());
    throw;
  }
  for (const Pending& file : pending) sync_folder(folder_of(file.target));
}

}  // namespace

Outputs::Outputs(std::vector<std::string> files, bool force, const std::vector<std::string>& inputs, const std::string& module)
    : files_(std::move(files)), force_(force) {
  for (std::size_t i = 0; i < files_.size(); ++i) {
    const fs::path path = files_[i];
    if (path.extension() != ".npy" && !is_archive(path))
      throw UsageError("run", text("-o {}: the suffix must be .npy, .npz or .safetensors", files_[i]));
    for (std::size_t j = 0; j < i; ++j)
      if (same_file(files_[j], path)) throw UsageError("run", text("-o {}: given twice", files_[i]));
    for (const std::string& input : inputs)
      if (same_file(input, path)) throw UsageError("run", text("-o {}: it is also an input", files_[i]));
    if (same_file(module, path)) throw UsageError("run", text("-o {}: it is the module", files_[i]));

    const auto existing = force_ ? AtomicFile::Existing::replace : AtomicFile::Existing::refuse;
    try {
      // Made and removed at once: only the attempt shows that the folder can be written.
      const AtomicFile rehearsal(path, existing);
    } catch (Error& error) {
      std::error_code ignored;
      if (error.code() == ErrorCode::already_exists && !force_ && !fs::is_directory(path, ignored))
        error.note("give --force to replace it");
      if (!fs::is_directory(folder_of(path), ignored))
        error.note(text("the folder {} is not there", folder_of(path).native()));
      throw;
    }
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
  for (std::size_t i = 0; i < results.size() && !files_.empty(); ++i) {
    const fs::path target = file_of(i);
    const DType type = results[i].dtype;
    // Every format has the types of C++; for the others its own writer is asked, with as few elements as behave the same:
    // packed ones may have to fill their last byte.
    if (target.extension() != ".safetensors" || (type <= DType::bfloat16 && type != DType::invalid)) continue;
    const TemporaryFolder folder(fs::temp_directory_path());
    try {
      save_arrays(folder.path() / "rehearsal.safetensors", {{output_name(i, results.size()), Array::zeros(type, {num_elements(results[i].shape) % 8})}});
    } catch (const Error& error) {
      if (error.code() != ErrorCode::invalid_argument) continue;
      throw Error(ErrorCode::invalid_argument, text("result {} is {}, which {} cannot hold", i, to_string(results[i]), target.native()))
          .note("safetensors has few element types, and packs those below 8 bits into whole bytes")
          .note("write it to a .npy or .npz file");
    }
  }
}

void Outputs::write(const std::vector<Array>& results, bool json) const {
  const InterruptGuard guard(json);
  std::vector<Pending> pending;
  const std::size_t files = std::min(files_.size(), to_one_ ? std::size_t{1} : results.size());
  for (std::size_t i = 0; i < files; ++i) {
    const fs::path target = files_[i];
    TemporaryFolder folder(folder_of(target));
    fs::path temporary = folder.path() / ("output" + target.extension().native());
    NamedArrays arrays;
    if (to_one_)
      for (std::size_t k = 0; k < results.size(); ++k) arrays.push_back({output_name(k, results.size()), results[k]});
    else
      arrays.push_back({output_name(i, results.size()), results[i]});
    try {
      // In a folder of our own nothing can be replaced, and replacing needs no links.
      save_arrays(temporary, arrays, SaveMode::replace);
    } catch (Error& error) {
      error.note(text("while writing {}", target.native()));
      throw;
    }
    pending.push_back({std::move(folder), std::move(temporary), target});
    InterruptGuard::check();
  }
  commit(pending, force_);
}

std::string output_name(std::size_t index, std::size_t count) {
  std::string number = std::to_string(index);
  const std::size_t digits = std::to_string(count > 0 ? count - 1 : 0).size();
  return "output_" + std::string(digits - std::min(digits, number.size()), '0') + number;
}

}  // namespace pier::cli
