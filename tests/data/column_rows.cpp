// Images as rows of a column: tensors [height, width, features], or [height, width].
#include "tenon/data/column_rows.hpp"

#include "data/by_hand.hpp"
#include "tenon/data/column.hpp"
#include "tenon/nn/nn.hpp"

#include <doctest/doctest.h>
#include <xtensor/xtensor.hpp>

#include <algorithm>
#include <array>
#include <initializer_list>
#include <type_traits>
#include <vector>

namespace tenon::test {
using namespace nn;

using images = graph<"images", input<"x", features<2>, grid<2, 3>>, node<"y", linear<2>, "x">, output<"y">>;
using grey_images =
    graph<"grey_images", input<"x", features<1>, grid<2, 3>>, node<"y", linear<2>, "x">, output<"y">>;
using maps = graph<"maps", input<"x", token<9>, grid<2, 3>>, node<"y", embedding<9, 3>, "x">, output<"y">>;

TEST_CASE("a range of tensors is an image for each row") {
  std::vector<float> all;
  for (int r = 0; r < 5; ++r)
    for (int k = 0; k < 12; ++k) all.push_back(number(r, k));
  std::vector<view<const float>> views, turned;  // [2, 3, 2], and the same numbers from [3, 2, 2]
  std::vector<xt::xtensor<double, 3>> tensors;
  std::vector<std::vector<float>> columns(5);
  for (int r = 0; r < 5; ++r) {
    views.emplace_back(all.data() + r * 12, std::initializer_list<detail::whole_number>{2, 3, 2});
    for (std::size_t x = 0; x < 3; ++x)
      for (std::size_t y = 0; y < 2; ++y)
        for (std::size_t j = 0; j < 2; ++j) columns[at(r)].push_back(views.back()(y, x, j));
    turned.emplace_back(columns[at(r)].data(), std::initializer_list<detail::whole_number>{2, 3, 2},
                        std::initializer_list<detail::whole_number>{2, 4, 1});
    tensors.push_back(xt::xtensor<double, 3>(std::array<std::size_t, 3>{2, 3, 2}));
    std::copy(views.back().begin(), views.back().end(), tensors.back().begin());
  }
  const auto by_hand = [&](auto& session, const rows& some) {
    std::vector<float> given;
    for (int r : some) given.insert(given.end(), views[at(r)].begin(), views[at(r)].end());
    set_input<"x">(session, view<const float>(given.data(), {some.size(), 2, 3, 2}));
  };
  check_column<images>(column<"x">(views), by_hand);
  check_column<images>(column<"x">(turned), by_hand);
  check_column<images>(column<"x">(tensors), by_hand);
  check_column<images>(column<"x">(5, [&](int r) { return tensors[at(r)]; }), by_hand);
}
TEST_CASE("an image of one feature, or of tokens, is a tensor [height, width]") {
  std::vector<xt::xtensor<float, 2>> grey;
  std::vector<xt::xtensor<int, 2>> kinds;
  std::vector<float> numbers_of_all;
  std::vector<int> kinds_of_all;
  for (int r = 0; r < 5; ++r) {
    grey.push_back(xt::xtensor<float, 2>(std::array<std::size_t, 2>{2, 3}));
    kinds.push_back(xt::xtensor<int, 2>(std::array<std::size_t, 2>{2, 3}));
    for (int k = 0; k < 6; ++k) {
      grey.back().data()[k] = number(r, k);
      kinds.back().data()[k] = (r + k * k) % 9;
      numbers_of_all.push_back(number(r, k));
      kinds_of_all.push_back((r + k * k) % 9);
    }
  }
  const auto by_hand = [](const auto& of_all, auto... last) {
    return [&, last...](auto& session, const rows& some) {
      std::remove_cvref_t<decltype(of_all)> given;
      for (int r : some) given.insert(given.end(), of_all.begin() + r * 6, of_all.begin() + r * 6 + 6);
      set_input<"x">(session, view<const std::remove_cvref_t<decltype(given[0])>>(
                                  given.data(), {some.size(), 2, 3, last...}));
    };
  };
  check_column<grey_images>(column<"x">(grey), by_hand(numbers_of_all, 1));
  check_column<grey_images>(column<"x">(view<const float>(numbers_of_all.data(), {5, 2, 3})),
                            by_hand(numbers_of_all, 1));  // all of them, too
  check_column<grey_images>(column<"x">(view<const float>(numbers_of_all.data(), {5, 2, 3, 1})),
                            by_hand(numbers_of_all));
  std::vector<view<const float, 2>> by_type;
  for (const auto& image : grey) by_type.push_back(view<const float, 2>(image.data(), {2, 3}));
  check_column<grey_images>(column<"x">(by_type), by_hand(numbers_of_all, 1));
  check_column<maps>(column<"x">(kinds), by_hand(kinds_of_all));
}
TEST_CASE("images of another shape, or of several, are errors") {
  const std::vector<float> all(50);
  using rank_of = std::vector<view<const float>>;
  const auto refused = [](const rank_of& given, const char* message) {
    const data_set data(column<"x">(given));
    CHECK_THROWS_WITH_AS(outcome<images>([&](auto& session) {
                           data.set_inputs(session, rows{0, 1});
                         }),
                         message, input_error);
  };
  refused(rank_of{view<const float>(all.data(), {2, 3, 2}), view<const float>(all.data(), {2, 4, 2})},
          "column 'x': expected images of one shape, got several");
  refused(rank_of(2, view<const float>(all.data(), {3, 2, 2})),
          "input 'x': expected 2 x 3 places, got 3 x 2");
  refused(rank_of(2, view<const float>(all.data(), {2, 3})), "input 'x': expected 2 features, got 1");
  refused(rank_of(2, view<const float>(all.data(), {12})), "input 'x': expected rank 4, got rank 2");
}

// A number for each row is an input of one feature, or a token.
template <int Features>
using asks_for = inference<
    graph<"asks", input<"x", features<Features>>, node<"y", nn::linear<2>, "x">, output<"y">>>::plan;
template <int Features>
constexpr ir::problem of_numbers =
    detail::unfit_rows<asks_for<Features>, engine::input_edge<asks_for<Features>>("x"), float>();
static_assert(!of_numbers<1>);
static_assert(of_numbers<2> && of_numbers<2>.expected == 2 && of_numbers<2>.got == 1);
static_assert(of_numbers<3> && of_numbers<3>.expected == 3 && of_numbers<3>.got == 1);

}  // namespace tenon::test
