// A tag makes the trades that it derives from, and so do tags that derive from it.
#include "tenon/backend/trades.hpp"

namespace tenon::test {

using backend::bfloat16_weights;
using backend::trades;

struct plain {};
struct rounding : plain, bfloat16_weights {};
struct of_a_user : rounding {};
struct another_trade {};

static_assert(!trades<plain, bfloat16_weights>);
static_assert(trades<rounding, bfloat16_weights> && trades<of_a_user, bfloat16_weights>);
static_assert(!trades<rounding, another_trade> && !trades<of_a_user, another_trade>);

}  // namespace tenon::test
