// Only here so that there are targets to which the precompiled headers belong.
