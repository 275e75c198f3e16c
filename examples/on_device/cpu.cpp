// --backend cpu
#include "learned.hpp"

static const added_backend added("cpu", &task::learned<tenon::backend::cpu>);
