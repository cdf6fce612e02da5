#include "abi/facts.h"

#include <gtest/gtest.h>

#include "abi/extension_traits.h"
#include "abi/pjrt.h"

namespace pier::abi {
namespace {

TEST(Facts, HoldsAll138FunctionsInTheOrderOfTheTable) {
  ASSERT_EQ(functions().size(), 138u);
  std::size_t offset = 40;
  int since = 0;
  for (const FunctionFact& fact : functions()) {
    EXPECT_EQ(fact.offset, offset);
    EXPECT_GE(std::max<int>(fact.since, oldest_minor), since) << fact.name;
    EXPECT_EQ(function_at(offset), &fact);
    EXPECT_EQ(find_function(fact.name), &fact);
    since = std::max<int>(fact.since, oldest_minor);
    offset += 8;
  }
  EXPECT_EQ(offset, sizeof(Api));
  EXPECT_EQ(function_at(offset), nullptr);
  EXPECT_EQ(function_at(32), nullptr);
  EXPECT_EQ(function_at(44), nullptr);
}

TEST(Facts, KnowsTheSizesOfAnArgumentStructByVersion) {
  const FunctionFact* create = find_function("PJRT_Client_Create");
  ASSERT_NE(create, nullptr);
  EXPECT_EQ(create->args->name, "PJRT_Client_Create_Args");
  EXPECT_EQ(sizes_at(*create->args, 54)->struct_size, 72u);
  EXPECT_EQ(sizes_at(*create->args, 61)->struct_size, 88u);
  EXPECT_EQ(sizes_at(*create->args, 500)->struct_size, sizeof(PJRT_Client_Create_Args));
  const StructFact* stats = find_struct("PJRT_Device_MemoryStats_Args");
  ASSERT_NE(stats, nullptr);
  EXPECT_EQ(sizes_at(*stats, 112)->struct_size, 185u);
  EXPECT_EQ(sizes_at(*stats, 113)->struct_size, 201u);
  EXPECT_EQ(sizes_at(*stats, 113)->size, 208u);
  EXPECT_EQ(sizes_at(*stats, 113)->minimum, 185u);
  EXPECT_EQ(sizes_at(*find_struct("PJRT_Client_Load_Args"), 91), nullptr) << "came with 0.92";
}

TEST(Facts, RowsOfSizesAscend) {
  for (const StructFact& fact : structs()) {
    ASSERT_FALSE(fact.sizes.empty()) << fact.name;
    for (std::size_t i = 1; i < fact.sizes.size(); ++i) EXPECT_LT(fact.sizes[i - 1].from, fact.sizes[i].from) << fact.name;
  }
}

TEST(Facts, NamesEveryExtensionType) {
  for (int type = 0; type <= PJRT_Extension_Type_XlaTransform; ++type) {
    const ExtensionFact* fact = find_extension(type);
    ASSERT_NE(fact, nullptr) << type;
    EXPECT_FALSE(fact->name.empty());
  }
  EXPECT_EQ(find_extension(25), nullptr);
  const ExtensionFact* layouts = find_extension(PJRT_Extension_Type_Layouts);
  EXPECT_EQ(sizes_at(*layouts->entry, 54)->size, 56u);
  EXPECT_EQ(sizes_at(*layouts->entry, 75)->size, 64u);
  EXPECT_EQ(sizes_at(*layouts->entry, 93)->size, 80u);
  EXPECT_EQ(layouts->functions.size(), 7u);
  EXPECT_EQ(find_extension(PJRT_Extension_Type_Triton)->until, 114);
}

TEST(Facts, FindsValuesOfEnumsWithGapsToo) {
  const EnumFact* types = find_enum("PJRT_Buffer_Type");
  ASSERT_NE(types, nullptr);
  EXPECT_EQ(types->values.size(), 34u);
  for (const ValueFact& fact : types->values) EXPECT_EQ(find_value(*types, fact.value), &fact);
  EXPECT_EQ(find_value(*types, 34), nullptr);
  EXPECT_EQ(find_value(*types, -1), nullptr);
  EXPECT_EQ(find_enum("PJRT_No_Type"), nullptr);
}

TEST(Declarations, SayTheirOwnSize) {
  EXPECT_EQ(PJRT_Program{}.struct_size, 48u);
  EXPECT_EQ(PJRT_NamedValue{}.struct_size, 56u);
  EXPECT_EQ(PJRT_ExecuteOptions{}.struct_size, sizes_at(*find_struct("PJRT_ExecuteOptions"), api_minor)->struct_size);
  EXPECT_EQ(PJRT_RawBuffer_Extension{}.base.type, PJRT_Extension_Type_RawBuffer);
  EXPECT_EQ(Api{}.struct_size, sizeof(Api));
  EXPECT_EQ(ExtensionTraits<PJRT_FFI_Extension>::type, PJRT_Extension_Type_FFI);
}

}  // namespace
}  // namespace pier::abi
