#pragma once

// Everything that pier::core offers; and, with pier::pier, the store and the registry.
#include <pier/array.h>
#include <pier/attribute.h>
#include <pier/buffer.h>
#include <pier/client.h>
#include <pier/compile_options.h>
#include <pier/device.h>
#include <pier/dtype.h>
#include <pier/error.h>
#include <pier/event.h>
#include <pier/executable.h>
#include <pier/files.h>
#include <pier/log.h>
#include <pier/module.h>
#include <pier/npy.h>
#include <pier/npz.h>
#include <pier/plugin.h>
#include <pier/safetensors.h>

#if defined(PIER_HAS_REGISTRY)
#include <pier/doctor.h>
#include <pier/inspect.h>
#include <pier/registry.h>
#include <pier/store.h>
#endif
