// ONNX Runtime and JAX, each in a process of its own, with Tenon's initial parameters.
#include "networks/graphs.hpp"
#include "networks/work.hpp"
#include "support/python_contender.hpp"

namespace bench {
namespace {

bool write(work_file& file, const network_work& w) {
  const long batch = w.batch, steps = w.steps();
  if (w.which == network::stack) file.add("x", {batch, steps, w.hidden}, w.x);
  else file.add("tokens", {batch, steps}, w.tokens);
  if (w.which == network::index_lookup) file.add("index", {batch}, w.index);
  file.add("target",
           w.which == network::characters ? std::vector<long>{batch, steps} : std::vector<long>{batch},
           w.target);
  switch (w.which) {
    case network::index_lookup:
      add_parameters(file, tenon::parameters<index_lookup_graph>(first_parameters));
      break;
    case network::surnames:
      add_parameters(file, tenon::parameters<surnames_graph>(first_parameters));
      break;
    case network::characters:
      add_parameters(file, tenon::parameters<characters_graph>(first_parameters));
      break;
    default:
      with_size<128, 256, 512, 1024>(w.hidden, [&]<int H>() {
        add_parameters(file, tenon::parameters<stack_graph<H>>(first_parameters));
      });
  }
  return file.finish(w.describe());
}
const bool entered =
    network_contest::enter("ONNX Runtime", 4, make_python_contender<"onnx_runtime", write>) &&
    network_contest::enter("JAX", 5, make_python_contender<"jax_networks", write>);

}  // namespace
}  // namespace bench
