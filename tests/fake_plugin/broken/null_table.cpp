extern "C" __attribute__((visibility("default"))) const void* GetPjrtApi() { return nullptr; }
