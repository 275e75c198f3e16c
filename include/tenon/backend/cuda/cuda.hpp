// The CUDA backend: products, attention, stages, and what sums over long rows or many steps, in kernels of our own; every other pattern
// is Thrust's. Where nvcc does not compile it for a GPU, its kernels run in an emulation of blocks and threads on the CPU: for tests, for
// it is slow.
#pragma once

#include "tenon/backend/cuda/axis.hpp"
#include "tenon/backend/cuda/bfloat16.hpp"
#include "tenon/backend/cuda/clip.hpp"
#include "tenon/backend/cuda/column_sums.hpp"
#include "tenon/backend/cuda/loop.hpp"
#include "tenon/backend/cuda/loss.hpp"
#include "tenon/backend/cuda/map.hpp"
#include "tenon/backend/cuda/pairs.hpp"
#include "tenon/backend/cuda/product.hpp"
#include "tenon/backend/cuda/row_loop.hpp"
#include "tenon/backend/cuda/stage.hpp"
#include "tenon/backend/cuda/tag.hpp"
#include "tenon/backend/thrust/thrust.hpp"
