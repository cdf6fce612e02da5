#include <pier/module.h>

#include <pier/error.h>

#include "base/file.h"
#include "base/text.h"
#include "runtime/checked.h"
#include "runtime/hlo.h"
#include "runtime/mlir_text.h"

namespace pier {

struct Module::Impl {
  ModuleFormat format;
  std::string_view bytes;
  std::string name;
  std::shared_ptr<const void> owner;
};

namespace {

// MLIR bytecode: the first four bytes of every such file (MLIR documentation, "MLIR Bytecode Format").
constexpr std::string_view bytecode_magic = "ML\xefR";

// Some editors begin UTF-8 text with it; the parser of MLIR does not know it.
std::string_view without_byte_order_mark(std::string_view text) {
  constexpr std::string_view mark = "\xef\xbb\xbf";
  return text.substr(text.starts_with(mark) ? mark.size() : 0);
}

std::shared_ptr<const Module::Impl> recognise(std::string_view bytes, std::string name, std::shared_ptr<const void> owner) {
  if (bytes.starts_with(bytecode_magic))
    return std::make_shared<Module::Impl>(Module::Impl{ModuleFormat::mlir_bytecode, bytes, std::move(name), std::move(owner)});
  if (const std::string_view mlir = without_byte_order_mark(bytes); runtime::looks_like_mlir_text(mlir)) {
    if (mlir.find('\0') != std::string_view::npos)
      throw IntegrityError(text("{} starts as MLIR text and has zero bytes in it", name));
    return std::make_shared<Module::Impl>(Module::Impl{ModuleFormat::mlir_text, mlir, std::move(name), std::move(owner)});
  }
  if (const auto hlo = runtime::find_hlo_module(bytes))
    return std::make_shared<Module::Impl>(Module::Impl{ModuleFormat::hlo, *hlo, std::move(name), std::move(owner)});

  IntegrityError error(bytes.empty() ? text("{} is empty, not a module", name) : text("{} is not a module that PJRT takes", name));
  if (without_byte_order_mark(bytes).starts_with("HloModule"))
    error.note("it is HLO as text; plugins take HLO only as a serialized HloModuleProto");
  throw error.note("known: MLIR text, MLIR bytecode (a StableHLO portable artifact), a serialized HloModuleProto");
}

}  // namespace

Module::Module(std::shared_ptr<const Impl> impl) noexcept : impl_(std::move(impl)) {}

Module Module::from_file(const std::filesystem::path& path) {
  const MappedFile file(path);
  const std::string_view bytes(reinterpret_cast<const char*>(file.bytes().data()), file.bytes().size());
  return Module(recognise(bytes, path.string(), file.owner()));
}

Module Module::from_bytes(std::string_view bytes, std::string name) {
  auto copy = std::make_shared<const std::string>(bytes);
  const std::string_view view = *copy;
  return Module(recognise(view, std::move(name), std::move(copy)));
}

const Module::Impl& Module::own() const { return runtime::held(impl_, "a module"); }

ModuleFormat Module::format() const { return own().format; }
std::string_view Module::bytes() const { return own().bytes; }
const std::string& Module::name() const { return own().name; }

std::optional<Signature> Module::signature() const {
  switch (own().format) {
    case ModuleFormat::mlir_text: return runtime::mlir_text_signature(impl_->bytes);
    case ModuleFormat::hlo: return runtime::hlo_signature(impl_->bytes);
    case ModuleFormat::mlir_bytecode: break;
  }
  return std::nullopt;
}

}  // namespace pier
