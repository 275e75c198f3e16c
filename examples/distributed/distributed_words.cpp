// The language model of words.cpp, trained by several processes, on one machine or on many:
//
//   examples/distributed/run 4                   builds, and trains for seconds on a small generated text with four ranks
//   mpirun -n 4 distributed_words --data DIR     trains; DIR holds train.txt and valid.txt, as in WikiText-2
//   distributed_words --help                     what else it does
//
// The first rank writes lines and the checkpoint, from which any number of ranks goes on. What is learned has the same bits for each number.
#include "arguments.hpp"
#include "word_model.hpp"

#include <tenon/distribute/mpi.hpp>

#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

using namespace tenon;

using full_model = word_model::language_model<33278, 200, 20, 35>;  // WikiText-2's words, all of them
using small_model = word_model::language_model<16, 32, 4, 8, 0.0>;

struct arguments {
  std::string data, checkpoint;
  int epochs = 6, threads = 1;
  double rate = 20, patience = 60;
};

// Every rank reads the same text, and computes with its part of it.
template <class Model>
double learn(const std::vector<std::string>& train, const std::vector<std::string>& held_out, const arguments& wanted, distribute::mpi& world) {
  Model model(word_model::most_frequent(train, Model::most_words), wanted.threads, seed{1}, distribute::any_communicator(world));
  const bool is_first = world.rank() == 0;
  if (is_first)
    std::printf("%d ranks; %zu words to learn from, %zu held out; %ld parameters\n", world.size(), train.size(), held_out.size(), model.parameter_count());
  const auto line = [&](const reports::epoch& e) {
    if (is_first)
      std::printf("epoch %d/%d  loss %.4f  validation %.4f (perplexity %.2f)  %.1f s; so far rank 0 has sent %.1f MB and waited %.1f s\n", e.epoch,
                  wanted.epochs, e.loss, e.validation_loss, std::exp(e.validation_loss), e.seconds, 1e-6 * static_cast<double>(world.bytes_sent()),
                  world.seconds_waited());
    std::fflush(stdout);
  };
  const reports::history history =
      model.train(model.known().encode(train), model.known().encode(held_out), {wanted.epochs, wanted.rate, wanted.checkpoint, line});
  return history.last().validation_loss;
}

int run(arguments wanted, distribute::mpi& world) {
  if (!wanted.data.empty()) {
    learn<full_model>(word_model::read_words(wanted.data + "/train.txt"), word_model::read_words(wanted.data + "/valid.txt"), wanted, world);
    return 0;
  }
  wanted.rate = 60;
  // Of four words, one is drawn from two and one from three: the best perplexity is 6^(1/4) = 1.57, without the agreement 1.86.
  return learn<small_model>(word_model::small_text(1600, seed{1}), word_model::small_text(200, seed{2}), wanted, world) < std::log(1.65) ? 0 : 1;
}

int main(int count, char** words) {
  arguments wanted;
  return command_line::program("distributed_words: a language model of the words of a text, on several ranks", count, words,
      {{"--data", &wanted.data, "a folder with train.txt and valid.txt"},
       {"--epochs", &wanted.epochs, "how often the text is read", 1},
       {"--rate", &wanted.rate, "the learning rate at the beginning"},
       {"--threads", &wanted.threads, "how many of each rank compute", 1},
       {"--patience", &wanted.patience, "for how many seconds a rank waits for another, before all end"},
       {"--checkpoint", &wanted.checkpoint, "a file of the trained model; training continues from it"}},
      [&] {
        distribute::mpi world(count, words, {.patience = wanted.patience});
        return run(wanted, world);
      });
}
