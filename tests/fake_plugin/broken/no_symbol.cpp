// A library that is no plugin.
extern "C" __attribute__((visibility("default"))) int something_else() { return 1; }
