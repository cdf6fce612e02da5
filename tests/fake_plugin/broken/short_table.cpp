#include "abi/pjrt.h"

// A table that ends early and says so: struct_size is to be trusted from 0.57 on.
namespace {

struct ShortTable {
  std::size_t struct_size = sizeof(ShortTable);
  pier::abi::PJRT_Extension_Base* extension_start = nullptr;
  pier::abi::PJRT_Api_Version version{.minor_version = 90};
  void (*error_destroy)(pier::abi::PJRT_Error_Destroy_Args*) = [](pier::abi::PJRT_Error_Destroy_Args*) {};
  void (*error_message)(pier::abi::PJRT_Error_Message_Args*) = [](pier::abi::PJRT_Error_Message_Args*) {};
  pier::abi::PJRT_Error* (*error_get_code)(pier::abi::PJRT_Error_GetCode_Args*) =
      [](pier::abi::PJRT_Error_GetCode_Args*) -> pier::abi::PJRT_Error* { return nullptr; };
};
const ShortTable table;

}  // namespace

extern "C" __attribute__((visibility("default"))) const void* GetPjrtApi() { return &table; }
