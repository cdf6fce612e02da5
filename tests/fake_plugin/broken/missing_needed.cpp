extern "C" const void* nope();
extern "C" __attribute__((visibility("default"))) const void* GetPjrtApi() { return nope(); }
