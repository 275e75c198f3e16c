// The CUDA backend: products, attention, stages, and sums over long rows or many steps run in our own kernels; all other kernels are
// Thrust's. If nvcc does not compile it for a GPU, its kernels run in an emulation of blocks and threads on the CPU, which is slow and
// meant for tests.
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
