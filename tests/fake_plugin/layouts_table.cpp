#include "abi/extensions.h"
#include "fake_plugin/slot.h"
#include "fake_plugin/table.h"

namespace fake {

abi::PJRT_Layouts_Extension layouts_table() {
  using Entry = abi::PJRT_Layouts_Extension;
  Entry entry;
  fill<&Entry::PJRT_Layouts_MemoryLayout_Destroy>(entry);
  fill<&Entry::PJRT_Layouts_MemoryLayout_Serialize>(entry);
  fill<&Entry::PJRT_Layouts_PJRT_Client_GetDefaultLayout>(entry);
  fill<&Entry::PJRT_Layouts_PJRT_Buffer_MemoryLayout>(entry);
  fill<&Entry::PJRT_Layouts_PJRT_Topology_GetDefaultLayout>(entry);
  fill<&Entry::PJRT_Layouts_PJRT_Executable_GetOutputLayouts>(entry);
  fill<&Entry::PJRT_Layouts_PJRT_Executable_GetParameterLayouts>(entry);
  return entry;
}

}  // namespace fake
