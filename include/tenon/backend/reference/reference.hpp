// The reference backend: every pattern as its formula. The oracle of the tests and the teacher of the reader.
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
