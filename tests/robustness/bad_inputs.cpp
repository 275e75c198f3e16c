// Wrong values given to sessions, parameters and trainings: every kind of mistake at every place where it can be made.
#include "robustness/refusals.hpp"
#include "support/tagger.hpp"
#include "support/temporary_file.hpp"
#include "tenon/data/data_set.hpp"
#include "tenon/engine/session/session.hpp"
#include "tenon/io/parameters.hpp"
#include "tenon/nn/nn.hpp"
#include "tenon/train/checkpoints/checkpoint.hpp"
#include "tenon/train/metrics/metrics.hpp"
#include "tenon/train/schedules/plateau.hpp"

#include <doctest/doctest.h>

#include <array>
#include <climits>
#include <initializer_list>
#include <limits>
#include <string>
#include <utility>
#include <vector>

namespace tenon::test {
using namespace nn;

constexpr double nan = std::numeric_limits<double>::quiet_NaN(),
                 infinity = std::numeric_limits<double>::infinity();

using sequences = std::vector<std::vector<long>>;

// A session that has run without error, and a batch whose tokens can be changed.
struct session_of_test {
  parameters<tagger> theta{seed{4}};
  differentiation<tagger, losses::cross_entropy<"tags">, batch<3>> run;
  const sequences words{{1, 2, 3, 4}, {3, 4, 5, 6}, {0, 1, 2, 3}},
      targets{{0, 1, 2, 3}, {1, 2, 3, 5}, {4, 4, 4, 4}};
  const std::vector<long> styles{0, 4, 2};

  session_of_test() {
    set_input<"words">(run, words);
    set_input<"x">(run, x({3, 4, 3}));
    set_input<"style">(run, styles);
    set_input<"speed">(run, std::vector<float>{1, 2, 3, 4, 5, 6});
    set_input<"h0">(run, x({2, 3, 3}));
    set_input<"target">(run, targets);
  }
  std::vector<float> numbers = std::vector<float>(200, 0.5f);
  view<const float> x(std::initializer_list<tenon::detail::whole_number> shape) const {
    return {numbers.data(), shape};
  }
  std::string state() {
    const float loss = run.forward(theta);
    return bits_of(theta) + bits_of(&loss, 1);
  }
};

TEST_CASE("tokens outside their range, at every place") {
  session_of_test s;
  refusals all([&] { return s.state(); });
  const auto wrong_tokens = [](long size) {
    return std::vector<long>{-7, size, size + 1, INT_MAX, INT_MIN, 1L << 32, LONG_MAX};
  };
  const auto token = [](long value) { return "token " + std::to_string(value); };
  for (std::size_t row = 0; row < 3; ++row) {
    const std::string in_row = "row " + std::to_string(row);
    for (std::size_t step = 0; step < 4; ++step) {
      const std::string place = in_row + ", step " + std::to_string(step) + ":";
      for (const long value : wrong_tokens(7)) {
        sequences wrong = s.words;
        wrong[row][step] = value;
        all.expect<input_error>({"input 'words'", place, token(value), "7 rows"},
                                [&] { set_input<"words">(s.run, wrong); });
      }
      for (const long value : wrong_tokens(6)) {
        sequences wrong = s.targets;
        wrong[row][step] = value;
        all.expect<input_error>({"input 'target'", place, token(value), "range of 6"},
                                [&] { set_input<"target">(s.run, wrong); });
      }
    }
    for (const long value : wrong_tokens(5)) {
      std::vector<long> wrong = s.styles;
      wrong[row] = value;
      all.expect<input_error>({"input 'style'", in_row + ":", token(value), "5 rows"},
                              [&] { set_input<"style">(s.run, wrong); });
    }
  }
}

TEST_CASE("lengths, rows, ranks and features of inputs") {
  session_of_test s;
  refusals all([&] { return s.state(); });
  for (std::size_t row = 0; row < 3; ++row)
    for (const long length : {-1L, 5L, 100L, long(INT_MAX), 1L << 40}) {
      std::vector<long> wrong{4, 4, 4};
      wrong[row] = length;
      all.expect<input_error>({"input 'x'", "row " + std::to_string(row), "length " + std::to_string(length)},
                              [&] {
                                set_input<"x">(s.run, s.x({3, 4, 3}), wrong);
                              });
    }
  for (const std::size_t count : {0u, 1u, 2u, 4u, 9u})
    all.expect<input_error>({"input 'x'", "expected 3 lengths", "got " + std::to_string(count)}, [&] {
      set_input<"x">(s.run, s.x({3, 4, 3}), std::vector<int>(count, 1));
    });
  for (const std::size_t features : {1u, 2u, 4u, 5u}) {
    const std::string got = "got " + std::to_string(features);
    all.expect<input_error>({"input 'x'", "3 features", got}, [&] {
      set_input<"x">(s.run, s.x({3, 4, features}));
    });
    all.expect<input_error>({"input 'h0'", "3 features", got}, [&] {
      set_input<"h0">(s.run, s.x({2, 3, features}));
    });
  }
  for (const std::size_t features : {1u, 3u, 4u})
    all.expect<input_error>({"input 'speed'", "2 features", "got " + std::to_string(features)}, [&] {
      set_input<"speed">(s.run, s.x({3, features}));
    });
  for (const std::size_t steps : {5u, 6u})
    all.expect<input_error>({"input 'x'", "at most 4 steps", "got " + std::to_string(steps)}, [&] {
      set_input<"x">(s.run, s.x({3, steps, 3}));
    });
  for (const std::size_t layers : {0u, 1u, 3u})
    all.expect<input_error>({"input 'h0'", "2 layers", "got " + std::to_string(layers)}, [&] {
      set_input<"h0">(s.run, s.x({layers, 3, 3}));
    });
  for (const view<const float>& wrong : {s.x({3}), s.x({3, 2}), s.x({2, 2, 2, 2})}) {
    const std::string got = "got rank " + std::to_string(wrong.dimension());
    all.expect<input_error>({"input 'x'", "rank 3", got}, [&] { set_input<"x">(s.run, wrong); });
    all.expect<input_error>({"input 'h0'", "rank 3", got}, [&] { set_input<"h0">(s.run, wrong); });
    if (wrong.dimension() != 2)
      all.expect<input_error>({"input 'speed'", "rank 2", got}, [&] { set_input<"speed">(s.run, wrong); });
  }
  for (const std::size_t rows : {4u, 5u, 7u}) {
    const std::string got = "got " + std::to_string(rows);
    const auto expect = [&](const char* input, const std::function<void()>& call) {
      all.expect<input_error>({std::string("input '") + input, "at most 3 rows", got}, call);
    };
    expect("words", [&] { set_input<"words">(s.run, sequences(rows, {1})); });
    expect("target", [&] { set_input<"target">(s.run, sequences(rows, {1})); });
    expect("style", [&] { set_input<"style">(s.run, std::vector<int>(rows, 1)); });
    expect("speed", [&] { set_input<"speed">(s.run, std::vector<float>(2 * rows, 1.0f)); });
    if (rows < 5) expect("x", [&] { set_input<"x">(s.run, s.x({rows, 4, 3})); });
    if (rows < 5) expect("h0", [&] { set_input<"h0">(s.run, s.x({2, rows, 3})); });
  }
  const auto empty = [&](const char* input, const std::function<void()>& call) {
    all.expect<input_error>({std::string("input '") + input, "empty"}, call);
  };
  empty("words", [&] { set_input<"words">(s.run, sequences{}); });
  empty("target", [&] { set_input<"target">(s.run, sequences{}); });
  empty("style", [&] { set_input<"style">(s.run, std::vector<int>{}); });
  empty("speed", [&] { set_input<"speed">(s.run, std::vector<float>{}); });
  empty("x", [&] { set_input<"x">(s.run, s.x({0, 4, 3})); });
  for (const std::size_t count : {1u, 3u, 5u})
    all.expect<input_error>({"input 'speed'", "multiple of 2", "got " + std::to_string(count)},
                            [&] { set_input<"speed">(s.run, std::vector<float>(count, 1.0f)); });
}

// Each parameter of the tagger in turn is missing, renamed, of another shape or type, or beside one that has no place.
TEST_CASE("files of parameters that do not fit") {
  const temporary_folder folder;
  const std::string right = folder.path + "/right", wrong = folder.path + "/wrong";
  session_of_test s;
  refusals all([&] { return s.state(); });
  save(parameters<tagger>(seed{9}), right);
  const io::safetensors_file file(right);
  const auto refused = [&](std::vector<io::named_tensor> tensors, std::initializer_list<std::string> named,
                           const io::load_options& options = {}) {
    io::write_safetensors(wrong, tensors);
    all.expect<data_error>(named, [&] { load(s.theta, wrong, options); });
  };
  std::vector<std::int32_t> whole(100);
  for (std::size_t k = 0; k < file.tensors().size(); ++k) {
    const std::vector<io::named_tensor>& tensors = file.tensors();
    const std::string name = "'" + tensors[k].name + "'";
    std::vector<io::named_tensor> other = tensors;
    other.erase(other.begin() + std::ptrdiff_t(k));
    refused(other, {wrong, "missing " + name});
    other = tensors;
    other[k].name += "_old";
    refused(other, {wrong, "missing " + name, other[k].name});
    other = tensors;
    other[k].shape.push_back(1);
    refused(other, {wrong, name, "1]"});
    other = tensors;
    other[k].type = io::dtype::int32;
    other[k].data = whole.data();
    refused(other, {wrong, name, "got int32"});
    other = {tensors[k]};
    refused(other, {wrong, "missing"});
    refused(tensors, {wrong, name}, {.rename = {{tensors[k].name, "unknown." + std::to_string(k)}}});
    refused(tensors, {wrong, "nothing." + std::to_string(k)}, {.only = "nothing." + std::to_string(k)});
  }
  load(s.theta, right);
  CHECK(bits_of(s.theta) == bits_of(parameters<tagger>(seed{9})));
}

using line = graph<"line", input<"x", features<2>>, node<"logits", linear<2>, "x">, output<"logits">>;
using training = trainer<line, losses::cross_entropy<"logits">, optimizers::adam, batch<8>>;
using options_of_fit = fit_options<training>;

struct training_of_test {
  parameters<line> theta{seed{1}};
  training t{theta, {.learning_rate = 0.05}, seed{7}};
  std::vector<std::array<float, 2>> x;
  std::vector<int> target;
  training_of_test() {
    for (int r = 0; r < 8; ++r) {
      x.push_back({float(r % 3), float(r % 5)});
      target.push_back(r % 2);
    }
  }
  reports::history fit_with(const options_of_fit& options) {
    return fit(t, data_set(column<"x">(x), column<"target">(target)), options);
  }
  std::string state() const { return bits_of(theta) + std::to_string(t.steps()); }
  // What a training that nobody disturbed has learned; then this one, too.
  bool learns_as_undisturbed() {
    training_of_test other;
    fit_with({.epochs = 3});
    other.fit_with({.epochs = 3});
    return bits_of(theta) == bits_of(other.theta);
  }
};

TEST_CASE("options of a training out of their range") {
  training_of_test run;
  refusals all([&] { return run.state(); });
  const auto refused = [&](std::initializer_list<std::string> named,
                           const std::function<options_of_fit()>& options) {
    all.expect<input_error>(named, [&] { run.fit_with(options()); });
  };
  for (const int wrong : {-1, -2, INT_MIN}) {
    const std::string got = std::to_string(wrong);
    refused({"epochs", got}, [&] { return options_of_fit{.epochs = wrong}; });
    refused({"patience", got}, [&] { return options_of_fit{.stop = early_stopping{.patience = wrong}}; });
    refused({"similar_length", got}, [&] { return options_of_fit{.batches = similar_length(wrong)}; });
    refused({"checkpoint", got},
            [&] { return options_of_fit{.checkpoint = checkpoint{.path = "no", .every = wrong}}; });
    refused({"checkpoint", got},
            [&] { return options_of_fit{.checkpoint = checkpoint{.path = "no", .steps = wrong}}; });
  }
  refused({"patience", "0"}, [] { return options_of_fit{.stop = early_stopping{.patience = 0}}; });
  refused({"similar_length", "0"}, [] { return options_of_fit{.batches = similar_length(0)}; });
  refused({"checkpoint", "path"}, [] { return options_of_fit{.checkpoint = checkpoint{}}; });
  refused({"checkpoint", "0 and 0"},
          [] { return options_of_fit{.checkpoint = checkpoint{.path = "no", .every = 0}}; });
  for (const double wrong : {-0.1, nan, infinity, -infinity})
    refused({"min_delta"}, [&] { return options_of_fit{.stop = early_stopping{.min_delta = wrong}}; });
  refused({"validate_average"}, [] { return options_of_fit{.validate_average = true}; });
  refused({"metrics"}, [] { return options_of_fit{.metrics = {metric::accuracy{}}}; });
  for (const double wrong : {-1.0, nan, infinity, -infinity, -1e-300})
    refused({"learning_rate"},
            [&] { return options_of_fit{.schedule = [=](const schedules::progress&) { return wrong; }}; });
  refused({"must_match", "graph"}, [] {
    return options_of_fit{.checkpoint = checkpoint{.path = "no", .must_match = {{"graph", "x"}}}};
  });
  CHECK(run.learns_as_undisturbed());
}

TEST_CASE("numbers of update rules, groups, averages and norms") {
  training_of_test run;
  refusals all([&] { return run.state(); });
  const auto with = [&](optimizers::adam rule, std::initializer_list<std::string> named) {
    all.expect<input_error>(named, [&] {
      const optimizers::adam before = run.t.optimizer();
      run.t.optimizer() = rule;
      struct back {
        training& t;
        optimizers::adam rule;
        ~back() { t.optimizer() = rule; }
      } const restored{run.t, before};
      run.fit_with({});
    });
  };
  for (const double wrong : {nan, infinity, -infinity}) {
    with({.learning_rate = wrong}, {"learning_rate: expected a finite number"});
    with({.beta1 = wrong}, {"beta1: expected a number from 0 to below 1"});
    with({.beta2 = wrong}, {"beta2: expected a number from 0 to below 1"});
    with({.weight_decay = wrong}, {"update rule 'optimizers::adam'"});
  }
  for (const double wrong : {0.0, -1.0, 1e-300, nan})
    with({.epsilon = wrong}, {"update rule 'optimizers::adam'"});
  const auto groups = [&](const char* pattern, detail::group_options o,
                          std::initializer_list<std::string> named) {
    all.expect<input_error>(named, [&] { run.t.groups({{pattern, o}}); });
  };
  groups("nothing.*", {}, {"groups", "nothing.*"});
  groups("logits", {}, {"groups", "logits"});
  for (const double wrong : {nan, infinity, -1.0}) {
    groups("*.bias", {.rate_factor = wrong}, {"groups", "*.bias"});
    groups("*.bias", {.learning_rate = wrong}, {"groups", "*.bias"});
    groups("*.bias", {.weight_decay = wrong}, {"groups", "*.bias"});
    groups("*.bias", {.max_norm = wrong}, {"groups", "*.bias"});
  }
  CHECK(run.learns_as_undisturbed());
}

TEST_CASE("settings of a trainer") {
  training_of_test run;
  refusals all([&] { return run.state(); });
  const auto with = [&](auto set, auto right, const std::string& named) {
    all.expect<input_error>({named}, [&] {
      set(run.t);
      struct back {
        training& t;
        decltype(right)& put;
        ~back() { put(t); }
      } const restored{run.t, right};
      run.fit_with({});
    });
  };
  for (const double wrong : {-0.5, 1.0, 1.5, nan, infinity})
    with([=](training& t) { t.average_decay = wrong; }, [](training& t) { t.average_decay = 0; },
         "average_decay");
  for (const double wrong : {-0.5, nan, -infinity})
    with([=](training& t) { t.max_norm = wrong; },
         [](training& t) { t.max_norm = training_of_test().t.max_norm; }, "max_norm");
  for (const int wrong : {0, -1, INT_MIN})
    with([=](training& t) { t.accumulate = wrong; }, [](training& t) { t.accumulate = 1; }, "accumulate");
  CHECK(run.learns_as_undisturbed());
}

TEST_CASE("data that do not fit, in every row") {
  training_of_test run;
  refusals all([&] { return run.state(); });
  for (std::size_t row = 0; row < 8; ++row) {
    const std::string place = "row " + std::to_string(row);
    for (const int wrong : {-9, 2, 3, INT_MAX}) {
      std::vector<int> target = run.target;
      target[row] = wrong;
      all.expect<input_error>({"column 'target'", place, std::to_string(wrong)},
                              [&] { fit(run.t, data_set(column<"x">(run.x), column<"target">(target))); });
    }
    for (const std::size_t feature : {0u, 1u})
      for (const float wrong : {float(nan), float(infinity), -float(infinity)}) {
        auto x = run.x;
        x[row][feature] = wrong;
        all.expect<training_error>(
            {"finite"}, [&] { fit(run.t, data_set(column<"x">(x), column<"target">(run.target))); });
      }
  }
  for (const std::size_t rows : {0u, 1u, 7u, 9u}) {
    std::vector<int> target(rows, 1);
    all.expect<input_error>({"column '", std::to_string(rows)},
                            [&] { fit(run.t, data_set(column<"x">(run.x), column<"target">(target))); });
  }
  CHECK(run.learns_as_undisturbed());
}

TEST_CASE("schedules") {
  refusals all;
  for (const double wrong : {-1.0, nan, infinity, -infinity}) {
    using namespace schedules;
    const auto refused = [&](const char* name, const std::function<void()>& call) {
      all.expect<input_error>({name, "expected"}, call);
    };
    refused("constant", [=] { constant(wrong); });
    refused("cosine", [=] { cosine(wrong); });
    refused("cosine", [=] { cosine(0.1, wrong); });
    refused("step_decay", [=] { step_decay(wrong, 3); });
    refused("step_decay", [=] { step_decay(0.1, wrong); });
    refused("step_decay", [=] { step_decay(0.1, 3, wrong); });
    refused("step_decay", [=] { step_decay(0.1, {.epochs = wrong}); });
    refused("step_decay", [=] { step_decay(0.1, {.after = wrong}); });
    refused("multi_step", [=] { multi_step(wrong, {1, 2}); });
    refused("multi_step", [=] { multi_step(0.1, {1, wrong}); });
    refused("multi_step", [=] { multi_step(0.1, {1, 2}, wrong); });
    refused("exponential", [=] { exponential(wrong, 0.9); });
    refused("exponential", [=] { exponential(0.1, wrong); });
    refused("linear_decay", [=] { linear_decay(wrong); });
    refused("linear_decay", [=] { linear_decay(0.1, wrong); });
    refused("inverse_square_root", [=] { inverse_square_root(wrong, 10); });
    refused("one_cycle", [=] { one_cycle(wrong); });
    refused("reduce_on_plateau", [=] { static_cast<void>(reduce_on_plateau{wrong}); });
    refused("reduce_on_plateau", [=] { reduce_on_plateau(0.1, {.factor = wrong}); });
    refused("reduce_on_plateau", [=] { reduce_on_plateau(0.1, {.threshold = wrong}); });
    refused("reduce_on_plateau", [=] { reduce_on_plateau(0.1, {.min_rate = wrong}); });
  }
  all.expect<input_error>({"warm_up", "-1"}, [] { schedules::warm_up(-1, schedules::constant(1)); });
  all.expect<input_error>({"warm_up", "empty"}, [] { schedules::warm_up(1, {}); });
  all.expect<input_error>({"multi_step", "rising"}, [] { schedules::multi_step(0.1, {2, 1}); });
  all.expect<input_error>({"inverse_square_root", "0"}, [] { schedules::inverse_square_root(1, 0); });
  all.expect<input_error>({"reduce_on_plateau", "patience"},
                          [] { schedules::reduce_on_plateau(0.1, {.patience = -1}); });
  all.expect<input_error>({"reduce_on_plateau", "cooldown"},
                          [] { schedules::reduce_on_plateau(0.1, {.cooldown = -1}); });
}

TEST_CASE("so many different refusals") {
  MESSAGE(distinct_refusals().size(), " different messages");
  CHECK(distinct_refusals().size() >= 500);
}

}  // namespace tenon::test
