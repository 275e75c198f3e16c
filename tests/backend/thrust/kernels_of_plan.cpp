// Thrust's device has every kernel that a plan may need, and its tag derives from no other backend's.
#include "backend/thrust/fenced.hpp"
#include "tenon/engine/plan/backend_kernels.hpp"

#include <doctest/doctest.h>

#include <type_traits>

namespace tenon::test {

template <class Backend, class T>
constexpr bool has_all = [] {
  for (const ir::label& kernel : engine::known_kernels())
    if (!engine::has_kernel<Backend, T>(kernel)) return false;
  return true;
}();
static_assert(has_all<backend::thrust_device, float> && has_all<backend::thrust_device, double>);
static_assert(backend::HasOwnMemory<backend::thrust_device> && !backend::HasOwnMemory<backend::reference>);
static_assert(!std::is_base_of_v<backend::reference, backend::thrust_device>);

// The index arithmetic of its kernels.
using backend::thrust_detail::window_line;
static_assert(backend::thrust_detail::row_of(17, 5).row == 3 &&
              backend::thrust_detail::row_of(17, 5).column == 2);
static_assert(backend::thrust_detail::step_of(17, 5).step == 3 &&
              backend::thrust_detail::step_of(17, 5).row == 2);
TEST_CASE("a window's neighbour is found from its place, and back") {
  for (int stride : {1, 2, 3})
    for (int dilation : {1, 2})
      for (int before : {0, 1, 2}) {
        const ir::windows_along w{3, stride, dilation, before, 1};
        const window_line line = backend::thrust_detail::line_of(w, 9);
        CHECK(line.count == w.count(9));
        for (int place = 0; place < 9; ++place)
          for (int k = 0; k < 3; ++k) {
            int expected = -1;
            for (int window = 0; window < w.count(9); ++window)
              if (w.place(window, k) == place) expected = window;
            CHECK(line.window(place, k) == expected);
          }
        for (int window = 0; window < line.count; ++window)
          for (int k = 0; k < 3; ++k) CHECK(line.place(window, k) == w.place(window, k));
      }
}

}  // namespace tenon::test
