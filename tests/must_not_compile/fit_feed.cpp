// A feed that does not take the session.
// expect(g++): fit calls feed(session, rows), and this feed does not take them; write [](auto& session, std::span<const int> rows) { .. }
// expect(clang): "fit calls feed(session, rows), and"
// expect(clang): "this feed does not take them;"
// expect(clang): "write [](auto& session,"
// expect(clang): "std::span<const int> rows) { .. }"
#include <tenon/tenon.hpp>

using namespace tenon;

using model = graph<"model", input<"x", features<8>>, node<"logits", linear<4>, "x">, output<"logits">>;
using training = trainer<model, cross_entropy<"logits">, adam, batch<32>>;
void use(training& train) {
#ifdef MISTAKE
  fit(train, 100, [](std::span<const int>) {});
#else
  fit(train, 100, [](training&, std::span<const int>) {});
#endif
}
