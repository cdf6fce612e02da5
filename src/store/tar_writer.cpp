#include "store/tar_writer.h"

#include <new>

#include <pier/error.h>

#include "base/text.h"
#include "store/archive.h"

namespace pier {

TarWriter::TarWriter(AtomicFile& file) : file_(file), writer_(archive().write_new()) {
  if (!writer_) throw std::bad_alloc();
  const Archive& lib = archive();
  // Extended headers only where a size or a name needs them.
  if (lib.write_set_format_pax_restricted(writer_) != ARCHIVE_OK || lib.write_open(writer_, this, nullptr, &write_out, nullptr) != ARCHIVE_OK) {
    const std::string why = lib.error_string(writer_) ? lib.error_string(writer_) : "no reason given";
    lib.write_free(writer_);
    throw Error(ErrorCode::internal, text("libarchive cannot write a tar archive: {}", why));
  }
}

TarWriter::~TarWriter() {
  if (writer_) archive().write_free(writer_);
}

std::ptrdiff_t TarWriter::write_out(::archive*, void* self, const void* bytes, std::size_t size) {
  auto& writer = *static_cast<TarWriter*>(self);
  // Freeing an unfinished archive writes its end, too.
  if (writer.thrown_) return -1;
  try {
    writer.file_.write(std::span(static_cast<const std::byte*>(bytes), size));
    return static_cast<std::ptrdiff_t>(size);
  } catch (...) {
    writer.thrown_ = std::current_exception();
    return -1;
  }
}

void TarWriter::check(int result) const {
  if (thrown_) std::rethrow_exception(thrown_);
  if (result == ARCHIVE_OK) return;
  const char* const why = archive().error_string(writer_);
  throw Error(ErrorCode::io, text("cannot write {}: {}", file_.target().native(), why ? why : "libarchive gives no reason"));
}

void TarWriter::begin(const std::string& name, std::uint64_t size) {
  const Archive& lib = archive();
  struct Entry {
    const Archive& lib = archive();
    archive_entry* entry = lib.entry_new();
    ~Entry() { lib.entry_free(entry); }
  } const owned;
  if (!owned.entry) throw std::bad_alloc();
  lib.entry_set_pathname(owned.entry, name.c_str());
  lib.entry_set_size(owned.entry, static_cast<la_int64_t>(size));
  lib.entry_set_filetype(owned.entry, AE_IFREG);
  lib.entry_set_perm(owned.entry, 0644);
  lib.entry_set_mtime(owned.entry, 0, 0);
  check(lib.write_header(writer_, owned.entry));
}

void TarWriter::write(std::span<const std::byte> bytes) {
  const la_ssize_t written = archive().write_data(writer_, bytes.data(), bytes.size());
  check(written == static_cast<la_ssize_t>(bytes.size()) ? ARCHIVE_OK : ARCHIVE_FATAL);
}

void TarWriter::finish() { check(archive().write_close(writer_)); }

}  // namespace pier
