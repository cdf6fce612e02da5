// Uses pier::pier: a local build is registered, then found by its label. What is not there is said, and nothing is fetched.
#include <cstdio>

#include <pier/pier.h>

int main(int argc, char** argv) try {
  if (argc != 2) return 2;
  pier::Registration registration;
  registration.id = "mine";
  registration.labels = {"gpu"};
  registration.library = argv[1];
  pier::register_plugin(registration);
  const pier::Client client = pier::connect("gpu");
  std::printf("%s, %s\n", client.platform_name().c_str(), client.plugin().path().c_str());
  try {
    pier::connect("cpu");
    return 1;
  } catch (const pier::Error& error) {
    std::printf("%s\n", error.what());
    return error.code() == pier::ErrorCode::not_available ? 0 : 1;
  }
} catch (const pier::Error& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 1;
}
