// Digits: which of ten digits is on an image of 28 x 28? Two convolutions, each followed by pooling, and two linear
// maps (after LeCun et al. 1998).
//
//   digits --images FILE --labels FILE [--eval-images FILE --eval-labels FILE] [--epochs N]
//
// The files are MNIST's, unpacked (idx3-ubyte, idx1-ubyte); for packed files: --images <(gunzip -c images.gz). A tenth of the rows,
// drawn with a seed, is held out for validation; --eval-images and --eval-labels are evaluated after the last epoch.
#include <tenon/io/idx.hpp>
#include <tenon/tenon.hpp>

#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <string>
#include <utility>

using namespace tenon;
using namespace tenon::nn;

constexpr int side = 28;

using digits = graph<"digits",
    input<"image", features<1>, grid<side, side>>,
    node<"strokes", chain<conv2d<16, 3, 3, padding<1>>, activation::relu, max_pool2d<2, 2>>, "image">,
    node<"parts",   chain<conv2d<32, 3, 3, padding<1>>, activation::relu, max_pool2d<2, 2>>, "strokes">,
    node<"logits",  chain<flatten, linear<128>, activation::relu, dropout<0.5>, linear<10>>, "parts">,
    output<"logits">>;
static_assert(check<digits, losses::cross_entropy<"logits">>());

auto read_images(const std::string& image_path, const std::string& label_path) {
  auto images = io::read_idx<float>(image_path);
  images /= 255.0f;  // from 0 to 1
  return data_set(column<"image">(std::move(images)), column<"target">(io::read_idx<int>(label_path)));
}

int main(int count, char** given) try {
  std::string image_path, label_path, eval_images, eval_labels;
  int epochs = 6;
  for (int k = 1; k < count; k += 2) {
    const std::string word = given[k];
    if (k + 1 == count) throw std::invalid_argument(word + " needs a value");
    if (word == "--images") image_path = given[k + 1];
    else if (word == "--labels") label_path = given[k + 1];
    else if (word == "--eval-images") eval_images = given[k + 1];
    else if (word == "--eval-labels") eval_labels = given[k + 1];
    else if (word == "--epochs") epochs = std::atoi(given[k + 1]);
    else throw std::invalid_argument("unknown option " + word);
  }
  if (image_path.empty() || label_path.empty() || eval_images.empty() != eval_labels.empty() || epochs < 1)
    throw std::invalid_argument("usage: digits --images FILE --labels FILE [--eval-images FILE --eval-labels FILE] [--epochs N]");
  const auto [train, held_out] = split(read_images(image_path, label_path), 0.1, seed{1});

  parameters<digits> theta(seed{2});
  trainer<digits, losses::cross_entropy<"logits">, optimizers::adam, batch<32>> trainer(theta, {}, seed{3});
  const auto history = fit(trainer, train, {.epochs = epochs, .shuffle = seed{4}, .validate = held_out, .metrics = {metric::accuracy{}},
                                            .schedule = schedules::cosine(2e-3), .log = stdout});
  std::printf("%ld parameters; %.2f %% of %d held-out digits right\n", theta.count(), 100 * history.last().metrics[0], held_out.size());
  if (!eval_images.empty()) {
    const auto further = read_images(eval_images, eval_labels);
    std::printf("of the further %d digits %.2f %% right\n", further.size(), 100 * evaluate(trainer, further, {metric::accuracy{}}).metrics[0]);
  }
  return history.last().metrics[0] >= 0.97 ? 0 : 1;
} catch (const std::exception& e) {
  std::fprintf(stderr, "digits: %s\n", e.what());
  return 2;
}
