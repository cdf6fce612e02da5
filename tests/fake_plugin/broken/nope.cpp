// Exists while linking only: missing_needed.so asks for it, and the loader finds it nowhere.
extern "C" __attribute__((visibility("default"))) const void* nope() { return nullptr; }
