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
  explicit Layout(std::vector<std::int64_t> order, bool of_executable = false)
      : Object(Kind::layout), minor_to_major(std::move(order)), belongs_to_executable(of_executable) {}
  bool is_counted() const noexcept override { return !belongs_to_executable; }
  const std::vector<std::int64_t> minor_to_major;
  const bool belongs_to_executable;
};

abi::PJRT_Layouts_MemoryLayout* give_layout(std::vector<std::int64_t> order, bool of_executable = false) {
  return give<abi::PJRT_Layouts_MemoryLayout>(std::make_shared<Layout>(std::move(order), of_executable));
}

/// "{1,0}", as XLA spells layouts.
std::string spell(const std::vector<std::int64_t>& order) {
  std::string text = "{";
  for (const std::int64_t dimension : order) text += (text.size() > 1 ? "," : "") + std::to_string(dimension);
  return text + "}";
}

/// Layouts that Get*Layouts give out: they and their list live with the executable.
template <class LayoutOf>
abi::PJRT_Layouts_MemoryLayout** give_layouts(Executable& executable, std::vector<abi::PJRT_Layouts_MemoryLayout*>& list,
                                              const std::vector<TensorType>& types, const LayoutOf& layout_of) {
  const std::lock_guard lock(executable.mutex);
  for (std::size_t i = list.size(); i < types.size(); ++i) list.push_back(give_layout(layout_of(i, types[i].dims.size()), true));
  return list.data();
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

void run(abi::PJRT_Layouts_MemoryLayout_Destroy_Args& args, Call&) {
  if (args.layout != nullptr && ledger().get<Layout>(args.layout)->belongs_to_executable) {
    misuse("a layout destroyed that belongs to its executable");
  }
  ledger().take<Layout>(args.layout);
}

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
  args.layouts = give_layouts(*executable, executable->output_layouts, program.signature->results,
                              [&](std::size_t i, std::size_t rank) { return program.output_layout(i, rank); });
}

void run(abi::PJRT_Layouts_PJRT_Executable_GetParameterLayouts_Args& args, Call&) {
  const auto executable = require_signature(args.executable);
  const Program& program = executable->compiled->program;
  args.num_parameters = program.signature->arguments.size();
  args.layouts = give_layouts(*executable, executable->parameter_layouts, program.signature->arguments,
                              [&](std::size_t i, std::size_t rank) { return program.argument_layout(i, rank); });
}

}  // namespace fake
