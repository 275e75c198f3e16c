// A training that tests/kills/run kills at random moments: it writes every kind of file that the library replaces as a whole.
//
//   training run FOLDER     trains from what the folder has; at the end it writes FOLDER/end
//   training check FOLDER   whether each file that is there can be read to its end
#include <tenon/data.hpp>
#include <tenon/io.hpp>
#include <tenon/io/npy.hpp>
#include <tenon/io/npz.hpp>
#include <tenon/tenon.hpp>
#include <tenon/train.hpp>

#include <array>
#include <cmath>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

namespace tenon::inline v0_1 {
namespace {
using namespace nn;

using network = graph<
    "network", input<"x", features<2>>,
    node<"logits",
         chain<linear<128>, activation::tanh, dropout<0.3>, linear<128>, activation::tanh, linear<2>>, "x">,
    output<"logits">>;
using judged = trainer<network, losses::cross_entropy<"logits">, optimizers::adam, batch<8>>;

auto data(int first, int count) {
  return data_set(
      column<"x">(count,
                  [=](int r) {
                    return std::array{std::sin(float(first + r)), std::cos(float(3 * (first + r)))};
                  }),
      column<"target">(count, [=](int r) { return (first + r) % 2; }));
}
std::vector<float> numbers_of(const parameters<network>& theta) {
  return {theta.data(), theta.data() + theta.block_size};
}

void train_in(const std::string& folder) {
  parameters<network> theta(seed{1});
  judged t(theta, {.learning_rate = 0.01}, seed{2});
  t.average_decay = 0.9;
  reports::history so_far;
  fit_options<judged> options{
      .epochs = 10,
      .shuffle = seed{3},
      .validate = data(64, 16),
      .metrics = {metric::accuracy{}},
      .schedule = schedules::warm_up(7, schedules::reduce_on_plateau(0.01, {.factor = 0.5, .patience = 0})),
      .stop = early_stopping{.patience = 40},
      .checkpoint = checkpoint{.path = folder + "/run.ckpt", .steps = 1}};
  options.after_epoch = [&](const reports::epoch& e) {
    so_far.epochs.push_back(e);
    so_far.metric_names = {"accuracy"};
    so_far.save(folder + "/history.csv");
    so_far.save(folder + "/history.svg");
    save(theta, folder + "/model.safetensors");
    std::vector<std::string> words;
    for (int k = 0; k < 500 * e.epoch; ++k) words.push_back("word" + std::to_string(k));
    vocabulary(words).save(folder + "/words");
    io::write_table(folder + "/table.csv", {"word", "letters"}, words,
                    std::vector<float>(words.size(), 0.5f));
    io::write_npy(folder + "/x.npy", get<"logits.3.weight">(std::as_const(theta)));
    io::write_npz(folder + "/x.npz", {{"x", get<"logits.3.weight">(std::as_const(theta))}});
  };
  const reports::history all = fit(t, data(0, 64), options);

  const std::vector<float> last = numbers_of(theta), average = numbers_of(t.averaged());
  std::vector<double> losses;  // all of the history but its times
  for (const reports::epoch& e : all.epochs)
    losses.insert(losses.end(), {e.loss, e.validation_loss, e.metrics[0], e.learning_rate});
  io::write_safetensors(folder + "/end", {{"parameters", io::dtype::float32, {last.size()}, last.data()},
                                          {"average", io::dtype::float32, {average.size()}, average.data()},
                                          {"history", io::dtype::float64, {losses.size()}, losses.data()}});
}

void require(bool holds, const std::string& path) {
  if (!holds) throw data_error(path + ": is not whole");
}
void check_file(const std::string& path) {
  if (path.ends_with("run.ckpt") || path.ends_with("end")) {
    require(!io::safetensors_file(path).tensors().empty(), path);
  } else if (path.ends_with("model.safetensors")) {
    parameters<network> theta(seed{4});
    load(theta, path);
  } else if (path.ends_with("history.csv")) {
    for (const io::table_row& row : io::read_table(path, 6, {.has_header = true})) row.number<double>("loss");
  } else if (path.ends_with(".svg")) {
    require(io::read_text(path).ends_with("</svg>\n"), path);
  } else if (path.ends_with("words")) {
    require(vocabulary::load(path).size() % 500 == 0, path);
  } else if (path.ends_with("table.csv")) {
    require(io::read_table(path, 2, {.has_header = true}).size() % 500 == 0, path);
  } else if (path.ends_with("x.npy")) {
    require(io::read_npy<float>(path).size() == 128 * 128, path);
  } else if (path.ends_with("x.npz")) {
    require(io::npz_file(path).read<float>("x").size() == 128 * 128, path);
  } else {
    require(path.ends_with(".tmp"), path);  // what a killed program leaves behind
  }
}

}  // namespace
}  // namespace tenon::inline v0_1

int main(int count, char** arguments) try {
  const std::string what = count == 3 ? arguments[1] : "";
  if (what == "run") tenon::train_in(arguments[2]);
  else if (what == "check")
    for (const auto& file : std::filesystem::directory_iterator(arguments[2]))
      tenon::check_file(file.path().string());
  else return 2;
} catch (const std::exception& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 1;
}
