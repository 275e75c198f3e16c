// ONNX Runtime, in a process of its own: self-attention.
#include "sequences/tenon.hpp"
#include "support/python_contender.hpp"

namespace bench {
namespace {

bool write(work_file& file, const sequence_work& w) {
  with_graph(w, [&]<class G, int>() { add_parameters(file, tenon::parameters<G>(first_parameters)); });
  file.add("x", {w.batch, w.steps, w.width}, w.x);
  file.add("heads", {1}, std::vector{w.heads()});
  return file.finish(w.describe());
}

const bool entered =
    sequence_contest::enter("ONNX Runtime", 4, [](const sequence_work& w) -> std::unique_ptr<contender> {
      if (w.what != layer::multi_head || w.backward) return nullptr;
      return make_python_contender<"onnx_runtime", write>(w);
    });

}  // namespace
}  // namespace bench
