#include "store/wheel.h"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <random>
#include <stdexcept>

#include <zlib.h>

#include "base/platform.h"
#include "store/digest.h"

namespace pier::test {
namespace {

template <class T>
void put(std::string& out, T value) {
  for (std::size_t i = 0; i < sizeof(T); ++i) out += static_cast<char>(static_cast<unsigned char>(value >> (8 * i)));
}

std::string deflated(std::string_view content) {
  z_stream stream{};
  if (deflateInit2(&stream, 1, Z_DEFLATED, -15, 8, Z_DEFAULT_STRATEGY) != Z_OK) throw std::runtime_error("deflateInit2");
  std::string out(deflateBound(&stream, static_cast<uLong>(content.size())), '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(content.data()));
  stream.avail_in = static_cast<uInt>(content.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  const int status = deflate(&stream, Z_FINISH);
  out.resize(stream.total_out);
  deflateEnd(&stream);
  if (status != Z_STREAM_END) throw std::runtime_error("deflate");
  return out;
}

std::string read_all(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) throw std::runtime_error("cannot read " + path);
  return {std::istreambuf_iterator<char>(in), {}};
}

}  // namespace

void ZipWriter::add(const std::string& name, std::string_view content) { add(name, content, Options{}); }

void ZipWriter::add(const std::string& name, std::string_view content, const Options& options) {
  std::string data = deflated(content);
  std::uint16_t method = 8;
  if (data.size() >= content.size() && !options.descriptor) {
    data = content;
    method = 0;
  }
  const bool utf8 = std::ranges::any_of(name, [](char c) { return static_cast<unsigned char>(c) >= 0x80; });
  const auto flags = static_cast<std::uint16_t>((options.encrypted ? 1 : 0) | (options.descriptor ? 8 : 0) | (utf8 ? 0x800 : 0));
  const auto crc = static_cast<std::uint32_t>(crc32(0, reinterpret_cast<const Bytef*>(content.data()), static_cast<uInt>(content.size()))) ^
                   options.crc_flip;
  const auto size = static_cast<std::uint32_t>(static_cast<std::int64_t>(content.size()) + options.size_lie);
  const auto offset = static_cast<std::uint32_t>(out_.size());
  if (options.in_stream) {
    put<std::uint32_t>(out_, 0x04034b50);
    put<std::uint16_t>(out_, 20);
    put<std::uint16_t>(out_, flags);
    put<std::uint16_t>(out_, method);
    put<std::uint32_t>(out_, 0x00210000);
    put<std::uint32_t>(out_, options.descriptor ? 0 : crc);
    put<std::uint32_t>(out_, options.descriptor ? 0 : static_cast<std::uint32_t>(data.size()));
    put<std::uint32_t>(out_, options.descriptor ? 0 : size);
    put<std::uint16_t>(out_, static_cast<std::uint16_t>(name.size()));
    put<std::uint16_t>(out_, 0);
    out_ += name;
    out_ += data;
    if (options.descriptor) {
      put<std::uint32_t>(out_, 0x08074b50);
      put<std::uint32_t>(out_, crc);
      put<std::uint32_t>(out_, static_cast<std::uint32_t>(data.size()));
      put<std::uint32_t>(out_, size);
    }
  }
  if (!options.in_central) return;
  const std::string& shown = options.central_name.empty() ? name : options.central_name;
  put<std::uint32_t>(central_, 0x02014b50);
  put<std::uint16_t>(central_, 0x0314);  // made on Unix
  put<std::uint16_t>(central_, 20);
  put<std::uint16_t>(central_, flags);
  put<std::uint16_t>(central_, method);
  put<std::uint32_t>(central_, 0x00210000);
  put<std::uint32_t>(central_, crc);
  put<std::uint32_t>(central_, static_cast<std::uint32_t>(data.size()));
  put<std::uint32_t>(central_, static_cast<std::uint32_t>(size + options.central_size_lie));
  put<std::uint16_t>(central_, static_cast<std::uint16_t>(shown.size()));
  put<std::uint16_t>(central_, 0);
  put<std::uint16_t>(central_, 0);
  put<std::uint16_t>(central_, 0);
  put<std::uint16_t>(central_, 0);
  put<std::uint32_t>(central_, options.mode << 16);
  put<std::uint32_t>(central_, offset);
  central_ += shown;
  ++entries_;
}

std::string ZipWriter::finish(std::string_view comment) {
  const auto start = static_cast<std::uint32_t>(out_.size());
  out_ += central_;
  put<std::uint32_t>(out_, 0x06054b50);
  put<std::uint16_t>(out_, 0);
  put<std::uint16_t>(out_, 0);
  put<std::uint16_t>(out_, entries_);
  put<std::uint16_t>(out_, entries_);
  put<std::uint32_t>(out_, static_cast<std::uint32_t>(central_.size()));
  put<std::uint32_t>(out_, start);
  put<std::uint16_t>(out_, static_cast<std::uint16_t>(comment.size()));
  out_ += comment;
  return std::move(out_);
}

namespace {

std::string noise(std::size_t size, unsigned seed) {
  std::string out(size, '\0');
  std::minstd_rand random(seed);
  for (char& c : out) c = static_cast<char>(static_cast<unsigned char>(random() >> 8));
  return out;
}

}  // namespace

WheelBuilder::WheelBuilder(std::string project, std::string version) : project_(std::move(project)), version_(std::move(version)) {
  file(project_ + "-" + version_ + ".dist-info/METADATA", "Metadata-Version: 2.1\nName: " + project_ + "\nVersion: " + version_ + "\n");
}

WheelBuilder& WheelBuilder::file(const std::string& path, std::string content) {
  files_.push_back({path, std::move(content)});
  return *this;
}

WheelBuilder& WheelBuilder::record_line(const std::string& path, const std::string& line) {
  lines_.emplace_back(path, line);
  return *this;
}

WheelBuilder& WheelBuilder::without_record() {
  record_ = false;
  return *this;
}

std::string WheelBuilder::record_path() const { return project_ + "-" + version_ + ".dist-info/RECORD"; }

std::string WheelBuilder::record_row(const std::string& path, std::string_view content) {
  Digest digest;
  digest.update(std::as_bytes(std::span(content)));
  const bool quote = path.find_first_of(",\"") != std::string::npos;
  std::string shown = path;
  if (quote) {
    shown = "\"";
    for (const char c : path) shown += c == '"' ? std::string("\"\"") : std::string(1, c);
    shown += '"';
  }
  return shown + ",sha256=" + to_base64url(digest.finish()) + "," + std::to_string(content.size()) + "\n";
}

std::string WheelBuilder::build() const {
  ZipWriter zip;
  std::string record;
  for (const File& file : files_) {
    zip.add(file.path, file.content);
    const auto line = std::ranges::find(lines_, file.path, &std::pair<std::string, std::string>::first);
    record += line == lines_.end() ? record_row(file.path, file.content) : line->second;
  }
  for (const auto& [path, line] : lines_)
    if (std::ranges::find(files_, path, &File::path) == files_.end()) record += line;
  record += record_path() + ",,\n";
  if (record_) zip.add(record_path(), record);
  return zip.finish();
}

std::string sha256_hex(std::string_view content) {
  Digest digest;
  digest.update(std::as_bytes(std::span(content)));
  return to_hex(digest.finish());
}

std::string host_library() { return read_all(PIER_TEST_PLUGIN); }

std::string foreign_platform() { return host_platform().arch == Arch::x86_64 ? "linux-aarch64" : "linux-x86_64"; }

std::string foreign_library() {
  std::string bytes = host_library();
  bytes[18] = static_cast<char>(host_platform().arch == Arch::x86_64 ? 183 : 62);  // e_machine
  return bytes;
}

std::string plugin_wheel(const std::string& version, std::size_t padding) {
  WheelBuilder wheel("test_plugin", version);
  wheel.file("test_plugin/__init__.py", "raise SystemExit('never run')\n");
  wheel.file("test_plugin/lib/plugin.so", host_library());
  if (padding > 0) {
    wheel.file("test_plugin/noise.bin", noise(padding, 7));
  }
  return wheel.build();
}

std::string companion_wheel(const std::string& name, std::size_t padding) {
  WheelBuilder wheel(name, "2.5");
  wheel.file("shared/__init__.py", "");
  wheel.file("shared/" + name + "/lib/lib" + name + ".so.1", host_library());
  if (padding > 0) wheel.file("shared/" + name + "/noise.bin", noise(padding, static_cast<unsigned>(name.back())));
  return wheel.build();
}

Pin companion_pin(const std::string& name, const std::string& wheel) {
  Pin pin;
  pin.package = name;
  pin.version = "2.5";
  pin.file = name + "-2.5-py3-none-any.whl";
  pin.size = wheel.size();
  pin.sha256 = sha256_hex(wheel);
  pin.platform = to_string(host_platform());
  pin.libraries = {"lib" + name + ".so.1"};
  return pin;
}

PluginRequest plugin_request(const std::string& wheel, const std::string& version) {
  PluginRequest request;
  request.id = "test";
  request.labels = {"cpu"};
  request.priority = 10;
  request.pin.package = "test-plugin";
  request.pin.version = version;
  request.pin.file = "test_plugin-" + version + "-py3-none-any.whl";
  request.pin.size = wheel.size();
  request.pin.sha256 = sha256_hex(wheel);
  request.pin.member = "test_plugin/lib/plugin.so";
  request.pin.platform = to_string(host_platform());
  return request;
}

}  // namespace pier::test
