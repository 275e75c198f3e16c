// The stream of examples/copying.cpp, which is a program of its own.
#define main main_of_the_example
#include "../../examples/copying.cpp"
#undef main
#include "realtime/callbacks.hpp"

int main() { return tenon::test::check_realtime<streaming<copying, batch<4>>>("copying"); }
