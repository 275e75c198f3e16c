// A training on one long text stops between two windows and continues from the carried states, with the same bits as one that did not stop.
#include "support/temporary_file.hpp"
#include "tenon/data/contiguous.hpp"
#include "tenon/nn/nn.hpp"
#include "tenon/train/checkpoints/checkpoint.hpp"
#include "tenon/train/trainer/shards.hpp"

#include <doctest/doctest.h>

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

namespace tenon::test {
using namespace nn;

using letters =
    graph<"letters", input<"x", token<6>, steps<4>>, input<"h0", layers<2>, features<5>>,
          input<"c0", layers<2>, features<5>>, node<"e", embedding<6, 4>, "x">,
          node<"states", lstm<5, layers<2>, dropout<0.2>>, "e", "h0", "c0">,
          node<"logits", linear<6>, "states">, output<"logits">, output<"states.h_n">, output<"states.c_n">>;
using one_layer = graph<"one_layer", input<"x", token<6>, steps<4>>, input<"h0", features<5>>,
                        node<"e", embedding<6, 4>, "x">, node<"states", gru<5>, "e", "h0">,
                        node<"logits", linear<6>, "states">, output<"logits">, output<"states.h_n">>;

// 4 streams of 43 steps: 11 windows, the last one shorter.
std::vector<int> text() {
  std::vector<int> all;
  for (int k = 0; k < 4 * 43 + 1; ++k) all.push_back((k * k / 3 + k) % 6);
  return all;
}

struct stopped {};
struct result {
  std::vector<float> theta;
  std::vector<double> losses;
  bool operator==(const result&) const = default;
};
// Three epochs, or the part of them before step `stop_at`, like a program that is killed from outside.
template <class Trainer, class G>
result train(const auto& data, const std::string& path, long stop_at = -1, int accumulate = 1) {
  parameters<G> theta(seed{1});
  Trainer t(theta, {.learning_rate = 0.01}, seed{7});
  t.accumulate = accumulate;
  fit_options<Trainer> options{.epochs = 3, .schedule = [=](const schedules::progress& p) {
                                 if (p.step == stop_at) throw stopped{};
                                 return 0.01 / static_cast<double>(1 + p.step);
                               }};
  if (!path.empty()) options.checkpoint = checkpoint{.path = path, .steps = 3};
  result r;
  try {
    for (const reports::epoch& e : fit(t, data, options).epochs) r.losses.push_back(e.loss);
  } catch (const stopped&) {}
  r.theta.assign(std::as_const(theta).data(), std::as_const(theta).data() + theta.block_size);
  return r;
}
template <class Trainer, class G>
void check_resumed(const auto& data, int accumulate = 1) {
  const result expected = train<Trainer, G>(data, "", -1, accumulate);
  REQUIRE(expected.losses.size() == 3);
  const temporary_folder folder;
  const std::string path = folder.path + "/run.ckpt";
  const long steps = 3 * ((11 + accumulate - 1) / accumulate);
  for (long stop_at = 1; stop_at < steps; stop_at += 2) {
    INFO("stopped before step ", stop_at);
    std::filesystem::remove(path);
    train<Trainer, G>(data, path, stop_at, accumulate);
    REQUIRE(std::filesystem::exists(path) == (stop_at >= 3));
    if (!std::filesystem::exists(path)) continue;
    if (stop_at == 5) {  // in the middle of the first epoch
      double at[9];
      const io::safetensors_file file(path);
      read_numbers(file.at("training.progress"), 0, 9, at);
      CHECK(at[0] == 3);
      CHECK(at[3] == 3 * accumulate);
    }
    CHECK(train<Trainer, G>(data, path, -1, accumulate) == expected);
  }
}

TEST_CASE("between two windows, with the states of two layers") {
  using t = trainer<letters, losses::cross_entropy<"logits">, optimizers::adam, batch<4>>;
  check_resumed<t, letters>(contiguous<"x", carry<"states.h_n", "h0">, carry<"states.c_n", "c0">>(text()));
}
TEST_CASE("one layer, and gradients of two windows together") {
  using t = trainer<one_layer, losses::cross_entropy<"logits">, optimizers::adam, batch<4>>;
  check_resumed<t, one_layer>(contiguous<"x", carry<"states.h_n", "h0">>(text()), 2);
}
TEST_CASE("streams that are shared among shards") {
  using t = trainer<letters, losses::cross_entropy<"logits">, optimizers::adam, batch<4>, shards<2>>;
  check_resumed<t, letters>(contiguous<"x", carry<"states.h_n", "h0">, carry<"states.c_n", "c0">>(text()));
}
TEST_CASE("nothing is carried") {
  using t = trainer<one_layer, losses::cross_entropy<"logits">, optimizers::adam, batch<4>>;
  struct without : decltype(contiguous<"x">(text())) {
    using base = decltype(contiguous<"x">(text()));
    without() : base(text()) {}
    void start(t& session) const { set_input<"h0">(session, zeros{}); }
  };
  static_assert(engine::PausableFor<without, t> && without::carried_count<t>() == 0);
  check_resumed<t, one_layer>(without());
}

// A user's own windows, which cannot tell what they carry, are saved at the ends of epochs.
using windows_of_text = decltype(contiguous<"x", carry<"states.h_n", "h0">>(text()));
struct own_windows {
  windows_of_text all{text()};
  int windows(const auto& session) const { return all.windows(session); }
  void set_window(auto& session, int k) const { all.set_window(session, k); }
  void start(auto& session) const { all.start(session); }
  void carry(auto& session) const { all.carry(session); }
};
TEST_CASE("windows that cannot say what they carry go on from the end of an epoch") {
  using t = trainer<one_layer, losses::cross_entropy<"logits">, optimizers::adam, batch<4>>;
  static_assert(engine::WindowsFor<own_windows, t> && !engine::PausableFor<own_windows, t>);
  const temporary_folder folder;
  const std::string path = folder.path + "/run.ckpt";
  train<t, one_layer>(own_windows(), path, 10);
  CHECK(!std::filesystem::exists(path));
  train<t, one_layer>(own_windows(), path, 20);
  CHECK(train<t, one_layer>(own_windows(), path) == train<t, one_layer>(own_windows(), ""));
}

}  // namespace tenon::test
