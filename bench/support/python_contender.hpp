// A contender that is a program in Python, bench/rivals/serve.py. It does the work of a file, and measures how long its runs take.
// TENON_BENCH_PYTHON, of the environment, is the Python that has the rival's packages; without it there are no such contenders.
#pragma once

#include "support/contender.hpp"
#include "support/write_works.hpp"
#include <tenon/meta/text.hpp>

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace bench {

class python_contender final : public contender {
  pid_t process = 0;
  std::FILE *questions = nullptr, *answers = nullptr;
  long runs = 0;
  mutable std::vector<float> numbers;

  std::string line() const {
    std::string all;
    for (int c; (c = std::fgetc(answers)) != EOF && c != '\n';) all += static_cast<char>(c);
    if (std::ferror(answers) || std::feof(answers)) throw std::runtime_error("a rival in Python has ended");
    return all;
  }
  std::string ask(const char* what, long count) const {
    std::fprintf(questions, "%s %ld\n", what, count);
    std::fflush(questions);
    return line();
  }

 public:
  python_contender(const std::string& python, const std::string& rival, const std::string& work) {
    int to[2], from[2];
    // Closed in other rivals' processes, which would keep this one from its end.
    if (pipe2(to, O_CLOEXEC) != 0 || pipe2(from, O_CLOEXEC) != 0)
      throw std::runtime_error("no pipe for a rival in Python");
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, to[0], 0);
    posix_spawn_file_actions_adddup2(&actions, from[1], 1);
    std::array<std::string, 4> words{python, "bench/rivals/serve.py", rival, work};
    std::array<char*, 5> pointers{words[0].data(), words[1].data(), words[2].data(), words[3].data(),
                                  nullptr};
    const int failed = posix_spawnp(&process, pointers[0], &actions, nullptr, pointers.data(), environ);
    posix_spawn_file_actions_destroy(&actions);
    close(to[0]);
    close(from[1]);
    questions = fdopen(to[1], "w");
    answers = fdopen(from[0], "r");
    if (failed != 0) throw std::runtime_error(python + " cannot be started");
  }
  python_contender(const python_contender&) = delete;
  python_contender& operator=(const python_contender&) = delete;
  ~python_contender() override {
    std::fclose(questions);
    std::fclose(answers);
    waitpid(process, nullptr, 0);
  }
  bool does_the_work() const { return line() == "ready"; }

  void reset() override { runs = 0; }
  void run() override { ++runs; }  // when the answer is asked for
  std::span<const float> output() const override {
    numbers.resize(std::stoul(ask("answer", runs)));
    if (std::fread(numbers.data(), sizeof(float), numbers.size(), answers) != numbers.size())
      throw std::runtime_error("a rival in Python has ended");
    return numbers;
  }
  double seconds_of(long count) override { return std::stod(ask("time", count)); }
};

// Null: there is no such Python, or the rival does not do this work. Write(file, work) writes it, and returns whether that was possible.
template <tenon::ir::text Rival, auto Write, class Work>
std::unique_ptr<contender> make_python_contender(const Work& work) {
  const char* const python = std::getenv("TENON_BENCH_PYTHON");
  if (python == nullptr) return nullptr;
  std::string path = (std::filesystem::temp_directory_path() / "bench_work_XXXXXX").string();
  close(mkstemp(path.data()));
  work_file file(path);
  if (!Write(file, work)) throw std::runtime_error(path + " cannot be written");
  auto made = std::make_unique<python_contender>(python, std::string(Rival.view()), path);
  const bool ready = made->does_the_work();
  unlink(path.c_str());
  if (!ready) return nullptr;
  return made;
}

// The parameters of a graph, under their names.
inline void add_parameters(work_file& file, const auto& theta) {
  theta.for_each([&](std::string_view name, auto v) {
    std::vector<long> shape;
    for (std::size_t axis = 0; axis < v.dimension(); ++axis)
      shape.push_back(static_cast<long>(v.shape(axis)));
    file.add("theta:" + std::string(name), shape, std::span<const float>(v.data(), v.size()));
  });
}

}  // namespace bench
