// From process start to a client, found by its id. Usage: start_pier SELECTOR
#include <unistd.h>

#include <pier/pier.h>

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  const pier::Client client = pier::connect(argv[1]);
  _exit(client.default_device().is_addressable() ? 0 : 1);
}
