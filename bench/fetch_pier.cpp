// Fetches, verifies and unpacks one package, without a load test; writes by how many bytes the memory grew at most.
// Usage: fetch_pier INDEX_URL PACKAGE VERSION FILE SIZE SHA256 MEMBER PLATFORM MEMORY_FILE
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>

#include <unistd.h>

#include <pier/pier.h>

namespace {

// The largest resident set of this process so far. Not ru_maxrss, which begins with that of the process which made this one.
std::size_t peak_bytes() {
  std::ifstream status("/proc/self/status");
  std::string word;
  std::size_t kilobytes = 0;
  while (status >> word)
    if (word == "VmHWM:") status >> kilobytes;
  return kilobytes * 1024;
}

}  // namespace

int main(int argc, char** argv) try {
  if (argc != 10) return 2;
  pier::PluginRequest request;
  request.id = "bench";
  request.pin.package = argv[2];
  request.pin.version = argv[3];
  request.pin.file = argv[4];
  request.pin.size = std::strtoull(argv[5], nullptr, 10);
  request.pin.sha256 = argv[6];
  request.pin.member = argv[7];
  request.pin.platform = argv[8];
  pier::InstallOptions options;
  options.index_url = argv[1];
  const std::size_t before = peak_bytes();
  const pier::InstallResult result = pier::install(request, options);
  std::ofstream(argv[9]) << peak_bytes() - before << std::flush;
  _exit(result.outcome == pier::Outcome::installed ? 0 : 1);
} catch (const pier::Error& error) {
  std::fprintf(stderr, "fetch_pier: %s\n", error.what());
  return 1;
}
