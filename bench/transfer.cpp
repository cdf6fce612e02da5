#include <cstdlib>
#include <memory>

#include "raw.h"
#include "rows.h"

namespace bench {

std::vector<Row> transfer_rows(const std::string& library) {
  const raw::Session session = raw::open(library.c_str());
  const pier::Client client = pier::Client::create(pier::Plugin::load(library));
  const std::int64_t count = 16 << 20;
  const pier::Array array = pier::Array::zeros(pier::DType::float32, {count});
  const auto* const data = reinterpret_cast<const float*>(array.data());
  const std::vector<std::int64_t> shape = {count};

  std::vector<Row> rows;
  rows.push_back(compare(
      "64 MiB to the device, zero-copy, and free", 41, 500,
      [&] { raw::destroy(session, raw::put(session, data, shape, raw::PJRT_HostBufferSemantics_kImmutableZeroCopy)); },
      [&] { const pier::Buffer buffer = client.put(array); }, 0));

  raw::PJRT_Buffer* const raw_buffer = raw::put(session, data, shape, raw::PJRT_HostBufferSemantics_kImmutableOnlyDuringCall);
  const pier::Buffer buffer = client.put(array, pier::HostSemantics::copy);
  volatile float sink = 0;
  rows.push_back(compare(
      "64 MiB read in place", 41, 2000,
      [&] { sink = static_cast<const float*>(raw::host_pointer(session, raw_buffer))[5]; },
      [&] { sink = reinterpret_cast<const float*>(buffer.host_span()->data())[5]; }, 0));

  const auto target = std::make_unique<float[]>(static_cast<std::size_t>(count));
  rows.push_back(compare(
      "64 MiB copied back", 11, 2,
      [&] {
        raw::PJRT_Buffer_ToHostBuffer_Args args{.src = raw_buffer, .dst = target.get(), .dst_size = static_cast<std::size_t>(count) * 4};
        raw::check(session.api, session.api->PJRT_Buffer_ToHostBuffer(&args), "PJRT_Buffer_ToHostBuffer");
        raw::await(session, args.event);
        raw::destroy(session, args.event);
      },
      [&] { buffer.to_host(std::as_writable_bytes(std::span(target.get(), static_cast<std::size_t>(count)))).wait(); }, 0));
  raw::destroy(session, raw_buffer);
  return rows;
}

}  // namespace bench
