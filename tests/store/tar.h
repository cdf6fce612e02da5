#pragma once

#include <string>
#include <string_view>

namespace pier::test {

// A tar archive (ustar), member by member, with whatever an attacker would write.
class TarWriter {
 public:
  struct Options {
    char type = '0';          // '0' file, '1' hard link, '2' symbolic link, '3' device, '5' folder
    unsigned mode = 0644;
    std::string link = {};
    std::string claimed_size = {};  // octal digits in place of the content's size
  };
  void add(const std::string& name, std::string_view content);
  void add(const std::string& name, std::string_view content, const Options& options);
  std::string finish();

 private:
  std::string out_;
};

std::string gzipped(std::string_view content);
// As a zstd frame of blocks that are stored.
std::string zstd_stored(std::string_view content);

}  // namespace pier::test
