#pragma once

#include <string_view>

#include <pier/dtype.h>

namespace pier {

// What the dictionary of a .npy header says.
struct NpyLiteral {
  std::string_view descr;  // the text between the quotes, or the raw list of a record type
  bool descr_is_text = true;
  bool fortran_order = false;
  Shape shape;
};

// Reads the Python dictionary of a .npy header: the keys 'descr', 'fortran_order' and 'shape' once each, in any order, with
// blanks anywhere, either kind of quotes, trailing commas, and the u'' and 2L of Python 2. Throws IntegrityError that names
// `source` and shows the header. Views in the result point into `header`.
NpyLiteral parse_npy_literal(std::string_view header, std::string_view source);

}  // namespace pier
