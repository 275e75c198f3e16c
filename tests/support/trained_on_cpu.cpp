#include "backend/thrust/training.hpp"

namespace tenon::test {
trained trained_on_cpu() { return train_index_lookup<backend::cpu>(); }
}  // namespace tenon::test
