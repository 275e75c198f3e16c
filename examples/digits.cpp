// Digits: which of ten digits is on an image of 28 x 28? Two convolutions, each followed by pooling, and two linear
// maps (after LeCun et al. 1998); or a recurrent network that reads the image line by line, 28 frames of 28 numbers.
//
//   digits --images FILE --labels FILE [--help]
//   digits --images FILE --labels FILE --model lines
//
// The files are MNIST's, unpacked (idx3-ubyte, idx1-ubyte); for packed files: --images <(gunzip -c images.gz). A tenth of the rows,
// drawn with a seed, is held out for validation; the others are moved a little each time that they are seen. --eval-images and
// --eval-labels are evaluated after the last epoch.
#include "arguments.hpp"
#include "digit_files.hpp"

#include <tenon/tenon.hpp>

#include <cstdio>
#include <stdexcept>
#include <string>
#include <xtensor/xarray.hpp>
#include <xtensor/xtensor.hpp>
#include <xtensor/xview.hpp>

using namespace tenon;
using namespace tenon::nn;

constexpr int side = digit_files::side;

using digits = graph<"digits",
    input<"image", features<1>, grid<side, side>>,
    node<"strokes", chain<conv2d<16, 3, 3, padding<1>>, activation::relu, max_pool2d<2, 2>>, "image">,
    node<"parts",   chain<conv2d<32, 3, 3, padding<1>>, activation::relu, max_pool2d<2, 2>>, "strokes">,
    node<"logits",  chain<flatten, linear<128>, activation::relu, dropout<0.5>, linear<10>>, "parts">,
    output<"logits">>;
static_assert(check<digits, losses::cross_entropy<"logits">>());

using lines_of_digits = graph<"lines_of_digits",
    input<"image", features<side>, steps<side>>,
    node<"states", lstm<128, bidirectional>,             "image">,
    node<"logits", chain<dropout<0.5>, linear<10>>,      "states.final">,
    output<"logits">>;
static_assert(check<lines_of_digits, losses::cross_entropy<"logits">>());

using pixels = xt::xarray<float>;  // [images, side, side], from 0 to 1

// An image, moved by up to two places in each direction, others each time.
struct moved {
  const pixels& images;
  backend::random_stream random{5, 0};
  xt::xtensor<float, 2> operator()(int row) {
    xt::xtensor<float, 2> wide = xt::zeros<float>({side + 4, side + 4});
    xt::view(wide, xt::range(2, side + 2), xt::range(2, side + 2)) = xt::view(images, row);
    const int down = static_cast<int>(random.below(5)), right = static_cast<int>(random.below(5));
    return xt::view(wide, xt::range(down, down + side), xt::range(right, right + side));
  }
};

struct arguments {
  std::string images, labels, eval_images, eval_labels, model = "windows";
  int epochs = 12;
};

template <class Model>
int run(const arguments& wanted) {
  if (wanted.images.empty() || wanted.labels.empty() || wanted.eval_images.empty() != wanted.eval_labels.empty())
    throw std::invalid_argument("images and their labels belong together; see --help");
  const pixels images = digit_files::read_images(wanted.images);
  const auto target = column<"target">(digit_files::read_labels(wanted.labels, images.shape(0)));
  const auto held_out = split(data_set(column<"image">(images), target), 0.1, seed{1}).part;
  const auto train = split(data_set(column<"image">(target.size(), moved{images}), target), 0.1, seed{1}).rest;  // the same rows

  parameters<Model> theta(seed{2});
  trainer<Model, losses::cross_entropy<"logits">, optimizers::adam, batch<32>> trainer(theta, {}, seed{3});
  const auto history = fit(trainer, train, {.epochs = wanted.epochs, .shuffle = seed{4}, .validate = held_out, .metrics = {metric::accuracy{}},
                                            .schedule = schedules::cosine(2e-3), .log = stdout});
  std::printf("%ld parameters; %.2f %% of %d held-out digits right\n", theta.count(), 100 * history.last().metrics[0], held_out.size());
  if (!wanted.eval_images.empty()) {
    const pixels others = digit_files::read_images(wanted.eval_images);
    const auto further = data_set(column<"image">(others), column<"target">(digit_files::read_labels(wanted.eval_labels, others.shape(0))));
    std::printf("of the further %d digits %.2f %% right\n", further.size(), 100 * evaluate(trainer, further, {metric::accuracy{}}).metrics[0]);
  }
  return history.last().metrics[0] >= 0.97 ? 0 : 1;
}

int main(int count, char** words) {
  arguments wanted;
  return command_line::program("digits: which of ten digits is on an image?", count, words,
      {{"--images", &wanted.images, "MNIST's file of images to learn from, idx3-ubyte"},
       {"--labels", &wanted.labels, "its file of labels, idx1-ubyte"},
       {"--eval-images", &wanted.eval_images, "images that are evaluated at the end"},
       {"--eval-labels", &wanted.eval_labels, "their labels"},
       {"--model", &wanted.model, "windows: convolutions; lines: an LSTM that reads line by line"},
       {"--epochs", &wanted.epochs, "how often the images are seen", 1}},
      [&] {
        if (wanted.model == "windows") return run<digits>(wanted);
        if (wanted.model == "lines") return run<lines_of_digits>(wanted);
        throw std::invalid_argument("--model: expected windows or lines, got '" + wanted.model + "'");
      });
}
