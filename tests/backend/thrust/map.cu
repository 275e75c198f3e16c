#include "backend/thrust/map.hpp"
