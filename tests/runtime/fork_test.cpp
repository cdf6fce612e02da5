#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>

#include "runtime/fake_test.h"

namespace pier {
namespace {

using test::error_of;
using test::FakeTest;
using test::program;
using test::ramp;
using testing::HasSubstr;

// Runs the work in a forked child that leaves like any program does; gives what it said and how it ended.
template <class Work>
std::string in_fork(const Work& work) {
  int ends[2];
  if (::pipe(ends) != 0) return "no pipe";
  const pid_t child = ::fork();
  if (child == 0) {
    const std::string words = work();
    const bool said = ::write(ends[1], words.data(), words.size()) == static_cast<ssize_t>(words.size());
    std::exit(said ? 0 : 9);
  }
  ::close(ends[1]);
  std::string words;
  char block[512];
  for (ssize_t got = 0; (got = ::read(ends[0], block, sizeof block)) > 0;) words.append(block, static_cast<std::size_t>(got));
  ::close(ends[0]);
  int status = 0;
  ::waitpid(child, &status, 0);
  return words + (status == 0 ? "" : " and ended with " + std::to_string(status));
}

class Forks : public FakeTest {
 protected:
  Client client = connect();
  Executable add = client.compile(program("fake.add_one"));
  Buffer buffer = client.put(ramp(2));
};

TEST_F(Forks, MakeEveryUseOfAnOlderClientAClearError) {
  const Device device = client.default_device();
  const Memory memory = device.memories().front();
  const Event event = buffer.ready();
  const std::string words = in_fork([&] {
    const std::function<void()> uses[] = {
        [&] { client.platform_name(); },  [&] { client.platform_version(); },     [&] { client.process_index(); },
        [&] { client.devices(); },        [&] { client.addressable_devices(); },  [&] { client.device(0); },
        [&] { client.default_device(); }, [&] { client.addressable_memories(); }, [&] { client.compile(program("fake.identity")); },
        [&] { client.put(ramp(1)); },     [&] { device.id(); },                   [&] { device.kind(); },
        [&] { device.memories(); },       [&] { device.default_memory(); },       [&] { device.memory_stats(); },
        [&] { device.attributes(); },     [&] { device.local_hardware_id(); },    [&] { device.is_addressable(); },
        [&] { memory.id(); },             [&] { memory.kind(); },                 [&] { memory.description(); },
        [&] { add(buffer); },             [&] { add.name(); },                    [&] { add.output_types(); },
        [&] { add.signature(); },         [&] { buffer.dtype(); },                [&] { buffer.shape(); },
        [&] { buffer.to_array(); },       [&] { buffer.to_host({}); },            [&] { buffer.host_span(); },
        [&] { buffer.ready(); },          [&] { buffer.device(); },               [&] { buffer.memory(); },
        [&] { buffer.is_deleted(); },     [&] { buffer.free_memory(); },          [&] { buffer.copy_to(device); },
        [&] { buffer.device_bytes(); },   [&] { buffer.is_on_cpu(); },            [&] { event.ready(); },
        [&] { event.wait(); },            [&] { event.wait_for(std::chrono::seconds(1)); }};
    std::size_t refused = 0;
    for (const auto& use : uses) {
      try {
        use();
        return "use " + std::to_string(refused) + " went through";
      } catch (const Error& error) {
        if (error.code() != ErrorCode::failed_precondition) return std::string(error.what());
        if (error.message().find("forked after the client was made") == std::string::npos) return std::string(error.what());
      }
      ++refused;
    }
    return std::to_string(std::size(uses) - refused) + " left";
  });
  EXPECT_EQ(words, "0 left");
  // The parent is as it was.
  EXPECT_EQ(add(buffer).to_array().size(), 2);
}

TEST_F(Forks, LetAChildDropWhatItInheritedWithoutTouchingThePlugin) {
  auto event = std::make_unique<Event>(buffer.ready());
  const std::uint64_t calls = fake->calls(nullptr);
  const std::string dropped = in_fork([&] {
    event.reset();
    buffer = Buffer();
    // The last holds on the executable and on the client.
    { const Executable executable = std::move(add); }
    client = Client(nullptr);
    return std::string("calls since: ") + std::to_string(fake->calls(nullptr) - calls);
  });
  EXPECT_EQ(dropped, "calls since: 0");
}

TEST_F(Forks, LetAChildMakeAClientOfItsOwn) {
  EXPECT_EQ(in_fork([&] {
              const Client own = connect();
              return to_string(own.compile(program("fake.add_one"))(own.put(ramp(3))).only().type());
            }),
            "float32[3]");
}

TEST_F(Forks, CountThroughGenerations) {
  EXPECT_EQ(in_fork([&] {
              const Client own = connect();
              return in_fork([&] { return std::string(name(error_of([&] { own.devices(); }).code())); });
            }),
            "failed_precondition");
}

}  // namespace
}  // namespace pier
