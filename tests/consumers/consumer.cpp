// What a user's first program looks like; built in each of the ways that a project can take the library in.
#include <tenon/tenon.hpp>

static_assert(TENON_VERSION >= 100);

int main() {}
