// The Thrust backend: every kernel is an algorithm of Thrust, on the device that THRUST_DEVICE_SYSTEM selects. Code compiled by nvcc runs
// on a GPU; with THRUST_DEVICE_SYSTEM_CPP or THRUST_DEVICE_SYSTEM_OMP the device is a plain CPU.
#pragma once

#include "tenon/backend/thrust/axis.hpp"
#include "tenon/backend/thrust/bfloat16.hpp"
#include "tenon/backend/thrust/blocks.hpp"
#include "tenon/backend/thrust/clip.hpp"
#include "tenon/backend/thrust/dropout.hpp"
#include "tenon/backend/thrust/early_copy.hpp"
#include "tenon/backend/thrust/given.hpp"
#include "tenon/backend/thrust/graphs.hpp"
#include "tenon/backend/thrust/loss.hpp"
#include "tenon/backend/thrust/map.hpp"
#include "tenon/backend/thrust/memory.hpp"
#include "tenon/backend/thrust/product.hpp"
#include "tenon/backend/thrust/rows.hpp"
#include "tenon/backend/thrust/scatter.hpp"
#include "tenon/backend/thrust/scratch.hpp"
#include "tenon/backend/thrust/shards.hpp"
#include "tenon/backend/thrust/tag.hpp"
#include "tenon/backend/thrust/windows.hpp"
