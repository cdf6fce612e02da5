// The smallest library that can be taken for a plugin: it has the entry symbol and nothing behind it.
extern "C" __attribute__((visibility("default"))) const void* GetPjrtApi() { return nullptr; }
