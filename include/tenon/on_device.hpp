// All of Tenon with both backends of a device, backend::thrust_device and backend::cuda, and shards<N> on them: what a program for a GPU includes.
// Compiled by nvcc it runs there; by another compiler on a plain CPU, in one thread, or in those of OpenMP where THRUST_DEVICE_SYSTEM says so, and
// backend::cuda in an emulation, for tests.
#pragma once

#include "tenon/backend/cuda/cuda.hpp"
#include "tenon/backend/thrust/thrust.hpp"
#include "tenon/tenon.hpp"
#include "tenon/train/trainer/device_shards.hpp"
