// Captions: which digits are on a picture, and where? A convolutional network makes a grid of vectors from the picture, and a decoder that
// attends to the grid writes a sentence, "a seven at the top left and an eight at the right" (Xu et al. 2015, "Show, attend and tell").
//
//   captions --images FILE --labels FILE --checkpoint FILE        learns from pictures of MNIST's digits, and describes others
//   captions --checkpoint FILE --eval FILE --eval-labels FILE     describes pictures of further digits
//   captions                                                      learns digits of seven segments, which it draws itself
//
// The files are MNIST's, unpacked (idx3-ubyte, idx1-ubyte); for packed files: --images <(gunzip -c images.gz). A tenth of the images, drawn with
// a seed, is for the pictures of the test, another tenth for those of the validation. The captions that are learnt are the same in each epoch,
// and their pictures are others, painted when they are needed. If the checkpoint exists, training continues from it.
#include "arguments.hpp"
#include "captions.hpp"
#include "digit_files.hpp"

#include <cstdint>
#include <cstdio>
#include <stdexcept>
#include <string>
#include <vector>

using namespace digit_captions;

struct arguments {
  std::string images, labels, eval, eval_labels, checkpoint, attention;
  int epochs = 16, learnt = 8000, tested = 1000, beam = 4;
  double rate = 2e-3;
  seed random{1};
};

// MNIST's digits in ten equal parts, drawn with a seed.
std::vector<digit_images> ten_parts(const std::string& images_path, const std::string& labels_path) {
  const xt::xarray<float> images = digit_files::read_images(images_path);
  const xt::xarray<int> labels = digit_files::read_labels(labels_path, images.shape(0));
  std::vector<digit_images> parts(10);
  std::size_t n = 0;
  for (const int k : shuffled(static_cast<int>(labels.size()), seed{2024}, 0)) {
    const int digit = labels(static_cast<std::size_t>(k));
    const float* const first = images.data() + k * digit_side * digit_side;
    parts[n++ % 10][static_cast<std::size_t>(digit)].emplace_back(first, first + digit_side * digit_side);
  }
  return parts;
}
digit_images together(const std::vector<digit_images>& parts, std::size_t first) {
  digit_images all;
  for (std::size_t k = first; k < parts.size(); ++k)
    for (std::size_t digit = 0; digit < 10; ++digit) all[digit].insert(all[digit].end(), parts[k][digit].begin(), parts[k][digit].end());
  return all;
}

void learn(training& teacher, const digit_images& known, const digit_images& validating, const arguments& wanted) {
  const auto scenes = some_scenes(wanted.learnt, seed{11}), held_out = some_scenes(500, seed{12});
  const auto pictures = each_epoch([&](int epoch) {  // each has a random stream of its own, so that a training that continues sees the same ones
    return with_captions(scenes, column<"picture">(wanted.learnt, [&, epoch](int row) {
      backend::random_stream random(13, (static_cast<std::uint64_t>(epoch) << 32) | static_cast<std::uint32_t>(row));
      return painted(scenes[static_cast<std::size_t>(row)], known, random);
    }));
  });
  const auto validation = with_captions(held_out, column<"picture">(painted(held_out, validating, seed{14})));
  std::printf("%ld parameters; %d captions to learn\n", teacher.theta().count(), wanted.learnt);
  teacher.max_norm = 1;
  fit_options<training> options{.epochs = wanted.epochs, .shuffle = seed{wanted.random.value + 2}, .validate = validation,
      .metrics = {metric::accuracy{}, metric::sequence_accuracy{}}, .schedule = schedules::warm_up(200, schedules::cosine(wanted.rate)), .log = stdout};
  if (!wanted.checkpoint.empty()) options.checkpoint = checkpoint{wanted.checkpoint};
  fit(teacher, pictures, options);
}
// Returns the share of words that are right in captions of new pictures with these digits.
double judge(const parameters<network>& theta, const digit_images& unseen, const arguments& wanted) {
  const auto scenes = some_scenes(wanted.tested, seed{21});
  const auto pictures = painted(scenes, unseen, seed{22});
  const std::size_t shown = std::min<std::size_t>(scenes.size(), 3);
  double share = 0;
  for (const int width : wanted.beam > 1 ? std::vector{1, wanted.beam} : std::vector{1}) {
    const auto written = written_captions(theta, pictures, width);
    const caption_score score = score_of(written, scenes);
    std::printf("beam %d: %.2f %% of the words right, %.1f %% of %zu captions without a mistake\n", width, 100 * score.words, 100 * score.captions, written.size());
    share = score.words;
    if (width != wanted.beam) continue;
    for (std::size_t k = 0; k < shown; ++k) std::printf("\n> %s\n= %s\n", written[k].text().c_str(), caption_of(scenes[k]).c_str());
    if (!wanted.attention.empty())
      detail::write_file(wanted.attention, attention_svg({pictures.data(), pictures.data() + shown}, {written.data(), written.data() + shown}));
  }
  return share;
}

int run(arguments wanted) {
  if (wanted.images.empty() != wanted.labels.empty() || wanted.eval.empty() != wanted.eval_labels.empty())
    throw std::invalid_argument("images and their labels belong together; see --help");
  parameters<network> theta(wanted.random);
  training teacher(theta, {}, seed{wanted.random.value + 1});
  digit_images unseen;
  if (!wanted.images.empty()) {
    const auto parts = ten_parts(wanted.images, wanted.labels);
    learn(teacher, together(parts, 2), parts[1], wanted);
    unseen = parts[0];
  } else if (!wanted.eval.empty()) {
    if (wanted.checkpoint.empty()) throw std::invalid_argument("--eval needs a --checkpoint, or --images to learn from; see --help");
    io::load_checkpoint(teacher, wanted.checkpoint);
  } else {
    learn(teacher, segment_digits(60, seed{31}), segment_digits(10, seed{32}), wanted);
    unseen = segment_digits(10, seed{33});
  }
  if (!wanted.eval.empty()) unseen = together(ten_parts(wanted.eval, wanted.eval_labels), 0);
  return judge(theta, unseen, wanted) >= 0.95 ? 0 : 1;
}

int main(int count, char** words) {
  arguments wanted;
  return command_line::program("captions: which digits are on a picture, and where?", count, words,
      {{"--images", &wanted.images, "MNIST's file of images to learn from, idx3-ubyte; without it digits of seven segments"},
       {"--labels", &wanted.labels, "its file of labels, idx1-ubyte"},
       {"--epochs", &wanted.epochs, "how often the captions are learnt", 1},
       {"--captions", &wanted.learnt, "how many are learnt", 1},
       {"--rate", &wanted.rate, "the highest learning rate"},
       {"--checkpoint", &wanted.checkpoint, "a file of the trained model; training continues from it"},
       {"--eval", &wanted.eval, "images of digits whose pictures are described; without it held-out ones"},
       {"--eval-labels", &wanted.eval_labels, "their labels"},
       {"--tested", &wanted.tested, "how many pictures are described", 1},
       {"--beam", &wanted.beam, "the width of the search, beside the likeliest word at each step", 1, 40},
       {"--attention", &wanted.attention, "a drawing to write, FILE.svg: where it looked for each word of three captions"},
       {"--random", &wanted.random.value, "the seed"}},
      [&] { return run(wanted); });
}
