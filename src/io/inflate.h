#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>

namespace pier {

// Decompresses one raw deflate stream (RFC 1951) piece by piece. zlib is opened when the first one is made.
class Inflater {
 public:
  // `source` names the stream in errors, which are IntegrityErrors unless zlib is missing (not_available).
  Inflater(std::span<const std::byte> compressed, std::string source);
  ~Inflater();
  Inflater(const Inflater&) = delete;
  Inflater& operator=(const Inflater&) = delete;

  // Fills `target` exactly.
  void read(std::span<std::byte> target);
  // The stream must end here, with no byte left on either side.
  void finish();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace pier
