// Checkpoints as files: numbers that no training can produce are refused with their tensor and place, a program that is killed at any byte
// of a new file leaves the last good one, and a folder that cannot be written is found before the first step.
#include "tenon/train/checkpoints/checkpoint_file.hpp"

#include "support/temporary_file.hpp"
#include "tenon/data/data_set.hpp"
#include "tenon/nn/nn.hpp"
#include "tenon/train/checkpoints/checkpoint.hpp"
#include "tenon/train/schedules/plateau.hpp"

#include <doctest/doctest.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <limits>
#include <random>
#include <string>
#include <utility>
#include <vector>

namespace tenon::test {
using namespace nn;

using line = graph<"line", input<"x", features<2>>, node<"logits", linear<2>, "x">, output<"logits">>;
using training = trainer<line, losses::cross_entropy<"logits">, optimizers::adam, batch<4>>;
auto data() {
  return data_set(column<"x">(20,
                              [](int r) {
                                return std::array{float(r % 3), float(r % 5)};
                              }),
                  column<"target">(20, [](int r) { return r % 2; }));
}

// A folder, which is removed after the test, with the checkpoint of a training that stops after two of three epochs.
struct begun {
  temporary_folder in;
  std::string folder = in.path, path = folder + "/run.ckpt";
  long files() const {
    const std::filesystem::directory_iterator all(folder);
    return std::distance(begin(all), end(all));
  }
};

struct run {
  parameters<line> theta{seed{1}};
  training t{theta, {.learning_rate = 0.05}, seed{7}};
  reports::history to(int epochs, const std::string& path) {
    return fit(t, data(),
               {.epochs = epochs,
                .shuffle = seed{5},
                .schedule = schedules::reduce_on_plateau(0.05, {.factor = 0.5, .patience = 0}),
                .stop = early_stopping{.patience = 40},
                .checkpoint = checkpoint{path}});
  }
};
template <class F>
std::string refusal(F f) {
  try {
    f();
  } catch (const data_error& error) { return error.what(); }
  return "no error";
}
// The result of f in a separate process, which f may end or restrict; or the signal that ended it.
template <class F>
std::string elsewhere(F f) {
  int ends[2];
  REQUIRE(::pipe(ends) == 0);
  const pid_t child = ::fork();
  REQUIRE(child >= 0);
  if (child == 0) {
    const std::string said = f();
    [[maybe_unused]] const auto written = ::write(ends[1], said.data(), said.size());
    ::_exit(0);
  }
  ::close(ends[1]);
  std::string said;
  char some[512];
  for (::ssize_t n; (n = ::read(ends[0], some, sizeof some)) > 0;) said.append(some, std::size_t(n));
  ::close(ends[0]);
  int status = 0;
  ::waitpid(child, &status, 0);
  return WIFSIGNALED(status) ? "signal " + std::to_string(WTERMSIG(status)) : said;
}

TEST_CASE("numbers that no training has are refused with their tensor and place, and nothing is changed") {
  const begun file;
  run().to(2, file.path);
  const double nan = std::numeric_limits<double>::quiet_NaN(),
               infinity = std::numeric_limits<double>::infinity();
  const auto with = [&](const std::string& name, std::size_t place, double value) {
    const std::string changed = file.path + ".changed";
    {
      const io::safetensors_file old(file.path);
      std::vector<io::named_tensor> tensors = old.tensors();
      std::vector<double> numbers;
      for (io::named_tensor& tensor : tensors)
        if (tensor.name == "training." + name) {
          numbers.resize(tensor.size());
          read_numbers(tensor, 0, numbers.size(), numbers.data());
          numbers.at(place) = value;
          tensor.data = numbers.data();
        }
      REQUIRE(!numbers.empty());
      io::write_safetensors(changed, tensors, old.metadata());
    }
    run r;
    const parameters<line> before = r.theta;
    const std::string said = refusal([&] { r.to(3, changed); });
    CHECK(std::equal(before.data(), before.data() + before.block_size, std::as_const(r.theta).data()));
    CHECK(r.t.steps() == 0);
    CHECK(said.starts_with(changed + ": tensor 'training."));
    return said.substr(std::min(said.size(), changed.size() + 2));
  };
  const std::string count = "expected a whole number from 0 to ";
  CHECK(with("steps", 0, nan) == "tensor 'training.steps' has nan at place 0, " + count + "9007199254740992");
  CHECK(with("steps", 1, -1) == "tensor 'training.steps' has -1 at place 1, " + count + "9007199254740992");
  CHECK(with("steps", 2, 0.5) == "tensor 'training.steps' has 0.5 at place 2, " + count + "1");
  CHECK(with("rule", 0, nan) == "tensor 'training.rule' has nan at place 0, expected a finite number");
  CHECK(with("rule", 3, infinity) == "tensor 'training.rule' has inf at place 3, expected a finite number");
  CHECK(with("rule", 3, 1e-300) ==
        "tensor 'training.rule': update rule 'optimizers::adam': epsilon: expected 1.18e-38 or more in each "
        "step, got 1.05e-301");
  CHECK(with("progress", 0, 1e300) ==
        "tensor 'training.progress' has 1e+300 at place 0, " + count + "9007199254740992");
  CHECK(with("progress", 1, nan) == "tensor 'training.progress' has nan at place 1, " + count + "2147483646");
  CHECK(with("progress", 1, -3) == "tensor 'training.progress' has -3 at place 1, " + count + "2147483646");
  CHECK(with("progress", 1, 1e9) == "tensor 'training.history' has 8 numbers, expected 4000000000");
  CHECK(with("progress", 3, 21) == "tensor 'training.progress' has 21 at place 3, " + count + "20");
  CHECK(with("progress", 4, nan) ==
        "tensor 'training.progress' has nan at place 4, expected a finite number");
  CHECK(with("progress", 5, nan) == "tensor 'training.progress' has nan at place 5, expected a number");
  CHECK(with("progress", 6, 3) == "tensor 'training.progress' has 3 at place 6, " + count + "2");
  CHECK(with("progress", 7, 2) == "tensor 'training.progress' has 2 at place 7, " + count + "1");
  CHECK(with("schedule", 0, nan) == "tensor 'training.schedule' has nan at place 0, expected a number");
  CHECK(with("schedule", 0, -94.4) ==
        "tensor 'training.schedule': reduce_on_plateau: expected a rate of at least 0 to go on from, got "
        "-94.4");
  CHECK(with("schedule", 2, -4) ==
        "tensor 'training.schedule': reduce_on_plateau: expected counts of at least 0 to go on "
        "from, got -4");
  CHECK(with("stopping", 0, nan) == "tensor 'training.stopping' has nan at place 0, expected a number");
  CHECK(with("stopping", 1, 3) == "tensor 'training.stopping' has 3 at place 1, " + count + "2");
  CHECK(run().to(3, file.path).epochs.size() == 3);  // unchanged, it continues
}

TEST_CASE(
    "a checkpoint with changed bytes is loaded, or refused in a sentence that names it, and changes "
    "nothing") {
  const begun file;
  run().to(2, file.path);
  const std::string path = file.path + ".changed";
  {  // Without checksums, so that the checks behind them are tried.
    const io::safetensors_file whole(file.path);
    io::write_safetensors(path, whole.tensors(), whole.metadata(), {.checksums = false});
  }
  const std::string right = detail::read_file(path);
  std::mt19937 random(5);
  int loaded = 0, refused = 0;
  for (int repetition = 0; repetition < 1500; ++repetition) {
    std::string bytes = right;
    for (unsigned k = 0; k < 1 + random() % 3; ++k)
      bytes[random() % bytes.size()] = repetition % 3 == 0 ? '\xFF' : static_cast<char>(random());
    if (repetition % 10 == 0) bytes.resize(random() % bytes.size());
    std::ofstream(path, std::ios::binary) << bytes;
    run r;
    const parameters<line> before = r.theta;
    const std::string said = refusal([&] { r.to(2, path); });
    if (said == "no error" && ++loaded > 0) continue;
    ++refused;
    REQUIRE(said.starts_with(path + ": "));
    REQUIRE(std::equal(before.data(), before.data() + before.block_size, std::as_const(r.theta).data()));
    REQUIRE(r.t.steps() == 0);
  }
  CHECK(loaded > 100);
  CHECK(refused > 500);
}

TEST_CASE("a checkpoint with one wrong bit is refused, or has all of the numbers that it had") {
  const begun file;
  run().to(2, file.path);
  const std::string right = detail::read_file(file.path), path = file.path + ".changed";
  run whole;
  const reports::history history = whole.to(2, file.path);
  std::mt19937 random(11);
  int refused = 0;
  for (int repetition = 0; repetition < 300; ++repetition) {
    const std::size_t at = random() % right.size();
    for (int bit = 0; bit < 8; ++bit) {
      std::string bytes = right;
      bytes[at] = static_cast<char>(bytes[at] ^ 1 << bit);
      std::ofstream(path, std::ios::binary) << bytes;
      run r;
      reports::history read;
      const std::string said = refusal([&] { read = r.to(2, path); });
      INFO("bit ", bit, " of byte ", at, ": ", said);
      if (said != "no error") {
        ++refused;
        REQUIRE(said.starts_with(path + ": "));
        REQUIRE(r.t.steps() == 0);
      } else {
        const float* const numbers = std::as_const(r.theta).data();
        REQUIRE(std::equal(numbers, numbers + r.theta.block_size, std::as_const(whole.theta).data()));
        REQUIRE(r.t.steps() == whole.t.steps());
        REQUIRE(read.csv() == history.csv());
      }
    }
  }
  CHECK(refused > 2300);
}

TEST_CASE("a program that is killed at whatever byte of a new checkpoint leaves the last good one") {
  const begun file;
  run r;
  r.to(1, file.path);
  const std::string before = detail::read_file(file.path);
  // A process that writes beyond its limit on file sizes gets a signal, at exactly that byte.
  const auto killed_at = [&](std::size_t byte) {
    return elsewhere([&] {
      const rlimit none{0, 0}, most{byte, byte};
      ::setrlimit(RLIMIT_CORE, &none);
      ::setrlimit(RLIMIT_FSIZE, &most);
      ::signal(SIGXFSZ, SIG_DFL);
      r.to(2, file.path);
      return std::string("written");
    });
  };
  const std::string killed = "signal " + std::to_string(SIGXFSZ);
  long kills = 0;
  for (std::size_t byte = 0; byte < before.size(); byte += 5, ++kills) {
    INFO("byte ", byte);
    REQUIRE(killed_at(byte) == killed);
    REQUIRE(detail::read_file(file.path) == before);
  }
  CHECK(kills > 250);
  CHECK(file.files() == 1 + kills);  // unfinished files stay beside it
  CHECK(run().to(2, file.path).epochs.size() == 2);
  CHECK(detail::read_file(file.path) != before);
}

TEST_CASE("a folder that takes no checkpoint is found before the first step") {
  const begun file;
  const auto said = [](const std::string& path) {
    run r;
    const std::string what = refusal([&] { r.to(2, path); });
    return what + (r.t.steps() == 0 ? "" : ", behind steps");
  };
  CHECK(said(file.folder + "/no/run.ckpt") ==
        file.folder + "/no/run.ckpt: cannot be written: No such file or directory");
  CHECK(file.files() == 0);
  const std::string denied = elsewhere([&] {
    ::chmod(file.folder.c_str(), 0555);
    if (::geteuid() == 0 && (::setegid(65534) != 0 || ::seteuid(65534) != 0)) return std::string("may not");
    return said(file.path);
  });
  if (denied != "may not") CHECK(denied == file.path + ": cannot be written: Permission denied");
  ::chmod(file.folder.c_str(), 0755);

  run().to(2, file.path);  // a training that has ended is read from any folder
  ::chmod(file.folder.c_str(), 0555);
  CHECK(elsewhere([&] {
          if (::geteuid() == 0 && (::setegid(65534) != 0 || ::seteuid(65534) != 0)) return std::string("2");
          return std::to_string(run().to(2, file.path).epochs.size());
        }) == "2");
  ::chmod(file.folder.c_str(), 0755);
}

TEST_CASE("a disk without room ends the training with a sentence, and leaves the last good checkpoint") {
  const begun file;
  run().to(1, file.path);
  const std::string before = detail::read_file(file.path);
  CHECK(elsewhere([&] {
          const rlimit most{before.size() / 2, before.size() / 2};
          ::setrlimit(RLIMIT_FSIZE, &most);
          ::signal(SIGXFSZ, SIG_IGN);
          return refusal([&] { run().to(3, file.path); });
        }) == file.path + ": cannot be written: File too large");
  CHECK(detail::read_file(file.path) == before);
  CHECK(file.files() == 1);
}

}  // namespace tenon::test
