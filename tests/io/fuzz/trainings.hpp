// Laws of parameters and of trainings in files, for any bytes: a data_error after which nothing has changed, or a file that is loaded,
// and written again with the same bits.
#pragma once

#include "io/fuzz/input.hpp"
#include "tenon/data/data_set.hpp"
#include "tenon/io/parameters.hpp"
#include "tenon/nn/nn.hpp"
#include "tenon/train/checkpoints/checkpoint.hpp"
#include "tenon/train/schedules/plateau.hpp"

#include <array>
#include <cmath>
#include <cstring>
#include <string>
#include <utility>

namespace tenon::fuzz {
using namespace nn;

template <class Parameters>
bool have_same_bits(const Parameters& a, const Parameters& b) {
  return std::memcmp(a.data(), b.data(), Parameters::block_size * sizeof *a.data()) == 0;
}

using pixels = graph<"pixels", input<"image", features<1>, grid<3, 3>>, input<"word", token<3>>,
                     node<"edges", conv2d<2, 2, 2>, "image">, node<"flat", flatten, "edges">,
                     node<"table", embedding<3, 2>, "word">, node<"both", concatenate, "flat", "table">,
                     node<"logits", linear<2>, "both">, output<"logits">>;

// The first byte chooses the options of load.
inline bool parameter_file(bytes file) {
  const unsigned choice = take_choice(file);
  io::load_options options{.allow_missing = (choice & 1) != 0, .allow_unexpected = (choice & 2) != 0};
  if ((choice & 4) != 0) options.rename = {{"encoder.*", "table.*"}};
  if ((choice & 8) != 0) options.only = {"table.*", "logits.bias"};
  static const parameters<pixels> before(seed{1});
  parameters<pixels> theta = before;
  try {
    load(theta, file_of(text_of(file)), options);
  } catch (const data_error& error) {
    require(have_same_bits(theta, before), "a file that is refused changes no parameter");
    require(std::string_view(error.what()).starts_with(scratch("input")), "an error names the file");
    return false;
  }
  save(theta, scratch("saved"));
  parameters<pixels> again(seed{2});
  load(again, scratch("saved"));
  require(have_same_bits(again, theta), "parameters that are saved are loaded again");
  return true;
}

using line = graph<"line", input<"x", features<2>>, node<"logits", linear<2>, "x">, output<"logits">>;

struct training {
  parameters<line> theta{seed{1}};
  trainer<line, losses::cross_entropy<"logits">, optimizers::adam, batch<4>> t{
      theta, {.learning_rate = 0.05}, seed{7}};
  reports::history to(int epochs, const std::string& path) {
    static const auto data = data_set(column<"x">(8,
                                                  [](int r) {
                                                    return std::array{float(r % 3), float(r % 5)};
                                                  }),
                                      column<"target">(8, [](int r) { return r % 2; }));
    return fit(t, data,
               {.epochs = epochs,
                .shuffle = seed{5},
                .schedule = schedules::reduce_on_plateau(0.05, {.factor = 0.5, .patience = 0}),
                .stop = early_stopping{.patience = 40},
                .checkpoint = tenon::checkpoint{path}});
  }
};

// A training of at most three epochs goes on from the file.
inline bool checkpoint_file(bytes file) {
  static const training before;
  training run;
  const std::string path = file_of(text_of(file));
  try {
    run.to(3, path);
  } catch (const data_error& error) {
    require(have_same_bits(run.theta, before.theta) && run.t.steps() == 0,
            "a checkpoint that is refused changes nothing");
    require(std::string_view(error.what()).starts_with(path), "an error names the file");
    return false;
  } catch (const training_error&) {
    return true;  // numbers that no training has may end in none
  } catch (const input_error& error) {
    // The memory of a schedule may hold a rate that is too large for the type of the weights.
    require(std::string_view(error.what()).find("not finite") != std::string_view::npos,
            "all other numbers of an update are checked when they are read");
    return true;
  }
  training again;
  again.to(3, path);
  require(have_same_bits(again.theta, run.theta) && again.t.steps() == run.t.steps(),
          "a training that has ended is read again");
  return true;
}

}  // namespace tenon::fuzz
