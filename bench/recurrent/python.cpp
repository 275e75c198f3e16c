// ONNX Runtime, in a process of its own.
#include "recurrent/work.hpp"
#include "support/python_contender.hpp"

namespace bench {
namespace {

bool write(work_file& file, const recurrent_work& w) {
  const long g = w.gates(), n = w.size;
  file.add("weight_ih", {g, n, n}, w.weight_ih);
  file.add("weight_hh", {g, n, n}, w.weight_hh);
  file.add("bias_ih", {g, n}, w.bias_ih);
  file.add("bias_hh", {g, n}, w.bias_hh);
  file.add("x", {w.steps, 1, n}, w.x);
  return file.finish(w.describe());
}

const bool entered =
    recurrent_contest::enter("ONNX Runtime", 4, make_python_contender<"onnx_runtime", write>) &&
    recurrent_contest::enter("ONNX Runtime, int8 weights", 4,
                             make_python_contender<"onnx_runtime_int8", write>, 5e-2);

}  // namespace
}  // namespace bench
