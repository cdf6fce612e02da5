// Fetches, verifies and unpacks one package, without a load test.
// Usage: fetch_pier INDEX_URL PACKAGE VERSION FILE SIZE SHA256 MEMBER PLATFORM, or without arguments: nothing, for its memory.
#include <cstdio>
#include <cstdlib>

#include <unistd.h>

#include <pier/pier.h>

int main(int argc, char** argv) try {
  if (argc == 1) return 0;
  if (argc != 9) return 2;
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
  const pier::InstallResult result = pier::install(request, options);
  _exit(result.outcome == pier::Outcome::installed ? 0 : 1);
} catch (const pier::Error& error) {
  std::fprintf(stderr, "fetch_pier: %s\n", error.what());
  return 1;
}
