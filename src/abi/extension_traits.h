#pragma once

// Written by abi/generate.py from abi/pjrt.json; edit that.
// Which extension type each entry struct stands for.

#include "abi/extensions.h"
#include "abi/tpu.h"

namespace pier::abi {

template <class Entry>
struct ExtensionTraits;

template <>
struct ExtensionTraits<PJRT_Gpu_Custom_Call> {
  static constexpr PJRT_Extension_Type type = PJRT_Extension_Type_Gpu_Custom_Call;
  static constexpr const char* name = "Gpu_Custom_Call";
};
template <>
struct ExtensionTraits<PJRT_Profiler_Extension> {
  static constexpr PJRT_Extension_Type type = PJRT_Extension_Type_Profiler;
  static constexpr const char* name = "Profiler";
};
template <>
struct ExtensionTraits<PJRT_Custom_Partitioner_Extension> {
  static constexpr PJRT_Extension_Type type = PJRT_Extension_Type_Custom_Partitioner;
  static constexpr const char* name = "Custom_Partitioner";
};
template <>
struct ExtensionTraits<PJRT_Stream_Extension> {
  static constexpr PJRT_Extension_Type type = PJRT_Extension_Type_Stream;
  static constexpr const char* name = "Stream";
};
template <>
struct ExtensionTraits<PJRT_Layouts_Extension> {
  static constexpr PJRT_Extension_Type type = PJRT_Extension_Type_Layouts;
  static constexpr const char* name = "Layouts";
};
template <>
struct ExtensionTraits<PJRT_FFI_Extension> {
  static constexpr PJRT_Extension_Type type = PJRT_Extension_Type_FFI;
  static constexpr const char* name = "FFI";
};
template <>
struct ExtensionTraits<PJRT_MemoryDescriptions_Extension> {
  static constexpr PJRT_Extension_Type type = PJRT_Extension_Type_MemoryDescriptions;
  static constexpr const char* name = "MemoryDescriptions";
};
template <>
struct ExtensionTraits<PJRT_RawBuffer_Extension> {
  static constexpr PJRT_Extension_Type type = PJRT_Extension_Type_RawBuffer;
  static constexpr const char* name = "RawBuffer";
};
template <>
struct ExtensionTraits<PJRT_PhaseCompile_Extension> {
  static constexpr PJRT_Extension_Type type = PJRT_Extension_Type_PhaseCompile;
  static constexpr const char* name = "PhaseCompile";
};
template <>
struct ExtensionTraits<PJRT_CrossHostTransfers_Extension> {
  static constexpr PJRT_Extension_Type type = PJRT_Extension_Type_CrossHostTransfers;
  static constexpr const char* name = "CrossHostTransfers";
};
template <>
struct ExtensionTraits<PJRT_ExecutableMetadata_Extension> {
  static constexpr PJRT_Extension_Type type = PJRT_Extension_Type_ExecutableMetadata;
  static constexpr const char* name = "ExecutableMetadata";
};
template <>
struct ExtensionTraits<PJRT_Callback_Extension> {
  static constexpr PJRT_Extension_Type type = PJRT_Extension_Type_Callback;
  static constexpr const char* name = "Callback";
};
template <>
struct ExtensionTraits<PJRT_TpuTopology_Extension> {
  static constexpr PJRT_Extension_Type type = PJRT_Extension_Type_TpuTopology;
  static constexpr const char* name = "TpuTopology";
};
template <>
struct ExtensionTraits<PJRT_TpuExecutable_Extension> {
  static constexpr PJRT_Extension_Type type = PJRT_Extension_Type_TpuExecutable;
  static constexpr const char* name = "TpuExecutable";
};
template <>
struct ExtensionTraits<PJRT_Megascale_Extension> {
  static constexpr PJRT_Extension_Type type = PJRT_Extension_Type_Megascale;
  static constexpr const char* name = "Megascale";
};
template <>
struct ExtensionTraits<PJRT_Shardings_Extension> {
  static constexpr PJRT_Extension_Type type = PJRT_Extension_Type_Shardings;
  static constexpr const char* name = "Shardings";
};
template <>
struct ExtensionTraits<PJRT_AbiVersion_Extension> {
  static constexpr PJRT_Extension_Type type = PJRT_Extension_Type_AbiVersion;
  static constexpr const char* name = "AbiVersion";
};
template <>
struct ExtensionTraits<PJRT_Collectives_Extension> {
  static constexpr PJRT_Extension_Type type = PJRT_Extension_Type_Collectives;
  static constexpr const char* name = "Collectives";
};
template <>
struct ExtensionTraits<PJRT_MultiSlice_Extension> {
  static constexpr PJRT_Extension_Type type = PJRT_Extension_Type_MultiSlice;
  static constexpr const char* name = "MultiSlice";
};
template <>
struct ExtensionTraits<PJRT_HostMemoryAllocator_Extension> {
  static constexpr PJRT_Extension_Type type = PJRT_Extension_Type_HostMemoryAllocator;
  static constexpr const char* name = "HostMemoryAllocator";
};
template <>
struct ExtensionTraits<PJRT_Xla_Transform_Extension> {
  static constexpr PJRT_Extension_Type type = PJRT_Extension_Type_XlaTransform;
  static constexpr const char* name = "XlaTransform";
};

}  // namespace pier::abi
