#pragma once

#include <optional>
#include <string_view>

#include <pier/module.h>

namespace pier::runtime {

// The types in the head of the entry function ("main", else the only public one) of an MLIR module in text form, in
// func.func's own syntax or in generic form. Nothing when there is no such function, or when a type has no PJRT element type
// or a dynamic extent: then only a compiler can tell. Reads heads only, so a body of any size costs one scan.
std::optional<Signature> mlir_text_signature(std::string_view text);

// Whether the bytes look like MLIR text: comments and white space, then a word that such a file starts with.
bool looks_like_mlir_text(std::string_view bytes);

}  // namespace pier::runtime
