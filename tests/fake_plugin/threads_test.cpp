#include <thread>

#include "fake_plugin/raw.h"

namespace fake::raw {
namespace {

TEST_F(FakePluginTest, ServesManyThreadsAtOnce) {
  create_client();
  abi::PJRT_LoadedExecutable* executable = compile("fake.add_one");
  plugin->delay("PJRT_LoadedExecutable_Execute", 1);
  std::vector<std::thread> threads;
  for (int t = 0; t < 8; ++t) {
    threads.emplace_back([&, t] {
      for (int i = 0; i < 50; ++i) {
        abi::PJRT_Buffer* argument = put({static_cast<float>(t), static_cast<float>(i)}, {2});
        Run run = execute(executable, {argument}, 1);
        ASSERT_TRUE(run.outcome) << run.outcome;
        destroy(argument);
        EXPECT_EQ(get(run.results[0]), (std::vector<float>{static_cast<float>(t) + 1, static_cast<float>(i) + 1}));
        EXPECT_TRUE(finish(run.done));
        destroy(run.results[0]);
        EXPECT_EQ(call<&Api::PJRT_Client_LookupDevice>({.client = client, .id = 9}).code, 3);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(plugin->calls("PJRT_LoadedExecutable_Execute"), 400u);
  destroy(executable);
}

TEST_F(FakePluginTest, MayBeSteeredWhileItWorks) {
  create_client();
  std::thread worker([&] {
    for (int i = 0; i < 300; ++i) {
      abi::PJRT_Client_ProcessIndex_Args args{.client = client};
      const Outcome outcome = call<&Api::PJRT_Client_ProcessIndex>(args);
      EXPECT_TRUE(outcome.code == 0 || outcome.code == 14) << outcome;
    }
  });
  for (int i = 0; i < 100; ++i) {
    plugin->fail("PJRT_Client_ProcessIndex", 1, 14, "busy", 4);
    plugin->live();
    plugin->calls(nullptr);
    plugin->call_report();
  }
  worker.join();
}

}  // namespace
}  // namespace fake::raw
