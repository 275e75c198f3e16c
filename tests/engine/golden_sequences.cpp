// Attention of sequences and the blocks of a transformer against PyTorch.
#include "engine/golden_sequences.hpp"

#include "tenon/nn/transformer.hpp"

namespace tenon::test {
using namespace nn;

TEST_CASE_TEMPLATE("multi-head attention agrees with PyTorch", M, oracle, processor) {
  check_alone<M, multi_head<8, 2>, 8, 5>("multi_head_self");
  check_alone<M, multi_head<6, 3, is_causal>, 6, 5>("multi_head_causal");
  check_with_memory<M, multi_head<6, 3>, 6, 4>("multi_head_cross");
}
TEST_CASE_TEMPLATE("the blocks of a transformer agree with PyTorch", M, oracle, processor) {
  check_alone<M, transformer_encoder<8, 2, 12>, 8, 5>("transformer_encoder");
  check_alone<M, transformer_encoder<6, 3, 10, norm_first, activation::gelu>, 6, 4>(
      "transformer_encoder_norm_first");
  check_with_memory<M, transformer_decoder<6, 2, 9>, 6, 6>("transformer_decoder");
}

}  // namespace tenon::test
