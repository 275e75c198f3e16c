#include "thrust.cpp"
