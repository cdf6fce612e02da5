#include <gtest/gtest.h>

#include "registry/names.h"

namespace {

using namespace pier::registry;
using pier::is_name;

TEST(Names, AnIdHasLowerCaseLettersDigitsAndThreeSigns) {
  EXPECT_TRUE(is_name("cuda13"));
  EXPECT_TRUE(is_name("my-plugin_2.b"));
  for (const char* bad : {"", "CPU", "-a", "a b", "a/b", "..", "ü"}) EXPECT_FALSE(is_name(bad)) << bad;
  for (const char* taken : {"auto", "a.so", "a.so.1", "a.dylib", "a.dll"}) EXPECT_FALSE(is_name(taken)) << taken;
  EXPECT_FALSE(is_name(std::string(65, 'a')));
  EXPECT_TRUE(is_name(std::string(64, 'a')));
}

TEST(Names, TheVariableOfAnIdIsUpperCaseWithUnderscores) {
  EXPECT_EQ(variable_of("cuda13"), "PIER_PLUGIN_CUDA13");
  EXPECT_EQ(variable_of("my-plugin.v2"), "PIER_PLUGIN_MY_PLUGIN_V2");
}

TEST(Names, LibrariesOfThePublishedPluginsTellTheirAccelerator) {
  EXPECT_EQ(id_from_library("/a/pjrt_c_api_cpu_plugin.so"), "cpu");
  EXPECT_EQ(id_from_library("libpjrt_cpu.so"), "cpu");
  EXPECT_EQ(id_from_library("xla_cpu_pjrt.so"), "cpu");
  EXPECT_EQ(id_from_library("pjrt_c_api_cpu_v0.83.4_plugin.so"), "cpu");
  EXPECT_EQ(id_from_library("xla_cuda_plugin.so"), "cuda");
  EXPECT_EQ(id_from_library("libtpu.so"), "tpu");
  EXPECT_EQ(id_from_library("pjrt_plugin_metal_14.dylib"), "metal");
  EXPECT_EQ(id_from_library("libpjrt_plugin_mps.dylib"), "mps");
  EXPECT_EQ(id_from_library("pjrt_c_api_mtl_plugin.dylib"), "mtl");
  EXPECT_EQ(id_from_library("libpjrt_tt.so.1"), "tt");
  EXPECT_EQ(id_from_library("pjrt_plugin.so"), "pjrt_plugin");
}

TEST(Names, ALibraryIsToldByItsEnding) {
  for (const char* good : {"a.so", "a.so.1.2", "a.dylib", "a.dll"}) EXPECT_TRUE(pier::is_library_name(good)) << good;
  for (const char* bad : {"a", "sodium", "a.txt", "cpu"}) EXPECT_FALSE(pier::is_library_name(bad)) << bad;
}

TEST(Names, PriorityFallsTpuGpuOthersCpu) {
  const int tpu = default_priority("tpu", {});
  const int gpu = default_priority("metal", {"gpu"});
  const int other = default_priority("mine", {});
  const int cpu = default_priority("cpu", {});
  EXPECT_GT(tpu, gpu);
  EXPECT_GT(gpu, other);
  EXPECT_GT(other, cpu);
}

}  // namespace
