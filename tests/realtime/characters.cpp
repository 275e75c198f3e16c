// The stream of examples/characters.cpp, which is a program of its own.
#define main main_of_the_example
#include "../../examples/characters.cpp"
#undef main
#include "realtime/callbacks.hpp"

int main() { return tenon::test::check_realtime<streaming<character_model<64, 20>>>("characters"); }
