// Classifies 400 handwritten digits with a network that JAX exported: module, weights, images and labels lie beside this
// file. Usage: digits FOLDER [SELECTOR]
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include <unistd.h>

#include <pier/pier.h>

namespace {

class Phases {
 public:
  void done(const char* name) {
    const auto now = std::chrono::steady_clock::now();
    std::printf("  %-24s %8.2f ms\n", name, std::chrono::duration<double, std::milli>(now - last_).count());
    last_ = std::chrono::steady_clock::now();
  }

 private:
  std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
};

// Index of the largest of each row's values.
std::vector<std::int64_t> classify(const pier::Array& scores) {
  const auto rows = static_cast<std::size_t>(scores.shape().at(0));
  const auto classes = static_cast<std::size_t>(scores.shape().at(1));
  const auto values = scores.values<float>();
  std::vector<std::int64_t> out;
  for (std::size_t row = 0; row < rows; ++row) {
    std::size_t best = 0;
    for (std::size_t i = 1; i < classes; ++i)
      if (values[row * classes + i] > values[row * classes + best]) best = i;
    out.push_back(static_cast<std::int64_t>(best));
  }
  return out;
}

void show(const pier::Progress& progress) {
  if (progress.phase != pier::Phase::downloading || !progress.total) return;
  const double percent = 100.0 * static_cast<double>(progress.done) / static_cast<double>(progress.total);
  std::fprintf(stderr, "\rfetching the plugin: %5.1f %% of %.1f MB%s", percent, static_cast<double>(progress.total) / 1e6,
               progress.done == progress.total ? "\n" : "");
}

int run(const std::filesystem::path& folder, const std::string& selector) {
  Phases phases;
  pier::ConnectOptions options;
  if (isatty(STDERR_FILENO)) options.progress = show;
  const pier::Plugin plugin = pier::load_plugin(selector, options);
  phases.done("find and load the plugin");
  const pier::Client client = pier::connect(selector, options);
  phases.done("make a client");
  const pier::Executable network = client.compile(pier::Module::from_file(folder / "digits.mlir"));
  phases.done("compile");

  // The images are the first argument, the weights follow in the order of their names.
  std::vector<pier::Buffer> arguments;
  arguments.push_back(client.put(pier::load_npy(folder / "images.npy")));
  for (const auto& weight : pier::load_safetensors(folder / "weights.safetensors")) arguments.push_back(client.put(weight.array));
  phases.done("map inputs, put them");
  const pier::Array scores = network.run(arguments).only().to_array();
  phases.done("run, read the result");

  const std::vector<std::int64_t> guesses = classify(scores);
  const pier::Array labels = pier::load_npy(folder / "labels.npy");
  const auto truth = labels.values<std::int32_t>();
  std::size_t right = 0;
  for (std::size_t i = 0; i < guesses.size(); ++i) right += guesses[i] == truth[i];
  phases.done("compare with the labels");

  std::printf("\n%s (PJRT %s), %s\naccuracy %.3f (%zu of %zu digits)\n", plugin.path().c_str(),
              pier::to_string(plugin.api_version()).c_str(), client.default_device().description().c_str(),
              static_cast<double>(right) / static_cast<double>(guesses.size()), right, guesses.size());
  return 0;
}

}  // namespace

int main(int argc, char** argv) try {
  if (argc < 2) {
    std::fprintf(stderr, "usage: digits FOLDER [SELECTOR]\n");
    return 2;
  }
  return run(argv[1], argc > 2 ? argv[2] : "cpu");
} catch (const pier::Error& error) {
  std::fprintf(stderr, "digits: %s\n", error.what());
  return 1;
}
