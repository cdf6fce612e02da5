#include "io/inflate.h"

#include <algorithm>
#include <limits>

#include <zlib.h>

#include <pier/error.h>

#include "base/late.h"
#include "base/text.h"

namespace pier {
namespace {

struct Zlib {
  LateLibrary library{{PIER_ZLIB_NAMES}, "zlib (Debian: zlib1g)"};
  decltype(&::inflateInit2_) init = library.symbol<decltype(&::inflateInit2_)>("inflateInit2_");
  decltype(&::inflate) run = library.symbol<decltype(&::inflate)>("inflate");
  decltype(&::inflateEnd) end = library.symbol<decltype(&::inflateEnd)>("inflateEnd");
};

const Zlib& zlib() {
  static const Zlib loaded;
  return loaded;
}

constexpr std::size_t max_piece = std::numeric_limits<uInt>::max();

}  // namespace

struct Inflater::State {
  z_stream stream{};
  std::span<const std::byte> left;
  std::string source;
  std::size_t total = 0;
  bool ended = false;

  // Runs until `target` is full or the stream ends; returns the bytes written.
  std::size_t fill(std::span<std::byte> target) {
    std::size_t done = 0;
    while (!ended && done < target.size()) {
      const std::size_t give = std::min(left.size(), max_piece);
      const std::size_t room = std::min(target.size() - done, max_piece);
      stream.next_in = reinterpret_cast<Bytef*>(const_cast<std::byte*>(left.data()));
      stream.avail_in = static_cast<uInt>(give);
      stream.next_out = reinterpret_cast<Bytef*>(target.data() + done);
      stream.avail_out = static_cast<uInt>(room);
      const int result = zlib().run(&stream, Z_NO_FLUSH);
      const std::size_t taken = give - stream.avail_in;
      const std::size_t made = room - stream.avail_out;
      left = left.subspan(taken);
      done += made;
      ended = result == Z_STREAM_END;
      if (result == Z_MEM_ERROR)
        throw Error(ErrorCode::resource_exhausted, text("{}: no memory to decompress it", source));
      if (result != Z_OK && result != Z_STREAM_END && result != Z_BUF_ERROR)
        throw IntegrityError(text("{}: the deflated data is broken after {} bytes: {}", source, total + done,
                                  stream.msg ? stream.msg : "zlib gives no reason"));
      if (taken == 0 && made == 0 && !ended)
        throw IntegrityError(text("{}: the deflated data ends early, after {} bytes", source, total + done));
    }
    total += done;
    return done;
  }
};

Inflater::Inflater(std::span<const std::byte> compressed, std::string source) : state_(std::make_unique<State>()) {
  state_->left = compressed;
  state_->source = std::move(source);
  // Negative window bits: no zlib header, as in zip files.
  const int result = zlib().init(&state_->stream, -MAX_WBITS, ZLIB_VERSION, static_cast<int>(sizeof(z_stream)));
  if (result != Z_OK)
    throw Error(ErrorCode::resource_exhausted, text("{}: zlib cannot start: error {}", state_->source, result));
}

Inflater::~Inflater() { zlib().end(&state_->stream); }

void Inflater::read(std::span<std::byte> target) {
  const std::size_t done = state_->fill(target);
  if (done < target.size())
    throw IntegrityError(
        text("{}: the deflated data ends after {} bytes, {} short", state_->source, state_->total, target.size() - done));
}

void Inflater::finish() {
  std::byte beyond{};
  if (state_->fill({&beyond, 1}) != 0)
    throw IntegrityError(
        text("{}: more than the promised {} bytes come out of the deflated data", state_->source, state_->total - 1));
  if (!state_->left.empty())
    throw IntegrityError(text("{}: {} bytes follow the end of the deflated data", state_->source, state_->left.size()));
}

}  // namespace pier
