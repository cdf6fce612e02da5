extern "C" const void* function_that_nobody_defines();
extern "C" __attribute__((visibility("default"))) const void* GetPjrtApi() { return function_that_nobody_defines(); }
