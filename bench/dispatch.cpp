#include <cstdio>
#include <string>

#include "programs.h"
#include "raw.h"
#include "rows.h"

namespace bench {
namespace {

// Rows come from the same plugin in the same process; each side has its own client.
Row dispatch(const char* name, const raw::Session& session, const pier::Client& client, const std::string& code,
             std::size_t count, std::int64_t extent, double limit) {
  std::vector<float> values(static_cast<std::size_t>(extent), 0.5f);
  const std::vector<std::int64_t> shape = {extent};

  raw::PJRT_LoadedExecutable* const raw_program = raw::compile(session, code);
  std::vector<raw::PJRT_Buffer*> raw_inputs;
  for (std::size_t i = 0; i < count; ++i)
    raw_inputs.push_back(raw::put(session, values.data(), shape, raw::PJRT_HostBufferSemantics_kImmutableOnlyDuringCall));
  std::vector<raw::PJRT_Buffer*> raw_outputs(count);

  const pier::Executable program = client.compile(pier::Module::from_bytes(code));
  std::vector<pier::Buffer> inputs;
  for (std::size_t i = 0; i < count; ++i) inputs.push_back(client.put(pier::Array::from(values, shape), pier::HostSemantics::copy));

  const auto raw_side = [&] {
    raw::execute(session, raw_program, raw_inputs.data(), count, raw_outputs.data());
    for (raw::PJRT_Buffer* output : raw_outputs) raw::destroy(session, output);
  };
  const auto our_side = [&] { const pier::Results results = program.run(inputs); };

  Row row = compare(name, 41, 2000, raw_side, our_side, limit);
  const std::size_t start = allocations();
  for (int i = 0; i < 1000; ++i) raw_side();
  const std::size_t middle = allocations();
  for (int i = 0; i < 1000; ++i) our_side();
  const std::size_t end = allocations();
  char note[96];
  std::snprintf(note, sizeof note, "operator new a call: %.2f raw, %.2f pier", static_cast<double>(middle - start) / 1000,
                static_cast<double>(end - middle) / 1000);
  row.note = note;
  for (raw::PJRT_Buffer* input : raw_inputs) raw::destroy(session, input);
  raw::destroy(session, raw_program);
  return row;
}

}  // namespace

std::vector<Row> dispatch_rows(const std::string& library) {
  const raw::Session session = raw::open(library.c_str());
  const pier::Client client = pier::Client::create(pier::Plugin::load(library));
  return {dispatch("execute + free output, cos of 1024 floats", session, client, cos_program(1024), 1, 1024, 1.03),
          dispatch("execute + free outputs, 16 in and 16 out", session, client, io_program(16), 16, 16, 1.05)};
}

}  // namespace bench
