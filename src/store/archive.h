#pragma once

#include <archive.h>
#include <archive_entry.h>

namespace pier {

// The functions of libarchive that pier uses, from the library that is opened on the first call.
struct Archive {
  decltype(&::archive_read_new) read_new;
  decltype(&::archive_read_free) read_free;
  decltype(&::archive_read_support_format_zip_streamable) support_zip_streamable;
  decltype(&::archive_read_support_format_tar) support_tar;
  decltype(&::archive_read_support_filter_gzip) support_gzip;
  decltype(&::archive_read_support_filter_zstd) support_zstd;
  decltype(&::archive_read_support_filter_xz) support_xz;
  decltype(&::archive_read_support_filter_bzip2) support_bzip2;
  decltype(&::archive_read_open) read_open;
  decltype(&::archive_read_next_header) next_header;
  decltype(&::archive_read_data_block) data_block;
  decltype(&::archive_error_string) error_string;
  decltype(&::archive_entry_pathname_utf8) pathname_utf8;
  decltype(&::archive_entry_pathname) pathname;
  decltype(&::archive_entry_filetype) filetype;
  decltype(&::archive_entry_perm) perm;
  decltype(&::archive_entry_size) size;
  decltype(&::archive_entry_size_is_set) size_is_set;
  decltype(&::archive_entry_hardlink) hardlink;
  decltype(&::archive_entry_symlink) symlink;
  decltype(&::archive_entry_is_encrypted) is_encrypted;

  decltype(&::archive_write_new) write_new;
  decltype(&::archive_write_free) write_free;
  decltype(&::archive_write_set_format_pax_restricted) write_set_format_pax_restricted;
  decltype(&::archive_write_open) write_open;
  decltype(&::archive_write_header) write_header;
  decltype(&::archive_write_data) write_data;
  decltype(&::archive_write_close) write_close;
  decltype(&::archive_entry_new) entry_new;
  decltype(&::archive_entry_free) entry_free;
  decltype(&::archive_entry_set_pathname) entry_set_pathname;
  decltype(&::archive_entry_set_size) entry_set_size;
  decltype(&::archive_entry_set_filetype) entry_set_filetype;
  decltype(&::archive_entry_set_perm) entry_set_perm;
  decltype(&::archive_entry_set_mtime) entry_set_mtime;
};

// Thread-safe. Throws Error (not_available) when there is no libarchive.
const Archive& archive();

}  // namespace pier
