// All layers, cells and losses. A new one adds its line here.
#pragma once

#include "tenon/nn/activation.hpp"
#include "tenon/nn/attention.hpp"
#include "tenon/nn/cell/gru.hpp"
#include "tenon/nn/cell/lstm.hpp"
#include "tenon/nn/cell/rnn.hpp"
#include "tenon/nn/chain.hpp"
#include "tenon/nn/convolution.hpp"
#include "tenon/nn/dropout.hpp"
#include "tenon/nn/embedding.hpp"
#include "tenon/nn/linear.hpp"
#include "tenon/nn/loss.hpp"
#include "tenon/nn/multi_head.hpp"
#include "tenon/nn/normalization.hpp"
#include "tenon/nn/pooling.hpp"
#include "tenon/nn/recurrent.hpp"
#include "tenon/nn/transformer.hpp"
