// Tenon on any of its backends.
#pragma once

#include "language/graphs.hpp"
#include "language/values.hpp"
#include <tenon/decode/decode.hpp>

#include <type_traits>

namespace bench {

// Learns the sentences of a batch, or the next window of a text.
template <class Model, class Backend>
class tenon_learner final : public contender {
  using graph = typename Model::network;
  static constexpr bool is_of_words = std::is_same_v<typename Model::rule, tenon::optimizers::sgd>;
  static constexpr int rows = is_of_words ? language_work::streams : language_work::batch;
  using trainer = tenon::trainer<graph, typename Model::loss, typename Model::rule, tenon::batch<rows>,
                                 tenon::on<Backend>>;
  using h = tenon::carry<"states.h_n", "h0">;
  using c = tenon::carry<"states.c_n", "c0">;

  const language_work& work;
  tenon::parameters<graph> theta{tenon::zeros{}};
  std::unique_ptr<trainer> training;
  int window = 0;
  float loss = 0;

 public:
  explicit tenon_learner(const language_work& w) : work(w) { reset(); }
  void reset() override {
    initialize(theta, work);
    training = std::make_unique<trainer>(theta);
    training->optimizer().learning_rate = is_of_words ? work.rate_of_words : work.rate;
    training->max_norm = is_of_words ? work.max_norm_of_words : work.max_norm;
    window = 0;
  }
  void run() override {
    if constexpr (is_of_words) {
      const auto windows = tenon::contiguous<"text", h, c>(work.text);
      if (window == 0) windows.start(*training);
      windows.set_window(*training, window);
      loss = training->step();
      windows.carry(*training);
      window = (window + 1) % 3;
    } else {
      set_input<"source">(*training, work.source);
      set_input<"word">(*training, work.word);
      set_input<"target">(*training, work.target);
      loss = training->step();
    }
  }
  std::span<const float> output() const override { return {&loss, 1}; }
};

// Decodes all sentences at once, as examples/translate does; the answer is their log probabilities.
template <class Model, class Backend>
class tenon_searcher final : public contender {
  using graph = typename Model::network;
  using stream = tenon::streaming<graph, tenon::batch<language_work::searched * language_work::width>,
                                  tenon::on<Backend>>;
  static auto search_in(stream& live, const language_work& w) {
    return tenon::beam_search<"word", "logits", "weights">(
        live, {.width = w.width, .start = w.start, .end = w.end, .max_steps = w.length()});
  }

  const language_work& work;
  tenon::parameters<graph> theta{tenon::zeros{}};
  std::unique_ptr<stream> live;
  std::unique_ptr<decltype(search_in(*live, work))> search;
  std::vector<float> answer;

 public:
  explicit tenon_searcher(const language_work& w) : work(w) {
    initialize(theta, work);
    live = std::make_unique<stream>(theta);
    search = std::make_unique<decltype(search_in(*live, work))>(search_in(*live, work));
  }
  void run() override {
    set_input<"source">(*live, work.source);
    (*search)();
    answer.clear();
    for (int s = 0; s < search->sentences(); ++s) answer.push_back(float(search->best(s).log_probability));
  }
  std::span<const float> output() const override { return answer; }
};

template <model M, bool Large>
named_values values_of_model(const language_work& w) {
  tenon::parameters<typename model_of<M, Large>::network> theta{tenon::zeros{}};
  initialize(theta, w);
  named_values all;
  theta.for_each([&](std::string_view name, const auto& values) {
    std::vector<long> sizes;
    for (std::size_t axis = 0; axis < values.dimension(); ++axis) sizes.push_back(long(values.shape(axis)));
    all.push_back({std::string(name), sizes, {values.data(), values.data() + values.size()}});
  });
  return all;
}

}  // namespace bench
