// Lengths of an image.
// expect(g++): input \'x\': lengths or a layout are given, and all places of a grid are there; give a tensor [batch, 2, 3, 1]
// expect(clang): "input \'x\': lengths or a layout are"
// expect(clang): "given, and all places of a grid"
// expect(clang): "are there; give a tensor [batch,"
// expect(clang): "2, 3, 1]"
#include <tenon/tenon.hpp>

using namespace tenon;
using namespace tenon::nn;

#ifdef MISTAKE
#  define LENGTHS , lengths
#else
#  define LENGTHS
#endif
#include <vector>
using model = graph<"model", input<"x", features<1>, grid<2, 3>>, node<"y", flatten, "x">, output<"y">>;
void give(inference<model>& run, const std::vector<float>& x,
          [[maybe_unused]] const std::vector<int>& lengths) {
  set_input<"x">(run, view<const float>(x.data(), {1, 2, 3, 1}, {6, 3, 1, 1}) LENGTHS);
}
