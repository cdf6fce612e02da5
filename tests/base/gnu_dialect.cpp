#include <pier/array.h>

// Compiled in the GNU dialect, which counts 128-bit numbers among the integers: PJRT has no such type.
__extension__ typedef __int128 Wide;
static_assert(pier::dtype_of<Wide> == pier::DType::invalid);
static_assert(pier::dtype_of<long long> == pier::DType::int64);
