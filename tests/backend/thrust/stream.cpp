// The caller's streams: a thread's work is queued in the stream it selected, and data written in another stream is waited for once.
#include "tenon/backend/thrust/stream.hpp"

#include "backend/thrust/fenced.hpp"
#include "tenon/engine/session/session.hpp"
#include "tenon/nn/linear.hpp"
#include "tenon/nn/loss.hpp"
#include "tenon/train/trainer/trainer.hpp"

#include <doctest/doctest.h>

#include <cstddef>
#include <string>
#include <thread>
#include <vector>

namespace workshop {

// A device whose streams are numbers, and which records where work is queued and what is waited for.
struct queued : tenon::test::fenced {};
inline std::string seen;
inline int current_stream(queued) { return current_stream(tenon::backend::thrust_device{}); }
inline void wait_for(queued, int stream) {
  tenon::backend::thrust_detail::refuse_in_capture("waiting for a stream");
  seen += " wait " + std::to_string(stream);
}
template <auto... Sizes, class... Given>
void matmul(queued, const Given&... given) {
  seen += " run in " + std::to_string(current_stream(queued{}));
  matmul<Sizes...>(tenon::test::fenced{}, given...);
}
inline void copy_out(queued, const void* from, void* to, std::size_t bytes) {
  seen += " fetch in " + std::to_string(current_stream(queued{}));
  copy_out(tenon::test::fenced{}, from, to, bytes);
}
class queued_graphs : public tenon::test::fenced_graphs {
 public:
  void queue(const graph& one) {
    seen += " graph in " + std::to_string(current_stream(queued{}));
    fenced_graphs::queue(one);
  }
};
queued_graphs graphs_of(queued);

}  // namespace workshop

namespace tenon::test {
using namespace nn;

using backend::on_stream;
using line = graph<"line", input<"x", features<2>>, node<"y", linear<1>, "x">, output<"y">>;

std::string taken() { return std::exchange(workshop::seen, {}); }

TEST_CASE("a stream is the thread's, as long as it is said") {
  const auto now = [] { return current_stream(backend::thrust_device{}); };
  CHECK(now() == 0);
  {
    const on_stream outer(1);
    CHECK(now() == 1);
    {
      const on_stream inner(2);
      CHECK(now() == 2);
    }
    CHECK(now() == 1);
    int other = -1;
    std::thread([&] { other = now(); }).join();
    CHECK(other == 0);
  }
  CHECK(now() == 0);
}

// Counts its calls, and those that come with a stream.
struct other_library {
  int *calls, *streams;
  void operator()(void* stream) const {
    ++*calls;
    *streams += stream != nullptr ? 1 : 0;
  }
};
TEST_CASE("work of another library is called at once, or where captured work is queued") {
  int calls = 0, streams = 0;
  queue_call(backend::thrust_device{}, other_library{&calls, &streams});
  CHECK(calls == 1);
  backend::work_graphs graphs;
  const auto captured = graphs.capture([&] {
    queue_call(backend::thrust_device{}, other_library{&calls, &streams});
  });
  CHECK(calls == 1);
  graphs.queue(captured);
  graphs.queue(captured);
  CHECK(calls == 3);
  CHECK(streams == 0);  // which a plain CPU has none of
}

TEST_CASE("sessions on two streams share parameters, and wait for their upload alone") {
  const parameters<line> theta(seed{1});
  const std::vector<float> x{1, 2};
  inference<line, on<workshop::queued>> first(theta), second(theta);
  taken();
  {
    const on_stream here(1);
    first(x);
    CHECK(taken() == " wait 0 run in 1 fetch in 1");  // the workspace was cleared in 0
  }
  {
    const on_stream here(2);
    second(x);
    CHECK(taken() == " wait 0 wait 1 run in 2 fetch in 2");  // the parameters were sent in 1
  }
  for (int k = 0; k < 2; ++k) {
    {
      const on_stream here(1);
      set_input<"x">(first, x);
      first.run();
      CHECK(taken() == " run in 1");
    }
    const on_stream here(2);
    set_input<"x">(second, x);
    second.run();
    CHECK(taken() == " run in 2");
  }
  // Read outside: waits for the work queued in the session's stream.
  const float y = get<"y">(first)(0, 0), z = get<"y">(second)(0, 0);
  CHECK(y == z);
  CHECK(taken() == " wait 1 fetch in 0 wait 2 fetch in 0");
}

TEST_CASE("what a trainer has written in its stream is waited for by who reads it") {
  parameters<line> theta(seed{1}), same(seed{1});
  trainer<line, losses::mse<"y">, optimizers::adam, batch<1>, on<workshop::queued>> learner(theta);
  trainer<line, losses::mse<"y">, optimizers::adam, batch<1>, on<fenced>> plain(same);
  inference<line, on<workshop::queued>> judge(theta);
  const std::vector<float> x{1, 2}, y{3};
  const auto step = [&](auto& one) {
    set_input<"x">(one, x);
    set_input<"target">(one, y);
    return one.step();
  };
  {
    const on_stream here(1);
    step(learner);
    step(plain);
    taken();
    CHECK(step(learner) == step(plain));
    CHECK(taken() == " run in 1 fetch in 1");  // the loss, once
  }
  {
    const on_stream here(2);
    set_input<"x">(judge, x);
    judge.run();
    CHECK(taken() == " wait 0 wait 1 run in 2");
    judge.run();
    CHECK(taken() == " run in 2");
  }
  CHECK(step(learner) == step(plain));  // another stream than before
  CHECK(taken().find("wait 1") != std::string::npos);
  CHECK(get<"y.weight">(theta)(0, 0) == get<"y.weight">(same)(0, 0));
}

TEST_CASE("captured work stands in the stream of its thread, behind what the session has queued in another") {
  parameters<line> theta(seed{1}), same(seed{1});
  trainer<line, losses::mse<"y">, optimizers::adam, batch<1>, on<workshop::queued>, captured> learner(theta);
  trainer<line, losses::mse<"y">, optimizers::adam, batch<1>, on<fenced>> plain(same);
  inference<line, on<workshop::queued>, captured> judge(theta);
  const auto step = [](auto& one, int n) {
    set_input<"x">(one, std::vector{1.f, float(n)});
    set_input<"target">(one, std::vector{3.f});
    return one.step();
  };
  const auto both = [&](int stream, int n) {
    const on_stream here(stream);
    taken();
    CHECK(step(learner, n) == step(plain, n));
    return taken();
  };
  both(1, 0);
  both(1, 1);  // without capture, and captured
  CHECK(both(1, 2) == " graph in 1 graph in 1 fetch in 1");
  for (int n = 3; n < 9; ++n) {  // it changes its stream
    const int stream = 1 + n % 2;
    CAPTURE(n);
    const std::string all = both(stream, n), other = " wait " + std::to_string(3 - stream),
                      queued = " graph in " + std::to_string(stream);
    const std::size_t graph = all.find(queued);
    REQUIRE(graph != std::string::npos);
    CHECK(all.find(other) < graph);
    CHECK(all.find(queued, graph + 1) != std::string::npos);
    CHECK(all.find(" run") == std::string::npos);
    CHECK(both(stream, n) == queued + queued + " fetch in " + std::to_string(stream));  // once
  }
  learner.average_decay = plain.average_decay = 0.5;
  both(1, 9);
  CHECK(both(1, 10) == " graph in 1 graph in 1 fetch in 1");  // an average is not fetched
  {
    const on_stream here(2);
    set_input<"x">(judge, std::vector{1.f, 2.f});
    for (int n = 0; n < 3; ++n) judge.run();
    taken();
    judge.run();
    CHECK(taken() == " graph in 2");
  }
  both(1, 11);
  {
    const on_stream here(2);
    taken();
    judge.run();
    const std::string all = taken();  // what the trainer has written in 1
    CHECK(all.find(" wait 1") < all.find(" graph in 2"));
  }
  const auto average = learner.averaged(), same_average = plain.averaged();
  CHECK(get<"y.weight">(average)(0, 1) == get<"y.weight">(same_average)(0, 1));
  CHECK(get<"y.weight">(theta)(0, 1) == get<"y.weight">(same)(0, 1));
}

}  // namespace tenon::test
