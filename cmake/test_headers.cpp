// Only here so that a target exists to which the tests' precompiled headers belong.
