// All of Tenon with the Thrust backend: what a program for a GPU includes. Compiled by nvcc it runs there; by another compiler on a
// plain CPU, in one thread, or in those of OpenMP where THRUST_DEVICE_SYSTEM says so.
#pragma once

#include "tenon/backend/thrust/thrust.hpp"
#include "tenon/tenon.hpp"
