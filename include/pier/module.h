#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <pier/dtype.h>
#include <pier/export.h>

namespace pier {

/// What a function takes and gives.
struct Signature {
  std::vector<TensorType> arguments;
  std::vector<TensorType> results;
};

enum class ModuleFormat {
  mlir_text,      ///< StableHLO (or VHLO) as text.
  mlir_bytecode,  ///< MLIR bytecode: StableHLO, or a portable artifact as jax.export writes.
  hlo,            ///< A serialized xla.HloModuleProto.
};

/// A program before it is compiled. A value that shares its bytes with its copies.
class PIER_API Module {
 public:
  /// Maps the file and tells the format from its bytes. Throws IntegrityError when it is none of the known ones.
  static Module from_file(const std::filesystem::path& path);
  /// Copies the bytes. `name` stands for the module in error messages.
  static Module from_bytes(std::string_view bytes, std::string name = "module");

  ModuleFormat format() const;
  std::string_view bytes() const;
  /// The file it came from, or the given name.
  const std::string& name() const;

  /// Types of the entry function as the module itself states them; nothing where only a compiler can tell (bytecode, text
  /// without an entry function, types that have no element type in PJRT, dynamic extents).
  std::optional<Signature> signature() const;

  struct Impl;
  explicit Module(std::shared_ptr<const Impl> impl) noexcept;

 private:
  const Impl& own() const;
  std::shared_ptr<const Impl> impl_;
};

}  // namespace pier
