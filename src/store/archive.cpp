#include "store/archive.h"

#include "base/late.h"

namespace pier {
namespace {

Archive load() {
  const LateLibrary library({PIER_ARCHIVE_NAMES}, "libarchive (Debian, Ubuntu: libarchive13)");
  return {
      .read_new = library.symbol<decltype(&::archive_read_new)>("archive_read_new"),
      .read_free = library.symbol<decltype(&::archive_read_free)>("archive_read_free"),
      .support_zip_streamable =
          library.symbol<decltype(&::archive_read_support_format_zip_streamable)>("archive_read_support_format_zip_streamable"),
      .support_tar = library.symbol<decltype(&::archive_read_support_format_tar)>("archive_read_support_format_tar"),
      .support_gzip = library.symbol<decltype(&::archive_read_support_filter_gzip)>("archive_read_support_filter_gzip"),
      .support_zstd = library.symbol<decltype(&::archive_read_support_filter_zstd)>("archive_read_support_filter_zstd"),
      .support_xz = library.symbol<decltype(&::archive_read_support_filter_xz)>("archive_read_support_filter_xz"),
      .support_bzip2 = library.symbol<decltype(&::archive_read_support_filter_bzip2)>("archive_read_support_filter_bzip2"),
      .read_open = library.symbol<decltype(&::archive_read_open)>("archive_read_open"),
      .next_header = library.symbol<decltype(&::archive_read_next_header)>("archive_read_next_header"),
      .data_block = library.symbol<decltype(&::archive_read_data_block)>("archive_read_data_block"),
      .error_string = library.symbol<decltype(&::archive_error_string)>("archive_error_string"),
      .pathname_utf8 = library.symbol<decltype(&::archive_entry_pathname_utf8)>("archive_entry_pathname_utf8"),
      .pathname = library.symbol<decltype(&::archive_entry_pathname)>("archive_entry_pathname"),
      .filetype = library.symbol<decltype(&::archive_entry_filetype)>("archive_entry_filetype"),
      .perm = library.symbol<decltype(&::archive_entry_perm)>("archive_entry_perm"),
      .size = library.symbol<decltype(&::archive_entry_size)>("archive_entry_size"),
      .size_is_set = library.symbol<decltype(&::archive_entry_size_is_set)>("archive_entry_size_is_set"),
      .hardlink = library.symbol<decltype(&::archive_entry_hardlink)>("archive_entry_hardlink"),
      .symlink = library.symbol<decltype(&::archive_entry_symlink)>("archive_entry_symlink"),
      .is_encrypted = library.symbol<decltype(&::archive_entry_is_encrypted)>("archive_entry_is_encrypted"),
      .write_new = library.symbol<decltype(&::archive_write_new)>("archive_write_new"),
      .write_free = library.symbol<decltype(&::archive_write_free)>("archive_write_free"),
      .write_set_format_pax_restricted = library.symbol<decltype(&::archive_write_set_format_pax_restricted)>("archive_write_set_format_pax_restricted"),
      .write_open = library.symbol<decltype(&::archive_write_open)>("archive_write_open"),
      .write_header = library.symbol<decltype(&::archive_write_header)>("archive_write_header"),
      .write_data = library.symbol<decltype(&::archive_write_data)>("archive_write_data"),
      .write_close = library.symbol<decltype(&::archive_write_close)>("archive_write_close"),
      .entry_new = library.symbol<decltype(&::archive_entry_new)>("archive_entry_new"),
      .entry_free = library.symbol<decltype(&::archive_entry_free)>("archive_entry_free"),
      .entry_set_pathname = library.symbol<decltype(&::archive_entry_set_pathname)>("archive_entry_set_pathname"),
      .entry_set_size = library.symbol<decltype(&::archive_entry_set_size)>("archive_entry_set_size"),
      .entry_set_filetype = library.symbol<decltype(&::archive_entry_set_filetype)>("archive_entry_set_filetype"),
      .entry_set_perm = library.symbol<decltype(&::archive_entry_set_perm)>("archive_entry_set_perm"),
      .entry_set_mtime = library.symbol<decltype(&::archive_entry_set_mtime)>("archive_entry_set_mtime"),
  };
}

}  // namespace

const Archive& archive() {
  static const Archive functions = load();
  return functions;
}

}  // namespace pier
