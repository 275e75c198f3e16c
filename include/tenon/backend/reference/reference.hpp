// The reference backend: every kernel written as its formula. Tests compare with it, and readers can learn from it.
#pragma once

#include "tenon/backend/reference/axis.hpp"
#include "tenon/backend/reference/cross_entropy.hpp"
#include "tenon/backend/reference/dropout.hpp"
#include "tenon/backend/reference/loss.hpp"
#include "tenon/backend/reference/map.hpp"
#include "tenon/backend/reference/numbers.hpp"
#include "tenon/backend/reference/product.hpp"
#include "tenon/backend/reference/rows.hpp"
#include "tenon/backend/reference/tag.hpp"
#include "tenon/backend/reference/windows.hpp"
