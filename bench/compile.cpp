#include <cstdio>
#include <filesystem>

#include "programs.h"
#include "raw.h"
#include "rows.h"

namespace bench {
namespace {

Row compile(const char* name, const raw::Session& session, const pier::Client& client, const std::string& code) {
  const pier::Module module = pier::Module::from_bytes(code);
  Row row = compare(
      name, 21, 4, [&] { raw::destroy(session, raw::compile(session, code)); },
      [&] { const pier::Executable program = client.compile(module); }, 0);
  char note[64];
  std::snprintf(note, sizeof note, "pier adds %.3f ms", (row.ours - row.raw) / 1000);
  row.note = note;
  return row;
}

}  // namespace

std::vector<Row> compile_rows(const std::string& library) {
  const raw::Session session = raw::open(library.c_str());
  const pier::Client client = pier::Client::create(pier::Plugin::load(library));
  std::vector<Row> rows = {compile("compile cos of 1024 floats", session, client, cos_program(1024)),
                           compile("compile 16 in and 16 out", session, client, io_program(16)),
                           compile("compile with a 64 MiB weight as argument", session, client, weight_program())};

  // The whole way of such a weight: from a file to a buffer, beside what the file system needs to map it.
  const std::filesystem::path file = std::filesystem::temp_directory_path() / "pier-bench-weight.npy";
  pier::save_npy(file, pier::Array::zeros(pier::DType::float32, {1 << 24}), pier::SaveMode::replace);
  rows.push_back(compare(
      "64 MiB weight from an .npy file to a buffer", 21, 20,
      [&] { const pier::Array array = pier::load_npy(file); },
      [&] { const pier::Buffer buffer = client.put(pier::load_npy(file)); }, 0));
  rows.back().note = "raw: the file mapped, nothing put";
  std::filesystem::remove(file);
  return rows;
}

}  // namespace bench
