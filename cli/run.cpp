#include <optional>
#include <string>
#include <vector>

#include <pier/array.h>
#include <pier/client.h>
#include <pier/error.h>
#include <pier/log.h>
#include <pier/module.h>

#include "arguments.h"
#include "base/text.h"
#include "connection.h"
#include "inputs.h"
#include "interrupt.h"
#include "json.h"
#include "output.h"
#include "outputs.h"
#include "paths.h"
#include "phases.h"
#include "selector.h"
#include "usage.h"
#include "values.h"
#include "verb.h"

namespace pier::cli {
namespace {

struct RunOptions {
  std::string module;
  std::vector<std::string> inputs;
  std::vector<std::string> outputs;
  std::string device = "auto";
  std::string plugin_log = "auto";
  Pairs create_options;
  Pairs xla_options;
  bool time = false;
  bool json = false;
  bool force = false;
};

std::optional<RunOptions> parse(Words words) {
  RunOptions options;
  Arguments arguments("run", "Run a program on a device: MLIR text, MLIR bytecode or a serialized HloModuleProto");
  arguments.positional("MODULE", options.module, Arguments::Need::required, "The program");
  arguments.values("-i,--input", "FILE...", options.inputs, "Arguments in order: .npy, .npz (by name), .safetensors (by name)");
  arguments.values("-o,--output", "FILE...", options.outputs,
                   "Results in order, one file each; or one .npz or .safetensors for all. Without it they are shown");
  arguments.value("--device", "SELECTOR", options.device,
                  "Id, label or path of a plugin, or auto (the default); cpu:1 is the device with id 1");
  arguments.pairs("--option", options.create_options, "An option for the plugin's client; may be repeated");
  arguments.pairs("--xla", options.xla_options, "An XLA debug option for the compilation; may be repeated");
  arguments.value("--plugin-log", "WHERE", options.plugin_log,
                  "What the plugin writes to standard error: auto (shown when something fails), off, stderr, or a file");
  arguments.flag("--force", options.force, "Replace output files that are there already");
  arguments.flag("--time", options.time, "Print how long each phase took");
  arguments.json_flag(options.json);
  if (!arguments.parse(words)) return std::nullopt;
  return options;
}

struct Outcome {
  std::vector<Array> results;
  std::string platform;
  int device = 0;
  std::string device_kind;
};

Device choose_device(const Client& client, const Selector& selector) {
  return selector.device ? client.device(*selector.device) : client.default_device();
}

// A plugin that puts the results elsewhere has not done what it was asked to.
void check_device(const Results& results, const Device& device) {
  for (std::size_t i = 0; i < results.size(); ++i)
    if (const int id = results[i].device().id(); id != device.id())
      throw Error(ErrorCode::internal, text("result {} is on device {}, the program was compiled for device {}", i, id, device.id()))
          .in_function("PJRT_LoadedExecutable_Execute");
}

Outcome execute(const Client& client, const Module& module, const Device& device, const RunOptions& options, bool matched,
                std::vector<Input>& inputs, Outputs& outputs, PluginLog& log, Phases& phases) {
  log.doing("compiling the program");
  CompileOptions compile_options;
  compile_options.device_ids = {device.id()};
  compile_options.overrides = overrides_from(options.xla_options);
  const Executable program = client.compile(module, compile_options);
  outputs.check_count(program.num_outputs());
  if (!matched) {
    if (const auto signature = program.signature()) match_inputs(inputs, signature->arguments);
    else check_typed(inputs);
  }
  if (const auto types = program.output_types()) outputs.check_types(*types);
  else if (!matched && !outputs.empty())
    pier::log(LogLevel::warning, "the plugin does not tell the types of the results: whether their files can hold them is not checked before the run");
  phases.end("compile");

  log.doing("moving the arguments to the device");
  std::vector<Buffer> arguments;
  arguments.reserve(inputs.size());
  for (const Input& input : inputs) arguments.push_back(client.put(input.array, device));
  for (const Buffer& argument : arguments) argument.ready().wait();
  phases.end("transfer");

  log.doing("running the program");
  Results results = program.run(arguments);
  for (const Buffer& result : results) result.ready().wait();
  check_device(results, device);
  phases.end("run");

  log.doing("fetching the results");
  Outcome outcome;
  outcome.results.reserve(results.size());
  for (Buffer& result : results) outcome.results.push_back(std::move(result).take());
  outcome.platform = client.platform_name();
  outcome.device = device.id();
  outcome.device_kind = device.kind();
  phases.end("fetch");
  return outcome;
}

std::string_view format_name(ModuleFormat format) {
  switch (format) {
    case ModuleFormat::mlir_text: return "mlir_text";
    case ModuleFormat::mlir_bytecode: return "mlir_bytecode";
    case ModuleFormat::hlo: return "hlo";
  }
  return "unknown";
}

Json type_json(const TensorType& type) {
  return std::move(Json::object().set("dtype", name(type.dtype)).set("shape", Json::array_of(type.shape)));
}

std::string json_report(const Module& module, const Loaded& loaded, const std::vector<Input>& inputs, const Outputs& outputs,
                        const Outcome& outcome, const Phases& phases, bool time) {
  Json arguments = Json::array();
  for (const Input& input : inputs) {
    Json item = type_json(input.array.type());
    item.set("file", input.file).set("name", Json::known(input.name));
    arguments.push(std::move(item));
  }
  Json results = Json::array();
  for (std::size_t i = 0; i < outcome.results.size(); ++i) {
    Json item = type_json(outcome.results[i].type());
    item.set("name", output_name(i, outcome.results.size()));
    if (outputs.empty()) item.set("preview", preview(outcome.results[i]));
    else item.set("file", outputs.file_of(i));
    results.push(std::move(item));
  }
  Json report = Json::object();
  report.set("module", module.name()).set("format", format_name(module.format()));
  report.set("plugin", std::move(Json::object()
                                     .set("id", Json::known(loaded.candidate.id))
                                     .set("path", loaded.plugin.path())
                                     .set("version", Json::known(loaded.candidate.version))
                                     .set("api_version", to_string(loaded.plugin.api_version()))
                                     .set("platform_name", outcome.platform)));
  report.set("device", std::move(Json::object().set("id", outcome.device).set("kind", outcome.device_kind)));
  report.set("inputs", std::move(arguments)).set("outputs", std::move(results));
  if (time) {
    Json times = Json::object();
    for (const auto& [phase, spent] : phases.times()) times.set(phase, spent.count());
    report.set("times_ms", std::move(times.set("total", phases.total().count())));
  }
  return report.text();
}

std::string text_report(const Outputs& outputs, const Outcome& outcome, const Phases& phases, bool time) {
  std::string out;
  for (std::size_t i = 0; i < outcome.results.size(); ++i) {
    const Array& result = outcome.results[i];
    if (outputs.empty()) out += text("result {}: {}\n", i, preview(result));
    else out += text("{}: {}\n", outputs.file_of(i), to_string(result.type()));
  }
  if (!time) return out;
  std::vector<std::pair<std::string, Phases::Milliseconds>> rows = phases.times();
  rows.emplace_back("total", phases.total());
  Table table;
  for (const auto& [phase, spent] : rows) {
    const std::string number = text("{:.3f}", spent.count());
    table.row({phase, std::string(number.size() < 12 ? 12 - number.size() : 0, ' ') + number + " ms"});
  }
  return out + table.text();
}

}  // namespace

ExitCode run_verb(Words words, Context& context) {
  Phases phases;
  const auto options = parse(words);
  if (!options) return ExitCode::ok;
  const InterruptGuard guard(context.json, InterruptGuard::Stop::at_once);
  const Selector selector = parse_selector(options->device, "run");
  for (const auto& files : {options->inputs, options->outputs, {options->module}}) require_apart(options->plugin_log, files, "run");

  // Everything that can be wrong with the user's files is found before a plugin is looked for.
  Outputs outputs(options->outputs, options->force, options->inputs, options->module);
  const Module module = Module::from_file(options->module);
  const auto signature = module.signature();
  phases.end("module");
  std::vector<Input> inputs = read_inputs(options->inputs);
  if (signature) {
    match_inputs(inputs, signature->arguments);
    outputs.check_count(signature->results.size());
    outputs.check_types(signature->results);
  }
  phases.end("inputs");

  context.log.start(options->plugin_log, context.json);
  const Loaded loaded = load_selected(selector.plugin, context, phases);
  const Client client = create_client(loaded, attributes_from(options->create_options), context.log, phases);
  const Device device = choose_device(client, selector);
  const Outcome outcome =
      execute(client, module, device, *options, signature.has_value(), inputs, outputs, context.log, phases);

  if (!outputs.empty()) {
    outputs.write(outcome.results, context.json);
    phases.end("write");
  }
  print(options->json ? json_report(module, loaded, inputs, outputs, outcome, phases, options->time)
                      : text_report(outputs, outcome, phases, options->time));
  return ExitCode::ok;
}

}  // namespace pier::cli
