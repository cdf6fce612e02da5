#pragma once

#include "abi/extensions.h"
#include "abi/pjrt.h"

namespace fake {

namespace abi = pier::abi;

/// The whole tables, in their newest form.
abi::PJRT_Api core_table();
abi::PJRT_Layouts_Extension layouts_table();

/// A table as the settings want it: the same one until they change. Tables stay for ever.
const abi::PJRT_Api* posed_table();

}  // namespace fake
