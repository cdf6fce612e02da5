#include <memory>
#include <string>

#include "fake_plugin/bodies.h"
#include "fake_plugin/buffer.h"
#include "fake_plugin/executable.h"
#include "fake_plugin/holder.h"

namespace fake {
namespace {

class Layout final : public Object {
 public:
  static constexpr Kind its_kind = Kind::layout;
  explicit Layout(std::vector<std::int64_t> order) : Object(Kind::layout), minor_to_major(std::move(order)) {}
  const std::vector<std::int64_t> minor_to_major;
};

abi::PJRT_Layouts_MemoryLayout* give_layout(std::vector<std::int64_t> order) {
  return give<abi::PJRT_Layouts_MemoryLayout>(std::make_shared<Layout>(std::move(order)));
}

/// "{1,0}", as XLA spells layouts.
std::string spell(const std::vector<std::int64_t>& order) {
  std::string text = "{";
  for (const std::int64_t dimension : order) text += (text.size() > 1 ? "," : "") + std::to_string(dimension);
  return text + "}";
}

/// The arrays of layouts that Get*Layouts give out: the layouts are the caller's, the array lives with the executable.
abi::PJRT_Layouts_MemoryLayout** give_layouts(const std::vector<TensorType>& types, bool columns) {
  static std::mutex& mutex = *new std::mutex;
  static auto& arrays = *new std::vector<std::unique_ptr<std::vector<abi::PJRT_Layouts_MemoryLayout*>>>;
  auto array = std::make_unique<std::vector<abi::PJRT_Layouts_MemoryLayout*>>();
  for (const TensorType& type : types) {
    array->push_back(give_layout(columns ? column_major(type.dims.size()) : row_major(type.dims.size())));
  }
  const std::lock_guard lock(mutex);
  arrays.push_back(std::move(array));
  return arrays.back()->data();
}

std::shared_ptr<Executable> require_signature(const abi::PJRT_Executable* handle) {
  auto executable = ledger().get<Executable>(handle);
  if (executable->orphaned) misuse("an executable used after its loaded executable was destroyed");
  if (!executable->compiled->program.signature) {
    refuse(abi::PJRT_Error_Code_UNIMPLEMENTED, "this program does not tell its types");
  }
  return executable;
}

}  // namespace

void run(abi::PJRT_Layouts_MemoryLayout_Destroy_Args& args, Call&) { ledger().take<Layout>(args.layout); }

void run(abi::PJRT_Layouts_MemoryLayout_Serialize_Args& args, Call&) {
  const auto layout = ledger().get<Layout>(args.layout);
  give_bytes(spell(layout->minor_to_major), args.serialized_bytes, args.serialized_bytes_size, args.serialized_layout,
             args.serialized_layout_deleter);
}

void run(abi::PJRT_Layouts_PJRT_Client_GetDefaultLayout_Args& args, Call&) {
  ledger().get<Client>(args.client);
  require_element(args.type);
  args.layout = give_layout(row_major(args.num_dims));
}

void run(abi::PJRT_Layouts_PJRT_Buffer_MemoryLayout_Args& args, Call&) {
  args.layout = give_layout(ledger().get<Buffer>(args.buffer)->minor_to_major);
}

void run(abi::PJRT_Layouts_PJRT_Topology_GetDefaultLayout_Args& args, Call&) {
  ledger().get<Topology>(args.topology_description);
  require_element(args.type);
  args.layout = give_layout(row_major(args.num_dims));
}

void run(abi::PJRT_Layouts_PJRT_Executable_GetOutputLayouts_Args& args, Call&) {
  const auto executable = require_signature(args.executable);
  const Program& program = executable->compiled->program;
  args.num_outputs = program.signature->results.size();
  args.layouts = give_layouts(program.signature->results, program.column_major);
}

void run(abi::PJRT_Layouts_PJRT_Executable_GetParameterLayouts_Args& args, Call&) {
  const auto executable = require_signature(args.executable);
  const Program& program = executable->compiled->program;
  args.num_parameters = program.signature->arguments.size();
  args.layouts = give_layouts(program.signature->arguments, false);
}

}  // namespace fake
