#include "abi/compile_options.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <pier/error.h>

#include <cmath>

namespace pier::abi {
namespace {

using ::testing::HasSubstr;

std::string hex(const std::string& bytes) {
  std::string out;
  for (const char c : bytes) {
    constexpr char digits[] = "0123456789abcdef";
    if (!out.empty()) out += ' ';
    out += digits[static_cast<unsigned char>(c) >> 4];
    out += digits[static_cast<unsigned char>(c) & 15];
  }
  return out;
}

std::string refusal(const CompileOptions& options) {
  try {
    serialize(options);
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::invalid_argument);
    return error.what();
  }
  ADD_FAILURE() << "nothing was refused";
  return {};
}

TEST(CompileOptions, AreSixBytesByDefault) { EXPECT_EQ(hex(serialize({})), "1a 04 20 01 28 01"); }

TEST(CompileOptions, WritesReplicasPartitionsAndPartitioners) {
  CompileOptions options;
  options.num_replicas = 2;
  options.num_partitions = 300;
  options.device_ordinal = -1;
  options.use_spmd_partitioning = true;
  options.use_auto_spmd_partitioning = true;
  options.use_shardy_partitioner = true;
  EXPECT_EQ(hex(serialize(options)),
            "1a 17 08 ff ff ff ff ff ff ff ff ff 01 20 02 28 ac 02 30 01 38 01 98 01 01");
}

TEST(CompileOptions, WritesTheDeviceAssignmentByPartition) {
  CompileOptions options;
  options.num_replicas = 2;
  options.num_partitions = 2;
  options.device_assignment = {{0, 1}, {2, 3}};
  EXPECT_EQ(hex(serialize(options)),
            "1a 16 20 02 28 02 4a 10 08 02 10 02 1a 04 0a 02 00 02 1a 04 0a 02 01 03");
}

TEST(CompileOptions, WritesOverridesOfEveryTypeInOrderOfName) {
  CompileOptions options;
  options.overrides["d"] = 0.5;
  options.overrides["b"] = false;
  options.overrides["i"] = std::int64_t{-1};
  options.overrides["s"] = std::string("x");
  EXPECT_EQ(hex(serialize(options)),
            "1a 04 20 01 28 01 "
            "3a 07 0a 01 62 12 02 10 00 "
            "3a 0e 0a 01 64 12 09 21 00 00 00 00 00 00 e0 3f "
            "3a 10 0a 01 69 12 0b 18 ff ff ff ff ff ff ff ff ff 01 "
            "3a 08 0a 01 73 12 03 0a 01 78");
}

TEST(CompileOptions, WritesTheRest) {
  CompileOptions options;
  options.parameter_is_tupled_arguments = true;
  options.compile_portable_executable = true;
  options.profile_version = 3;
  options.serialized_multi_slice_config.push_back('m');
  options.deduplicate_hlo = true;
  options.alias_passthrough_params = true;
  options.run_backend_only = true;
  options.allow_sharding_propagation_to_output = {true, false};
  options.allow_sharding_propagation_to_parameters = {true};
  options.fdo_profile.push_back('p');
  options.device_memory_size = 5;
  options.exec_time_optimization_effort = 0.5f;
  options.memory_fitting_effort = -1.0f;
  options.process_index = 0;
  options.process_count = 2;
  EXPECT_EQ(hex(serialize(options)),
            "10 01 1a 29 20 01 28 01 40 01 50 01 58 01 62 02 01 00 72 01 70 78 05 92 01 01 01 a5 01 00 00 00 3f ad 01 00 00 "
            "80 bf b0 01 00 b8 01 02 20 01 28 03 32 01 6d");
}

TEST(CompileOptions, RefusesCountsOutOfRange) {
  for (const std::int64_t count : {std::int64_t{0}, std::int64_t{-1}, std::int64_t{1} << 31}) {
    CompileOptions options;
    options.num_replicas = count;
    EXPECT_THAT(refusal(options), HasSubstr("num_replicas"));
    options.num_replicas = 1;
    options.num_partitions = count;
    EXPECT_THAT(refusal(options), HasSubstr("num_partitions"));
  }
}

TEST(CompileOptions, RefusesAnAssignmentThatDoesNotFitTheCounts) {
  CompileOptions options;
  options.num_replicas = 2;
  options.device_assignment = {{0}};
  EXPECT_THAT(refusal(options), HasSubstr("1 replicas, num_replicas is 2"));
  options.device_assignment = {{0}, {1, 2}};
  EXPECT_THAT(refusal(options), HasSubstr("replica 1 of device_assignment has 2 devices"));
}

TEST(CompileOptions, RefusesEffortsOutOfRangeAndNamelessOverrides) {
  CompileOptions options;
  options.exec_time_optimization_effort = 1.5f;
  EXPECT_THAT(refusal(options), HasSubstr("exec_time_optimization_effort"));
  options.exec_time_optimization_effort = std::nanf("");
  EXPECT_THAT(refusal(options), HasSubstr("exec_time_optimization_effort"));
  options = {};
  options.overrides[""] = true;
  EXPECT_THAT(refusal(options), HasSubstr("no name"));
}

}  // namespace
}  // namespace pier::abi
