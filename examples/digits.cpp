// Digits: which of ten is written on an image of 28 x 28? Two convolutions, each with a pooling of its windows, and two linear
// maps (after LeCun et al. 1998).
//
//   digits --images FILE --labels FILE [--eval-images FILE --eval-labels FILE] [--epochs N]
//
// The files are MNIST's, unpacked (idx3-ubyte, idx1-ubyte); from packed ones: --images <(gunzip -c images.gz). A seeded tenth of
// the rows is held out and judges; further files of that format are judged when all epochs are done.
#include <tenon/tenon.hpp>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <iterator>
#include <numeric>
#include <random>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

using namespace tenon;

constexpr int side = 28, places = side * side;

using digits = graph<"digits",
    input<"image", features<1>, grid<side, side>>,
    node<"strokes", chain<conv2d<16, 3, 3, padding<1>>, activation::relu, max_pool2d<2, 2>>, "image">,
    node<"parts",   chain<conv2d<32, 3, 3, padding<1>>, activation::relu, max_pool2d<2, 2>>, "strokes">,
    node<"logits",  chain<flatten, linear<128>, activation::relu, dropout<0.5>, linear<10>>, "parts">,
    output<"logits">>;
static_assert(check<digits, cross_entropy<"logits">>());

// The numbers of an IDX file of bytes: a magic number, the extents (four bytes each, the highest first), the bytes.
std::vector<unsigned char> read_idx(const std::string& path, std::vector<std::size_t>& extents) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw data_error(path + ": cannot be opened");
  const std::vector<unsigned char> bytes{std::istreambuf_iterator<char>(file), {}};
  if (bytes.size() < 4 || bytes[0] != 0 || bytes[1] != 0 || bytes[2] != 8 || bytes.size() < 4 + 4 * std::size_t(bytes[3]))
    throw data_error(path + ": is no IDX file of bytes; if it is packed, give <(gunzip -c FILE)");
  std::size_t count = 1, at = 4;
  for (int k = 0; k < bytes[3]; ++k, at += 4) {
    extents.push_back(std::size_t(bytes[at]) << 24 | std::size_t(bytes[at + 1]) << 16 | std::size_t(bytes[at + 2]) << 8 | bytes[at + 3]);
    count *= extents.back();
  }
  if (bytes.size() - at != count)
    throw data_error(path + ": expected " + std::to_string(count) + " bytes behind its head, got " + std::to_string(bytes.size() - at));
  return {bytes.begin() + std::ptrdiff_t(at), bytes.end()};
}

struct images {
  std::vector<float> pixels;  // [count, side, side], from 0 to 1
  std::vector<int> digit;

  int count() const { return static_cast<int>(digit.size()); }
  void feed(auto& session, std::span<const int> rows) const {
    std::vector<float> some;
    for (int row : rows) some.insert(some.end(), pixels.begin() + std::ptrdiff_t(row) * places, pixels.begin() + std::ptrdiff_t(row + 1) * places);
    session.template input<"image">(some);
  }
  std::vector<int> targets(std::span<const int> rows) const {
    std::vector<int> some;
    for (int row : rows) some.push_back(digit[std::size_t(row)]);
    return some;
  }
};
images read_images(const std::string& image_path, const std::string& label_path) {
  std::vector<std::size_t> extents, labels;
  images all;
  for (unsigned char byte : read_idx(image_path, extents)) all.pixels.push_back(float(byte) / 255);
  for (unsigned char byte : read_idx(label_path, labels)) all.digit.push_back(byte);
  if (extents.size() != 3 || extents[1] != side || extents[2] != side) throw data_error(image_path + ": expected images of 28 x 28");
  if (labels.size() != 1 || labels[0] != extents[0])
    throw data_error(label_path + ": expected " + std::to_string(extents[0]) + " labels, one for each image, got " + std::to_string(all.digit.size()));
  return all;
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
  const images data = read_images(image_path, label_path), further = eval_images.empty() ? images{} : read_images(eval_images, eval_labels);

  std::vector<int> order(std::size_t(data.count()));
  std::iota(order.begin(), order.end(), 0);
  std::shuffle(order.begin(), order.end(), std::mt19937(1));
  const std::span<const int> all(order), held_out = all.first(order.size() / 10), kept = all.subspan(order.size() / 10);

  parameters<digits> theta(seed{2});
  trainer<digits, cross_entropy<"logits">, adam, batch<32>> trainer(theta, {.rate = 2e-3}, seed{3});
  const auto feed = [&](auto& session, std::span<const int> positions) {
    std::vector<int> rows;
    for (int position : positions) rows.push_back(kept[std::size_t(position)]);
    data.feed(session, rows);
    session.template input<"target">(data.targets(rows));
  };
  inference<digits, batch<64>> run;
  const auto judge = [&](const images& some, std::span<const int> rows) {
    confusion result(10);
    for_each_batch(rows, 64, [&](std::span<const int> few) {
      some.feed(run, few);
      run.run(theta);
      const std::vector<int> targets = some.targets(few);
      for (std::size_t r = 0; r < few.size(); ++r) result.add(targets[r], argmax(run.output<"logits">(), r));
    });
    return result.accuracy();
  };
  double accuracy = 0, seconds = 0;
  fit(trainer, static_cast<int>(kept.size()), feed, {.epochs = epochs, .shuffle = seed{4}, .label = "digits"}, [&](const epoch_report& epoch) {
    trainer.rule().rate = cosine(2e-3, epoch.epoch, epochs);
    seconds += epoch.seconds;
    accuracy = judge(data, held_out);
    std::printf("epoch %d: loss %.4f, %.2f %% of %zu held-out digits right\n", epoch.epoch, epoch.loss, 100 * accuracy, held_out.size());
  });
  std::printf("%ld parameters, %.1f s\n", theta.count(), seconds);
  if (further.count() > 0) {
    std::vector<int> rows(std::size_t(further.count()));
    std::iota(rows.begin(), rows.end(), 0);
    std::printf("of the further %d digits %.2f %% right\n", further.count(), 100 * judge(further, rows));
  }
  return accuracy >= 0.97 ? 0 : 1;
} catch (const std::exception& e) {
  std::fprintf(stderr, "digits: %s\n", e.what());
  return 2;
}
