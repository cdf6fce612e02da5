#include "store/tar.h"

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <numeric>
#include <stdexcept>

#include <zlib.h>

namespace pier::test {
namespace {

void put(std::string& header, std::size_t at, std::string_view text) { std::copy(text.begin(), text.end(), header.begin() + static_cast<std::ptrdiff_t>(at)); }

std::string octal(std::size_t value, int digits) {
  char out[32];
  std::snprintf(out, sizeof out, "%0*zo", digits, value);
  return out;
}

}  // namespace

void TarWriter::add(const std::string& name, std::string_view content) { add(name, content, Options{}); }

void TarWriter::add(const std::string& name, std::string_view content, const Options& options) {
  std::string header(512, '\0');
  put(header, 0, name);
  put(header, 100, octal(options.mode, 7));
  put(header, 108, octal(0, 7));
  put(header, 116, octal(0, 7));
  put(header, 124, options.claimed_size.empty() ? octal(content.size(), 11) : options.claimed_size);
  put(header, 136, octal(0, 11));
  put(header, 148, "        ");
  header[156] = options.type;
  put(header, 157, options.link);
  put(header, 257, std::string_view("ustar\0" "00", 8));
  const unsigned sum = std::accumulate(header.begin(), header.end(), 0u, [](unsigned all, char c) { return all + static_cast<unsigned char>(c); });
  put(header, 148, octal(sum, 6) + std::string("\0 ", 2));
  out_ += header;
  out_ += content;
  out_.resize((out_.size() + 511) / 512 * 512, '\0');
}

std::string TarWriter::finish() { return out_ + std::string(1024, '\0'); }

std::string gzipped(std::string_view content) {
  z_stream stream{};
  if (deflateInit2(&stream, 6, Z_DEFLATED, 31, 8, Z_DEFAULT_STRATEGY) != Z_OK) throw std::runtime_error("deflateInit2");
  std::string out(deflateBound(&stream, static_cast<uLong>(content.size())) + 64, '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(content.data()));
  stream.avail_in = static_cast<uInt>(content.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  if (deflate(&stream, Z_FINISH) != Z_STREAM_END) throw std::runtime_error("deflate");
  out.resize(stream.total_out);
  deflateEnd(&stream);
  return out;
}

std::string zstd_stored(std::string_view content) {
  // Magic number, then a descriptor: one segment, whose size follows in four bytes.
  std::string out("\x28\xb5\x2f\xfd\xa0", 5);
  const auto number = [&](std::size_t value, int bytes) {
    for (int i = 0; i < bytes; ++i) out += static_cast<char>(static_cast<unsigned char>(value >> (8 * i)));
  };
  number(content.size(), 4);
  constexpr std::size_t block = 100'000;
  do {
    const std::string_view part = content.substr(0, block);
    content.remove_prefix(part.size());
    number((content.empty() ? 1u : 0u) | (part.size() << 3), 3);
    out += part;
  } while (!content.empty());
  return out;
}

}  // namespace pier::test
