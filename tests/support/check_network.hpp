// check_network<G, Objective, Streams, Rule>: all that must hold of any network, for those that tests/random draws. Gradients are compared with
// differences along random directions, one for each parameter and input, so that large networks take no longer than small ones.
#pragma once

#include "support/laws.hpp"
#include "support/temporary_file.hpp"
#include "tenon/distribute/in_process.hpp"
#include "tenon/engine/session/session.hpp"
#include "tenon/io/parameters.hpp"
#include "tenon/train/trainer/shards.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <thread>

namespace tenon::test {

#if defined(TENON_BATCH_INVARIANT) || defined(TENON_PORTABLE)
inline constexpr bool rows_are_invariant = true;
#else
inline constexpr bool rows_are_invariant = false;
#endif

// |got - expected| <= 1e-5 + share * (the largest expected number of its kind): a deep network in float loses more where it is large.
inline void check_close(const findings& expected, const findings& got, double share) {
  double gradients = 0;
  for (const auto& [what, numbers] : expected)
    if (what.starts_with("gradient"))
      for (const double x : numbers) gradients = std::max(gradients, std::abs(x));
  for (const auto& [what, numbers] : expected) {
    const auto found = got.find(what);
    REQUIRE_MESSAGE(found != got.end(), what);
    REQUIRE_MESSAGE(found->second.size() == numbers.size(), what);
    double largest = what.starts_with("gradient") ? gradients / 100 : 0;
    for (const double x : numbers) largest = std::max(largest, std::abs(x));
    std::size_t worst = 0;
    double error = 0;
    for (std::size_t k = 0; k < numbers.size(); ++k) {
      const double e = std::abs(found->second[k] - numbers[k]);
      if (e <= error) continue;
      worst = k;
      error = std::isnan(e) ? std::numeric_limits<double>::infinity() : e;
    }
    INFO(what, "[", worst, "]: expected ", numbers.empty() ? 0 : numbers[worst], ", got ",
         numbers.empty() ? 0 : found->second[worst]);
    CHECK(error <= 1e-5 + share * largest);
  }
}

// The gradient times a random direction, and the difference of the loss along it.
template <concepts::Graph G, class Objective, int Rows>
void check_slopes(trial<oracle, G, Rows, Objective>& mine, sample<G, Objective> s) {
  static constexpr const auto& net = network_of<G>;
  const findings analytic = mine(s);
  random_numbers random(17);
  const auto check = [&](const std::string& what, const std::vector<double*>& numbers,
                         const std::vector<double>& gradient, auto is_fixed) {
    REQUIRE_MESSAGE(numbers.size() == gradient.size(), what);
    std::vector<double> kept, direction;
    double expected = 0, norm = 0;
    for (std::size_t k = 0; k < numbers.size(); ++k) {
      kept.push_back(*numbers[k]);
      direction.push_back(is_fixed(static_cast<int>(k)) ? 0 : random());
      expected += gradient[k] * direction[k];
      norm += std::abs(gradient[k] * direction[k]);
    }
    const auto at = [&](double step) {
      for (std::size_t k = 0; k < numbers.size(); ++k) *numbers[k] = kept[k] + step * direction[k];
      const double loss = mine.loss(s);
      for (std::size_t k = 0; k < numbers.size(); ++k) *numbers[k] = kept[k];
      return loss;
    };
    const double step = 1e-6, measured = (at(step) - at(-step)) / (2 * step);
    INFO(what, ": the gradient along a direction is ", expected, ", measured ", measured);
    CHECK(std::abs(measured - expected) <= 1e-5 + 1e-5 * norm);
  };
  mine.theta.for_each([&](std::string_view path, auto v) {
    std::vector<double*> numbers;
    for (std::size_t k = 0; k < v.size(); ++k) numbers.push_back(v.data() + k);
    const parameter& p = net.parameters[net.find_parameter(path)];
    const auto& gradient = analytic.at("gradient of " + std::string(path));
    if (p.frozen) {
      CHECK_MESSAGE(std::all_of(gradient.begin(), gradient.end(), [](double x) { return x == 0; }), path);
      return;
    }
    int skipped = -1, columns = 1;  // a padding row matters, but is not learned
    for (const operation& o : net.operations)
      if (o.kind == operation_kind::gather && net.parameters[o.parameters[0]].path == p.path) {
        if (o.by_frequency) return;  // its gradient is no derivative
        skipped = o.skipped;
        columns = p.columns;
      }
    check(std::string(path), numbers, gradient,
          [&](int k) { return skipped >= 0 && k / columns == skipped; });
  });
  each_input<G>([&]<int I>() {
    static constexpr edge e = net.edges[net.inputs[I]];
    if constexpr (!e.is_token()) {
      std::vector<double*> numbers;
      std::vector<double> gradient;
      for (int r = 0; r < s.rows; ++r)
        for (int k = 0; k < e.layers * s.steps(I); ++k)
          for (int j = 0; j < e.size; ++j) {
            const int at = e.layers > 1 ? k * s.rows + r : r * s.steps(I) + k;
            numbers.push_back(&s.numbers[I][static_cast<std::size_t>(at * e.size + j)]);
          }
      for (int r = 0; r < s.rows; ++r) {
        const auto of = analytic.find(of_row("gradient of input " + std::string(input_name<G, I>.view()), r));
        if (of != analytic.end()) gradient.insert(gradient.end(), of->second.begin(), of->second.end());
      }
      if (gradient.empty()) gradient.resize(numbers.size());  // the loss does not depend on it
      check("input " + std::string(input_name<G, I>.view()), numbers, gradient, [](int) { return false; });
    }
  });
}

// The outputs of an inference.
template <concepts::Graph G, class Session>
findings outputs_of(Session& session, const parameters<G>& theta, const sample<G>& s) {
  findings f;
  s.feed(session);
  session.run(theta);
  each_output<G>([&]<int O>() {
    for (int r = 0; r < s.rows; ++r) {
      auto& seen = f[of_row("output " + std::string(network_of<G>.output_names[O].view()), r)];
      each_of_row(get<output_name<G, O>>(session), network_of<G>.edges[network_of<G>.outputs[O]].layers > 1,
                  r, [&](float y) { seen.push_back(double(y)); });
    }
  });
  return f;
}

// Step by step, or in blocks of some steps, is the whole sequence: all rows have all steps. Block: 0 for single steps.
template <int Block, concepts::Graph G, int Rows>
void check_stream(const parameters<G>& theta, const sample<G>& s, const findings& whole) {
  static constexpr const auto& net = network_of<G>;
  constexpr int steps = net.axes[0].bound;
  using live_type =
      std::conditional_t<Block == 0, streaming<G, batch<Rows>>, streaming<G, batch<Rows>, block<Block>>>;
  live_type live(theta);
  findings f;
  for (const auto& [what, numbers] : whole) f[what];
  each_input<G>([&]<int I>() {
    static constexpr edge e = net.edges[net.inputs[I]];
    if constexpr (e.axis < 0 && e.is_token()) set_input<input_name<G, I>>(live, s.tokens[I]);
    else if constexpr (e.axis < 0) set_input<input_name<G, I>>(live, s.numbers[I]);
  });
  for (int first = 0, count = 1; first < steps; first += count) {
    if (Block > 0) count = std::min(Block, steps - first);
    const auto given = [&]<int I>() {
      static constexpr edge e = net.edges[net.inputs[I]];
      using number = std::conditional_t<e.is_token(), int, float>;
      if constexpr (e.axis < 0) {
        return std::tuple<>();
      } else {
        std::vector<number> all;
        for (int r = 0; r < s.rows; ++r)
          for (int t = first; t < first + count; ++t) {
            const auto at = static_cast<std::size_t>(r * steps + t);
            if constexpr (e.is_token()) all.push_back(s.tokens[I][at]);
            else
              for (std::size_t j = 0; j < e.size; ++j)
                all.push_back(static_cast<float>(s.numbers[I][at * e.size + j]));
          }
        return std::tuple(all);
      }
    };
    const auto in_block = [&]<class Number>(const std::vector<Number>& all) {
      const int size = int(all.size()) / (s.rows * count);
      if constexpr (std::is_same_v<Number, int>) return view<const int>(all.data(), {s.rows, count});
      else return view<const float>(all.data(), {s.rows, count, size});
    };
    [&]<int... I>(std::integer_sequence<int, I...>) {
      std::apply(
          [&](const auto&... of_inputs) {
            if constexpr (Block == 0) live.step(of_inputs...);
            else live.run(in_block(of_inputs)...);
          },
          std::tuple_cat(given.template operator()<I>()...));
    }
    (std::make_integer_sequence<int, net.inputs.size>{});
    each_output<G>([&]<int O>() {
      constexpr bool has_steps = net.edges[net.outputs[O]].axis >= 0;
      for (int r = 0; r < s.rows; ++r) {
        auto& seen = f.at(of_row("output " + std::string(net.output_names[O].view()), r));
        if (!has_steps) seen.clear();
        const auto y = get<output_name<G, O>>(live);
        for (int t = 0; t < (has_steps ? count : 1); ++t)
          for (int j = 0; j < net.edges[net.outputs[O]].size; ++j) {
            if constexpr (Block == 0 || !has_steps) seen.push_back(double(y(r, j)));
            else seen.push_back(double(y(r, t, j)));
          }
      }
    });
  }
  check_close(whole, f, 1e-5);
}

// Of a training: an update's gradients are those of the reference; on two threads, and of two ranks, all bits are those of one, and after a return to an earlier state
// they are those of before. Shards cannot count the tokens of a batch, or keep to the rows of a table that it looks up. The same rows twice have the
// same mean, and the second shard has the last of them. A shard is a session of `trial`, which is not compiled again.
template <concepts::Graph G, class Objective, class Rule, int Rows>
void check_training(const findings& expected, const sample<G, Objective>& rows, double largest) {
  static constexpr const auto& net = network_of<G>;
  constexpr bool is_whole = [] {
    for (const operation& o : net.operations)
      if (o.sparse || o.by_frequency) return true;
    return false;
  }();
  using whole =
      trainer<G, Objective, Rule, on<processor::backend>, scalar_type<float>, batch<Rows>, input_gradients>;
  using cut = trainer<G, Objective, Rule, on<processor::backend>, scalar_type<float>, batch<2 * Rows>,
                      input_gradients, shards<2>>;
  using learner = std::conditional_t<is_whole, whole, cut>;
  std::vector<int> all;
  for (int k = 0; k < (is_whole ? rows.rows : 2 * rows.rows); ++k) all.push_back(k % rows.rows);
  const sample<G, Objective> s = rows.of_rows(all);
  parameters<G> theta(zeros{}), other(zeros{});
  random_numbers random(9);
  for (int k = 0; k < theta.block_size; ++k)
    other.data()[k] = theta.data()[k] = static_cast<float>(largest * random());
  const parameters<G> start = theta;
  const auto made = [](parameters<G>& of, int n) {
    if constexpr (is_whole) return learner(of, {.learning_rate = 0.01}, seed{5});
    else return learner(of, {.learning_rate = 0.01}, seed{5}, threads{n});
  };
  learner one = made(theta, 1), two = made(other, 2);
  const auto step = [&](learner& of) {
    s.feed(of);
    findings f{{"loss", {double(of.step())}}};
    const parameters<G> average = of.averaged();
    for (int k = 0; k < theta.block_size; ++k) {
      f["numbers"].push_back(double(std::as_const(of.theta()).data()[k]));
      f["average"].push_back(double(average.data()[k]));
    }
    of.gradients().for_each([&](std::string_view path, auto v) {
      auto& seen = f["gradient of " + std::string(path)];
      for (std::size_t k = 0; k < v.size(); ++k) seen.push_back(double(v.data()[k]));
    });
    return f;
  };
  const findings first = step(one);
  check_same(first, step(two));
  if constexpr (!is_whole)
    distribute::in_process::run(2, [&](distribute::in_process& world) {
      parameters<G> mine = start;
      learner of(mine, {.learning_rate = 0.01}, seed{5}, threads{1}, world);
      findings of_rank = step(of), of_one = first;  // a rank has the gradients of its slice alone
      std::erase_if(of_rank, [](const auto& f) { return f.first.starts_with("gradient"); });
      std::erase_if(of_one, [](const auto& f) { return f.first.starts_with("gradient"); });
      check_same(of_one, of_rank);
    });
  if constexpr (!has_dropout<G>) {  // each shard draws its own zeros
    findings of_reference;
    for (const auto& [what, numbers] : expected)
      if (first.contains(what)) of_reference[what] = numbers;
    check_close(of_reference, first, 1e-4);
  }
  for (learner* of : {&one, &two}) {
    of->max_norm = 0.5;
    of->max_value = 0.1;
    of->accumulate = 2;
    of->average_decay = 0.5;
  }
  for (int k = 0; k < 2; ++k) check_same(step(one), step(two));
  two.accumulate = 1;
  const auto before = two.state();
  const findings after = step(two);
  two.restore(before);
  check_same(after, step(two));
  for (const parameter& p : net.parameters)
    for (int k = 0; p.frozen && k < p.elements(); ++k)
      CHECK_MESSAGE(std::as_const(theta).data()[p.offset + k] == start.data()[p.offset + k],
                    std::string(p.path.view()));
}

template <concepts::Graph G, class Objective = void, bool Streams = false, class Rule = void>
void check_network() {
  constexpr int rows = 5, T = network_of<G>.axes.size > 0 ? network_of<G>.axes[0].bound : 1;
  constexpr double largest = 0.4;
  const std::vector<int> mixed_lengths{T - 1, 0, T, 1, 2}, full_lengths(rows, T), no_lengths(rows, 0);

  // The reference in double, its gradients, and the CPU in float.
  {
    trial<oracle, G, rows + 1, Objective> exact(9, largest);
    trial<processor, G, rows + 1, Objective> used(9, largest), fresh(9, largest);
    const sample<G, Objective> mixed(mixed_lengths, 1), full(full_lengths, 2), empty(no_lengths, 3);
    for (const auto* s : {&full, &empty, &mixed}) {
      INFO("lengths: ", std::string(s == &full ? "all full" : s == &empty ? "all zero" : "mixed"));
      check_slopes(exact, *s);
      const findings got = used(*s);
      check_close(exact(*s), got, 1e-4);
      check_same(got, used(*s));
    }
    const findings expected = exact(mixed);
    check_same(expected, exact(mixed.padded_with({not_a_number, -7})));
    if constexpr (!std::is_void_v<Rule>)
      check_training<G, Objective, Rule, rows + 1>(expected, mixed, largest);
    const findings once = fresh(mixed);  // `used` has seen longer sequences
    check_same(once, used(mixed));
    check_same(once, used(mixed.padded_with({1e30, 999})));
  }

  // Without training: rows of a batch and single runs, what was saved and loaded, two sessions in two threads, a stream, one in blocks.
  const sample<G> mixed(mixed_lengths, 1), full(full_lengths, 2);
  parameters<G> theta(zeros{});
  random_numbers random(9);
  for (int k = 0; k < theta.block_size; ++k) theta.data()[k] = static_cast<float>(largest * random());
  inference<G, batch<rows + 1>> together;
  const findings of_batch = outputs_of(together, theta, mixed), of_full = outputs_of(together, theta, full);
  inference<G> alone;
  for (int r = 0; r < rows; ++r) {
    findings expected;
    for (const auto& [what, numbers] : of_batch)
      if (what.ends_with(", row " + std::to_string(r)))
        expected[what.substr(0, what.size() - 1) + "0"] = numbers;
    INFO("row ", r, " alone");
    if (rows_are_invariant) check_same(expected, outputs_of(alone, theta, mixed.row(r)));
    else check_close(expected, outputs_of(alone, theta, mixed.row(r)), 1e-5);
  }
  const temporary_folder folder;
  save(theta, folder.path + "/network.safetensors");
  parameters<G> loaded(zeros{});
  load(loaded, folder.path + "/network.safetensors");
  check_same(of_batch, outputs_of(together, loaded, mixed));
  std::array<findings, 2> in_threads;
  std::thread other([&] { in_threads[0] = outputs_of(together, loaded, mixed); });
  inference<G, batch<rows + 1>> beside;
  in_threads[1] = outputs_of(beside, theta, mixed);
  other.join();
  for (const findings& f : in_threads) check_same(of_batch, f);
  if constexpr (Streams) {
    constexpr int steps = network_of<G>.axes[0].bound;
    check_stream<0, G, rows>(theta, full, of_full);
    check_stream<(steps + 1) / 2, G, rows>(theta, full, of_full);
  }
}

}  // namespace tenon::test
