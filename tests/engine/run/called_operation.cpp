// What an executor calls for one operation: only the steps that it has, and after its backward pass the sums of its contributions.
#include "tenon/engine/run/called_operation.hpp"

#include "layering/house.hpp"
#include "tenon/backend/reference/reference.hpp"

#include <doctest/doctest.h>

#include <numeric>
#include <string>
#include <utility>
#include <vector>

namespace tenon::test {

// A machine on which operations only record that they were called.
struct recording : backend::reference {};
inline std::vector<std::string> calls;
std::vector<std::string> called() { return std::exchange(calls, {}); }

struct plain {
  static constexpr bool has_table = false, computes_once = false;
};
struct with_table {
  static constexpr bool has_table = true, computes_once = true;
};

}  // namespace tenon::test

namespace tenon::inline v0_1::engine {

// An operation that packs weights, and one that does not.
template <operation_signature Signature, class Program>
struct operation_run<float, test::recording, Signature, Program, operation_kind::apply> {
  struct common {
    static void multiply_table(const places<float>&, piece) { test::calls.push_back("multiply_table"); }
    static void find_table_sums(const places<float>&, summed_table<float>*&) {
      test::calls.push_back("find_table_sums");
    }
    static void finish_table(const places<float>&, run_context<float>&, piece) {
      test::calls.push_back("finish_table");
    }
  };
  static void pack(const places<float>&, packing_shard&) { test::calls.push_back("pack"); }
  static void begin(const places<float>&) { test::calls.push_back("begin"); }
  static void forward(const places<float>&) { test::calls.push_back("forward"); }
  static void backward(const places<float>&) { test::calls.push_back("backward"); }
};
template <operation_signature Signature, class Program>
struct operation_run<float, test::recording, Signature, Program, operation_kind::dropout> {
  static void forward(const places<float>&) { test::calls.push_back("forward"); }
  static void backward(const places<float>&) { test::calls.push_back("backward"); }
};

}  // namespace tenon::inline v0_1::engine

namespace tenon::test {

namespace {

using engine::operation_signature, engine::edge_place, ir::operation_kind;
using strings = std::vector<std::string>;

template <operation_signature Signature, class Program = plain, bool IsShared = false>
using operation = engine::detail::called_operation<float, recording, Signature, Program, IsShared>;

// All calls of an executor, in its order.
template <class Operation>
strings all_calls() {
  engine::run_context<float> c;
  const engine::operation_places o;
  const engine::places<float> p{c, o};
  engine::packing_shard shard({}, 1);
  Operation::pack(p, shard);
  Operation::multiply_table(p, {});
  Operation::begin(p);
  Operation::forward(p);
  Operation::backward(p);
  engine::summed_table<float>* sums = nullptr;
  Operation::find_table_sums(p, sums);
  Operation::finish_table(p, c, {});
  return called();
}

constexpr operation_signature inferred{.kind = operation_kind::apply, .runs = true};
constexpr operation_signature trained{.kind = operation_kind::apply, .runs = true, .differentiated = true};

}  // namespace

TEST_CASE("of an operation that is called, what it has") {
  CHECK(all_calls<operation<inferred>>() == strings{"pack", "forward"});
  CHECK(all_calls<operation<inferred, plain, true>>() == strings{"pack", "forward"});
  CHECK(all_calls<operation<trained>>() == strings{"pack", "forward", "backward"});
  CHECK(all_calls<operation<inferred, with_table>>() ==
        strings{"pack", "multiply_table", "begin", "forward"});
  CHECK(all_calls<operation<trained, with_table>>() ==
        strings{"pack", "multiply_table", "begin", "forward", "backward", "find_table_sums", "finish_table"});
  constexpr operation_signature weightless{
      .kind = operation_kind::dropout, .runs = true, .differentiated = true};
  CHECK(all_calls<operation<weightless>>() == strings{"forward", "backward"});
}

TEST_CASE("an operation that is not needed is not even compiled") {
  constexpr operation_signature unneeded{.kind = operation_kind::scan,
                                         .differentiated = true};  // recording has no such code
  CHECK(all_calls<operation<unneeded, with_table>>().empty());
}

// Three inputs of two features in a batch of two: a sequence on the operation's own axis, one on the axis that each step sees, and a
// row. The rows have 3 and 1 of three steps, and 0 and 2 of two steps.
TEST_CASE("contributions are zero past each end, and added where several operations contribute") {
  constexpr operation_signature facts{.kind = operation_kind::apply,
                                      .runs = true,
                                      .differentiated = true,
                                      .batch = 2,
                                      .inputs = 3,
                                      .features = {2, 2, 2},
                                      .sequences = 0b011,
                                      .inner_sequences = 0b010,
                                      .requires_adjoint = 0b111};
  constexpr edge_place contributions[]{{0, 2, 4}, {12, 2, 4}, {20, 2, 0}},
      sums[]{{24, 2, 4}, {36, 2, 4}, {44, 2, 0}};
  const int lengths[]{3, 1}, inner_lengths[]{0, 2}, steps[]{3, 2}, full_steps[]{1, 0};
  const int* const by_axis[]{lengths, inner_lengths};
  for (const unsigned added : {0b000u, 0b101u, 0b111u}) {
    CAPTURE(added);
    std::vector<float> memory(48);
    std::iota(memory.begin(), memory.end(), 1.0f);
    const std::vector<float> before = memory;
    engine::run_context<float> c;
    c.memory.values = memory.data();
    c.inputs.lengths = by_axis;
    c.inputs.steps = steps;
    c.inputs.full_steps = full_steps;
    engine::operation_places o;
    o.axis[0] = 0;
    o.axis[1] = 1;
    o.added = added;
    o.contribution = contributions;
    o.sum = sums;
    operation<facts>::backward(engine::places<float>{c, o});
    CHECK(called() == strings{"backward"});

    const auto check = [&](int input, int number_of_steps, const int* rows) {
      for (int t = 0; t < number_of_steps; ++t)
        for (int r = 0; r < 2; ++r)
          for (int j = 0; j < 2; ++j) {
            const auto at = [&](const edge_place& e) {
              return std::size_t(e.at + t * e.step + r * e.row + j);
            };
            const std::size_t mine = at(contributions[input]), sum = at(sums[input]);
            const float expected = rows == nullptr || t < rows[r] ? before[mine] : 0;
            CHECK(memory[mine] == expected);
            CHECK(memory[sum] == before[sum] + ((added >> input & 1u) != 0 ? expected : 0));
          }
    };
    check(0, 3, lengths);
    check(1, 2, inner_lengths);
    check(2, 1, nullptr);
  }
}

// Windows over a sequence of three steps, whose results are a sequence of two: the contribution has the steps of the first.
TEST_CASE("the contribution of what windows read is as long as that, not as their results") {
  constexpr operation_signature facts{.kind = operation_kind::apply,
                                      .runs = true,
                                      .differentiated = true,
                                      .reads_windows = true,
                                      .batch = 1,
                                      .inputs = 1,
                                      .features = {2},
                                      .sequences = 0b1,
                                      .requires_adjoint = 0b1};
  constexpr edge_place contribution[]{{0, 2, 2}}, sum[]{{6, 2, 2}};
  const int results[]{1}, source[]{2}, steps[]{2, 3}, full_steps[]{1, 2};
  const int* const by_axis[]{results, source};
  std::vector<float> memory{1, 2, 3, 4, 5, 6, 10, 20, 30, 40, 50, 60};
  engine::run_context<float> c;
  c.memory.values = memory.data();
  c.inputs.lengths = by_axis;
  c.inputs.steps = steps;
  c.inputs.full_steps = full_steps;
  const engine::window_places windows{.source_axis = 1};
  engine::operation_places o;
  o.axis[0] = 0;
  o.windows = &windows;
  o.added = 0b1;
  o.contribution = contribution;
  o.sum = sum;
  operation<facts>::backward(engine::places<float>{c, o});
  CHECK(called() == strings{"backward"});
  CHECK(memory == std::vector<float>{1, 2, 3, 4, 0, 0, 11, 22, 33, 44, 50, 60});
}

TEST_CASE("of an input that needs no adjoint nothing is touched") {
  constexpr operation_signature facts{.kind = operation_kind::apply,
                                      .runs = true,
                                      .differentiated = true,
                                      .inputs = 1,
                                      .features = {2},
                                      .sequences = 0b1};
  engine::run_context<float> c;  // without memory
  const engine::operation_places o;
  operation<facts>::backward(engine::places<float>{c, o});
  CHECK(called() == strings{"backward"});
}

TEST_CASE("this is the one list of the files of kinds") {
  const house::headers tree = house::read(TENON_SOURCE_DIR "/include/tenon");
  for (const ir::operation_traits& k : ir::traits_of_operations) {
    const std::string file = std::string("#include \"tenon/engine/run/operations/") + k.name + ".hpp\"";
    CAPTURE(file);
    for (const auto& [path, text] : tree) {
      const bool is_here = path == "engine/run/called_operation.hpp";
      INFO(path);
      CHECK((text.find(file) != std::string::npos) == is_here);
    }
  }
}

}  // namespace tenon::test
