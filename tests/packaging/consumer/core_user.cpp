// Uses pier::core alone: a plugin by path, a program, an array there and back.
#include <cstdio>

#include <pier/pier.h>

int main(int argc, char** argv) try {
  if (argc != 2) return 2;
  const pier::Client client = pier::Client::create(pier::Plugin::load(argv[1]));
  const auto program = client.compile(pier::Module::from_bytes(
      "module @fake.add_one { func.func public @main(%x: tensor<3xf32>) -> tensor<3xf32> { return %x : tensor<3xf32> } }"));
  const pier::Array y = program(client.put(pier::Array::from(std::vector<float>{1, 2, 3}, {3}))).to_array();
  std::puts(pier::preview(y).c_str());
  return y.values<float>()[2] == 4 ? 0 : 1;
} catch (const pier::Error& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 1;
}
