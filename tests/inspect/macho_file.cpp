#include "inspect/macho_file.h"

#include <functional>
#include <map>

namespace pier::test {
namespace {

void uleb(Bytes& out, std::uint64_t value) {
  do {
    const std::uint64_t low = value & 0x7f;
    value >>= 7;
    out.u8(value == 0 ? low : low | 0x80);
  } while (value != 0);
}

// Child offsets are written with a fixed width of 3 bytes, so that places are known before they are filled.
void uleb3(Bytes& out, std::size_t at, std::uint64_t value) {
  out.set(at, (value & 0x7f) | 0x80, 1);
  out.set(at + 1, (value >> 7 & 0x7f) | 0x80, 1);
  out.set(at + 2, value >> 14 & 0x7f, 1);
}

}  // namespace

Bytes export_trie(const std::vector<std::string>& names) {
  Bytes out;
  const std::function<void(const std::vector<std::string>&)> node = [&](const std::vector<std::string>& rest) {
    std::map<char, std::vector<std::string>> children;
    bool here = false;
    for (const std::string& name : rest) {
      if (name.empty()) here = true;
      else children[name[0]].push_back(name);
    }
    if (here) out.u8(3).u8(0), uleb(out, 0x2000);
    else out.u8(0);
    out.u8(children.size());
    std::vector<std::pair<std::size_t, std::vector<std::string>>> later;
    for (const auto& [first, group] : children) {
      std::string edge = group.front();
      for (const std::string& name : group)
        while (!name.starts_with(edge)) edge.pop_back();
      std::vector<std::string> tails;
      for (const std::string& name : group) tails.push_back(name.substr(edge.size()));
      out.string(edge);
      later.emplace_back(out.size(), std::move(tails));
      out.u8(0).u8(0).u8(0);
    }
    for (const auto& [place, tails] : later) {
      uleb3(out, place, out.size());
      node(tails);
    }
  };
  node(names);
  return out;
}

Bytes MachoFile::build() const {
  const std::size_t header = bits == 64 ? 32 : 28;
  Bytes commands(big_endian);
  std::uint32_t count = 0;
  const auto string_command = [&](std::uint32_t command, std::uint32_t fields, const std::string& text) {
    ++count;
    const std::size_t at = commands.size();
    commands.u32(command).u32(0).u32(fields);
    if (fields == 24) commands.u32(2).u32(0x10000).u32(0x10000);
    commands.string(text).align(8);
    commands.set(at + 4, commands.size() - at, 4);
  };
  // A segment over the whole file; its size is known at the end.
  ++count;
  const std::size_t w = bits == 64 ? 8 : 4;
  commands.u32(bits == 64 ? 0x19 : 0x1).u32(bits == 64 ? 72 : 56).string("__TEXT").pad_to(24);
  commands.number(0, w).number(0, w).number(0, w);
  const std::size_t segment_size_at = commands.size();
  commands.number(0, w).u32(7).u32(5).u32(0).u32(0);

  if (!install_name.empty()) string_command(0xd, 24, install_name);
  for (const Library& library : libraries) string_command(library.command, 24, library.name);
  for (const std::string& folder : rpath) string_command(0x8000001c, 12, folder);
  if (!uuid.empty()) ++count, commands.u32(0x1b).u32(24).text(uuid);
  if (minimum) {
    ++count;
    if (old_version_command) commands.u32(0x24).u32(16).u32(*minimum).u32(sdk);
    else commands.u32(0x32).u32(24).u32(platform).u32(*minimum).u32(sdk).u32(0);
  }

  Bytes table(big_endian), strings(big_endian);
  strings.u8(0);
  for (const std::string& name : exports) {
    table.u32(strings.size()).u8(0x0f).u8(1).u16(0).number(0x2000, w);
    strings.string(name);
  }
  const Bytes trie = export_trie(exports);
  const bool in_table = exports_in == Exports::symbol_table;
  const std::size_t link_command = in_table ? 24 : exports_in == Exports::trie ? 16 : 48;
  std::size_t data_at = header + commands.size() + link_command + (is_signed ? 16 : 0);
  ++count;
  if (in_table) {
    commands.u32(0x2).u32(24).u32(data_at).u32(exports.size()).u32(data_at + table.size()).u32(strings.size());
    data_at += table.size() + strings.size();
  } else if (exports_in == Exports::trie) {
    commands.u32(0x80000033).u32(16).u32(data_at).u32(trie.size());
    data_at += trie.size();
  } else {
    commands.u32(0x80000022).u32(48).pad_to(commands.size() + 32).u32(data_at).u32(trie.size());
    data_at += trie.size();
  }
  Bytes signature(true);
  signature.u32(0xfade0cc0).u32(40).u32(1).u32(0).u32(20).u32(0xfade0c02).u32(20).u32(0x20400).u32(ad_hoc ? 2 : 0).u32(0);
  if (is_signed) ++count, commands.u32(0x1d).u32(16).u32(data_at).u32(signature.size());

  Bytes out(big_endian);
  out.u32(bits == 64 ? 0xfeedfacf : 0xfeedface).u32(cpu).u32(subtype).u32(type).u32(count).u32(commands.size()).u32(0x85);
  if (bits == 64) out.u32(0);
  out.append(commands.span());
  if (in_table) out.append(table.span()).append(strings.span());
  else out.append(trie.span());
  if (is_signed) out.append(signature.span());
  out.set(header + segment_size_at, out.size(), w);
  return out;
}

Bytes universal(const std::vector<MachoFile>& files, int bits) {
  Bytes out(true);
  out.u32(bits == 64 ? 0xcafebabf : 0xcafebabe).u32(files.size());
  std::vector<Bytes> images;
  std::size_t at = 4096;
  const std::size_t w = bits == 64 ? 8 : 4;
  for (const MachoFile& file : files) {
    images.push_back(file.build());
    out.u32(file.cpu).u32(file.subtype).number(at, w).number(images.back().size(), w).u32(12);
    if (bits == 64) out.u32(0);
    at += (images.back().size() + 4095) / 4096 * 4096;
  }
  for (const Bytes& image : images) out.align(4096).append(image.span());
  return out;
}

}  // namespace pier::test
