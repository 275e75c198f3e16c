// Exists only so that there is a target whose precompiled headers the tests use.
