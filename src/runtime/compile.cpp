#include "runtime/compile.h"

#include <algorithm>

#include <pier/device.h>

#include "abi/compile_options.h"
#include "abi/named_value.h"
#include "base/text.h"
#include "runtime/checked.h"
#include "runtime/layout.h"

namespace pier::runtime {
namespace {

using abi::Api;

constexpr std::string_view format_word(ModuleFormat format) { return format == ModuleFormat::hlo ? "hlo" : "mlir"; }

std::string serialize(const CompileOptions& options) {
  if (options.num_replicas < 1 || options.num_partitions < 1)
    throw Error(ErrorCode::invalid_argument, text("{} replicas and {} partitions; both must be at least 1",
                                                  options.num_replicas, options.num_partitions));
  abi::CompileOptions out;
  out.num_replicas = options.num_replicas;
  out.num_partitions = options.num_partitions;
  out.use_spmd_partitioning = options.use_spmd_partitioning;
  out.use_shardy_partitioner = options.use_shardy_partitioner;
  out.overrides = options.overrides;
  if (!options.device_ids.empty()) {
    const auto columns = static_cast<std::size_t>(options.num_partitions);
    const std::size_t wanted = static_cast<std::size_t>(options.num_replicas) * columns;
    if (options.device_ids.size() / columns != static_cast<std::size_t>(options.num_replicas) ||
        options.device_ids.size() % columns != 0)
      throw Error(ErrorCode::invalid_argument,
                  text("{} device ids for {} replicas of {} partitions; {} are needed", options.device_ids.size(),
                       options.num_replicas, options.num_partitions, wanted));
    for (auto row = options.device_ids.begin(); row != options.device_ids.end();
         row += static_cast<std::ptrdiff_t>(columns))
      out.device_assignment.emplace_back(row, row + static_cast<std::ptrdiff_t>(columns));
  }
  return abi::serialize(out);
}

// Bytecode names its producer, "StableHLO_v1.13.0", as the first string after the magic number and a version byte (MLIR
// documentation, "MLIR Bytecode Format").
std::string_view producer_of(std::string_view bytecode) {
  const std::string_view rest = bytecode.substr(std::min<std::size_t>(5, bytecode.size()), 128);
  const std::size_t end = rest.find('\0');
  return end == std::string_view::npos ? std::string_view() : rest.substr(0, end);
}

// Versions come as lists of three numbers: [1, 20, 0].
std::string version_text(const AttributeValue& value) {
  const auto* const parts = std::get_if<std::vector<std::int64_t>>(&value);
  if (!parts) return to_string(value);
  std::string out;
  for (const std::int64_t part : *parts) out += text("{}{}", out.empty() ? "" : ".", part);
  return out;
}

// A plugin that ignores the wanted devices would run on another one without a word.
void check_devices(const ExecutableState& executable, const CompileOptions& options) {
  if (options.device_ids.empty()) return;
  offered([&] {
    for (abi::PJRT_Device* const handle : executable.devices) {
      const int id = Device(executable.client, handle).id();
      if (std::find(options.device_ids.begin(), options.device_ids.end(), id) == options.device_ids.end())
        executable.client->table().refuse_answer(
            "PJRT_Client_Compile", text("the program was compiled for device {}, which was not among those asked for", id));
    }
  });
}

// What helps to tell an artifact that is newer than the plugin from a wrong program.
void note_versions(Error& error, const ClientState& client, const Module& module) noexcept {
  try {
    if (module.format() == ModuleFormat::mlir_bytecode)
      if (const std::string_view producer = producer_of(module.bytes()); !producer.empty())
        error.note(text("the module was written by {}", producer));
    const abi::Table& table = client.table();
    if (!table.has<&Api::PJRT_Plugin_Attributes>()) return;
    const auto args = table.call<&Api::PJRT_Plugin_Attributes>({});
    const Attributes attributes = abi::read_named_values(table, args.attributes, args.num_attributes, "PJRT_Plugin_Attributes");
    if (const auto current = attributes.find("stablehlo_current_version"); current != attributes.end())
      error.note(text("the plugin reads StableHLO up to {}", version_text(current->second)));
  } catch (const std::exception&) {
    // A note that cannot be had must not replace the failure itself.
  }
}

}  // namespace

std::shared_ptr<const ExecutableState> compile(const std::shared_ptr<const ClientState>& client, const Module& module,
                                               const CompileOptions& options) {
  const abi::Table& table = client->usable();
  const std::string serialized = serialize(options);
  const std::string_view format = format_word(module.format());
  abi::PJRT_Program program;
  program.code = const_cast<char*>(module.bytes().data());
  program.code_size = module.bytes().size();
  program.format = format.data();
  program.format_size = format.size();
  try {
    const auto args = table.call<&Api::PJRT_Client_Compile>({.client = client->client.get(),
                                                             .program = &program,
                                                             .compile_options = serialized.data(),
                                                             .compile_options_size = serialized.size()});
    abi::LoadedExecutableHandle handle(table, table.require_out(args.executable, "PJRT_Client_Compile", "executable"));
    auto executable = std::make_shared<ExecutableState>(client, std::move(handle));
    check_devices(*executable, options);
    learn_arguments(*executable, module);
    return executable;
  } catch (Error& error) {
    error.note(text("compiling {} ({} of {})", module.name(),
                    module.format() == ModuleFormat::mlir_text       ? "MLIR text"
                    : module.format() == ModuleFormat::mlir_bytecode ? "MLIR bytecode"
                                                                     : "HLO",
                    bytes_text(module.bytes().size())));
    note_versions(error, *client, module);
    throw;
  }
}

}  // namespace pier::runtime
