#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <pier/store.h>

namespace pier::test {

// A zip archive written byte by byte, so that it can lie in every way that an attacker's would.
class ZipWriter {
 public:
  struct Options {
    std::uint32_t mode = 0100644;              // Unix mode in the central directory
    std::string central_name = {};             // another name there
    bool in_central = true;
    bool in_stream = true;                     // a local header and data
    bool descriptor = false;                   // sizes after the data
    bool encrypted = false;
    std::int64_t size_lie = 0;                 // added to the uncompressed size in both headers
    std::int64_t central_size_lie = 0;
    std::uint32_t crc_flip = 0;
  };
  void add(const std::string& name, std::string_view content);  // deflated when that is shorter
  void add(const std::string& name, std::string_view content, const Options& options);
  std::string finish(std::string_view comment = {});

 private:
  std::string out_;
  std::string central_;
  std::uint16_t entries_ = 0;
};

// A wheel with a RECORD. What is added may replace what is there.
class WheelBuilder {
 public:
  explicit WheelBuilder(std::string project = "test_plugin", std::string version = "1.0");
  WheelBuilder& file(const std::string& path, std::string content);
  // A line in RECORD for something that is not there, or another line for what is.
  WheelBuilder& record_line(const std::string& path, const std::string& line);
  WheelBuilder& without_record();
  std::string build() const;
  // What the rows of RECORD are made of.
  static std::string record_row(const std::string& path, std::string_view content);
  std::string record_path() const;

 private:
  struct File {
    std::string path;
    std::string content;
  };
  std::string project_;
  std::string version_;
  std::vector<File> files_;
  std::vector<std::pair<std::string, std::string>> lines_;
  bool record_ = true;
};

std::string sha256_hex(std::string_view content);

// A plugin for this machine, read from the shared library that is built with the tests.
std::string host_library();
// The same for the other processor.
std::string foreign_library();
std::string foreign_platform();

// A wheel with a library for this machine, and the request that pins it.
std::string plugin_wheel(const std::string& version = "1.0", std::size_t padding = 0);
PluginRequest plugin_request(const std::string& wheel, const std::string& version = "1.0");

// A package that a plugin needs: <name>/lib/lib<name>.so.1 and so much noise. Its name as a wheel, and a pin of it.
std::string companion_wheel(const std::string& name, std::size_t padding = 0);
Pin companion_pin(const std::string& name, const std::string& wheel);

}  // namespace pier::test
