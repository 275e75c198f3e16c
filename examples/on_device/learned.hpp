// The index lookup of ../index_lookup.cpp on any backend: the same graph, seeds and random bits.
#pragma once

#include "backends.hpp"
#include "digit_sequences.hpp"

#include <cstdio>

namespace task {

using namespace tenon;
using namespace tenon::nn;

using index_lookup = graph<"index_lookup",
    input<"tokens", token<10>, steps<10>>,
    input<"index",  token<10>>,
    node<"embedded", embedding<10, 128>,                                "tokens">,
    node<"states",   lstm<32, bidirectional, layers<2>, dropout<0.5>>,  "embedded">,
    node<"query",    chain<embedding<10, 128>, linear<64>>,             "index">,
    node<"context",  attention<score::dot>,                             "query", "states">,
    node<"logits",   linear<10>,                                        "context">,
    output<"logits">>;

template <class Backend>
double learned(int epochs) {
  const auto train = digit_sequences(5000, seed{1}), test = digit_sequences(5000, seed{2});
  parameters<index_lookup> theta(seed{3});
  trainer<index_lookup, losses::cross_entropy<"logits">, optimizers::adam, batch<32>, on<Backend>> trainer(theta, {}, seed{4});
  fit(trainer, train, {.epochs = epochs, .shuffle = seed{5}, .schedule = schedules::cosine(2e-3), .log = stdout});
  return evaluate(trainer, test, {metric::accuracy{}}).metrics[0];
}

}  // namespace task
