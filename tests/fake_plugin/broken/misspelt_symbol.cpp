// The entry point has another name.
extern "C" __attribute__((visibility("default"))) const void* GetPjrtAPI() { return nullptr; }
