// A training as TensorBoard reads it: one record for each number of an epoch and each parameter.
#include "tenon/train/reports/tensorboard.hpp"

#include "tenon/data/data_set.hpp"
#include "tenon/nn/nn.hpp"
#include "tenon/train/loop/fit.hpp"
#include "tenon/train/metrics/metrics.hpp"

#include <doctest/doctest.h>

#include <array>
#include <filesystem>
#include <fstream>
#include <iterator>

namespace tenon::test {
using namespace nn;

using plane = graph<"plane", input<"x", features<2>>, node<"logits", linear<2>, "x">, output<"logits">>;
using plane_trainer = trainer<plane, losses::cross_entropy<"logits">, optimizers::sgd, batch<4>>;
auto data() {
  return data_set(column<"x">(8,
                              [](int r) {
                                return std::array{static_cast<float>(r), 1.0f};
                              }),
                  column<"target">(8, [](int r) { return r % 2; }));
}
struct folder {
  std::string path =
      (std::filesystem::temp_directory_path() / ("tenon_tensorboard_" + std::to_string(::getpid()))).string();
  ~folder() { std::filesystem::remove_all(path); }
};

// The contents of a record with one value: its step, tag and, for a scalar, its number.
struct seen {
  long step = 0;
  std::string tag;
  float value = 0;
  bool is_histogram = false;
  bool operator==(const seen&) const = default;
};
// Reads protocol buffers by their wire types, without any knowledge of how they were written.
void read_fields(std::string_view bytes, auto f) {
  const auto varint = [&] {
    long value = 0;
    for (int shift = 0;; shift += 7) {
      const auto byte = static_cast<unsigned char>(bytes.at(0));
      bytes.remove_prefix(1), value |= long{byte & 0x7F} << shift;
      if (byte < 0x80) return value;
    }
  };
  while (!bytes.empty()) {
    const long key = varint();
    long number = 0;
    std::size_t size = key % 8 == 1 ? 8 : 4;
    if (key % 8 == 0) {
      number = varint();
      size = 0;
    }
    if (key % 8 == 2) size = static_cast<std::size_t>(varint());
    REQUIRE(size <= bytes.size());
    f(key / 8, number, bytes.substr(0, size));
    bytes.remove_prefix(size);
  }
}
std::vector<seen> events(const std::string& path) {
  std::ifstream from(path, std::ios::binary);
  const std::string all{std::istreambuf_iterator<char>(from), {}};
  std::vector<seen> result;
  for (std::size_t at = 0; at < all.size();) {
    std::uint64_t size = 0;
    std::memcpy(&size, all.data() + at, 8);
    seen event;
    read_fields(std::string_view(all).substr(at + 12, size),
                [&](long field, long number, std::string_view summary) {
                  if (field == 2) event.step = number;
                  if (field == 5)
                    read_fields(summary, [&](long, long, std::string_view value) {
                      read_fields(value, [&](long part, long, std::string_view content) {
                        if (part == 1) event.tag = content;
                        if (part == 2) std::memcpy(&event.value, content.data(), 4);
                        event.is_histogram = event.is_histogram || part == 5;
                      });
                    });
                });
    result.push_back(event);
    at += size + 16;
  }
  return result;
}

TEST_CASE("each epoch writes its losses, metrics, rate and parameters") {
  const folder f;
  parameters<plane> theta(seed{1});
  plane_trainer t(theta);
  const io::tensorboard board(f.path, {"accuracy"});
  const reports::history h =
      fit(t, data(),
          {.epochs = 2,
           .validate = data(),
           .metrics = {metric::accuracy{}},
           .after_epoch = board.histograms(theta).histograms(t.gradients(), "gradients")});
  const auto all = events(board.file().path());
  std::vector<seen> expected{seen{}};
  for (const reports::epoch& e : h.epochs) {
    const auto scalar = [&](const char* tag, double value) {
      expected.push_back({e.epoch, tag, static_cast<float>(value), false});
    };
    scalar("loss/train", e.loss);
    scalar("loss/validation", e.validation_loss);
    scalar("metric/accuracy", e.metrics[0]);
    scalar("learning_rate", 0.01);
    scalar("seconds", e.seconds);
    for (const char* tag : {"parameters/logits.weight", "parameters/logits.bias", "gradients/logits.weight",
                            "gradients/logits.bias"})
      expected.push_back({e.epoch, tag, 0, true});
  }
  CHECK(all == expected);
}
TEST_CASE("what was not validated has no record, metrics without names are numbered") {
  const folder f;
  const io::tensorboard board(f.path);
  board({.epoch = 3, .loss = 0.5, .metrics = {0.25, 0.75}, .learning_rate = 0.1, .seconds = 2});
  board.file().scalar("mine", 9, 4);
  const std::vector<seen> expected{{},
                                   {3, "loss/train", 0.5f, false},
                                   {3, "metric/1", 0.25f, false},
                                   {3, "metric/2", 0.75f, false},
                                   {3, "learning_rate", 0.1f, false},
                                   {3, "seconds", 2, false},
                                   {4, "mine", 9, false}};
  CHECK(events(board.file().path()) == expected);
}
TEST_CASE("another number of names than of metrics is refused") {
  const folder f;
  const io::tensorboard board(f.path, {"accuracy", "F1"});
  CHECK_THROWS_WITH_AS(board({.epoch = 1, .metrics = {0.5}}),
                       "tensorboard: expected a name for each metric, got 2 names for 1 metrics",
                       input_error);
  parameters<plane> theta(seed{1});
  plane_trainer t(theta);
  CHECK_THROWS_WITH_AS(
      fit(t, data(), {.validate = data(), .metrics = {metric::accuracy{}}, .after_epoch = board}),
      "tensorboard: expected a name for each metric, got 2 names for 1 metrics", input_error);
  CHECK(t.steps() == 0);  // before the first step
  CHECK(events(board.file().path()).size() == 1);
}

}  // namespace tenon::test
