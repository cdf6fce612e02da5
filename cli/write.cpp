#include "write.h"

#include <cerrno>

#include <unistd.h>

namespace pier::cli {

int write_fully(int fd, std::string_view text) noexcept {
  while (!text.empty()) {
    const ssize_t done = ::write(fd, text.data(), text.size());
    if (done < 0 && errno == EINTR) continue;
    if (done <= 0) return done < 0 ? errno : EIO;
    text.remove_prefix(static_cast<std::size_t>(done));
  }
  return 0;
}

}  // namespace pier::cli
