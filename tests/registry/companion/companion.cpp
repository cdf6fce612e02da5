// A library of which there are two versions under one name.
extern "C" __attribute__((visibility("default"))) int companion_version() { return COMPANION_VERSION; }
