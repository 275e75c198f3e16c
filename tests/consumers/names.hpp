// Names that programs with a network are likely to use.
#pragma once

// clang-format off: it knows no lists

// Neither tenon's nor std's: they always mean the user's.
#define TENON_TEST_OWN_NAMES(X) \
  X(B) X(D) X(H) X(K) X(N) X(T) X(c) X(d) X(e) X(f) X(g) X(h) X(i) X(k) X(l) X(m) X(n) \
  X(o) X(p) X(r) X(s) X(t) X(u) X(v) X(w) X(x) X(y) X(z) X(accuracy) X(activations) \
  X(adjoint) X(alpha) X(answers) X(batch_size) X(beam) X(bias) X(buffer) X(cell) X(channels) X(choice) \
  X(classes) X(code) X(columns) X(concat) X(config) X(context) X(dataset) X(decoder) X(depth) \
  X(digits) X(dim) X(edge) X(embedding_size) X(encoder) X(entry) X(epoch) X(epochs) X(epsilon) X(examples) \
  X(executor) X(extents) X(factor) X(fan) X(feature) X(gate) X(gates) X(generation) X(gradient) X(gradients) X(heads) X(height) \
  X(held_out) X(hidden_size) X(history) X(inputs) X(instruction) X(join) X(kernel) X(label) X(labels) \
  X(lanes) X(latent) X(layer) X(learning_rate) X(length) X(lengths) X(letters) X(line) X(logits) X(loss) \
  X(lr) X(masked) X(memory) X(model) X(momentum) X(name) X(names) X(net) X(network) X(number) X(op) \
  X(operation) X(options) X(outputs) X(pack) X(parameter) X(part) X(path) X(pattern) X(phase) X(piece) \
  X(place) X(places) X(plan) X(position) X(positions) X(prediction) X(probability) X(problem) X(program) \
  X(query) X(renaming) X(report) X(result) X(results) X(rng) X(row) X(rows) X(run) X(samples) X(schedule) X(scores) \
  X(sentence) X(sentences) X(sequence) X(session) X(shape) X(slice) X(source) X(sources) X(space) X(stage) \
  X(state) X(states) X(step) X(symbol) X(table) X(target) X(targets) X(team) X(temperature) X(tensor) \
  X(text) X(theta) X(tokens) X(trace) X(train) X(training) X(trial) X(units) X(validation) X(value) \
  X(values) X(vocab) X(vocab_size) X(weight) X(weights) X(width) X(window) X(word) X(words) X(work) \
  X(writer) X(confusion) X(cosine) X(dtype) X(exponential) X(hypothesis) X(key) X(progress) \
  X(tensorboard) X(word_vectors) X(adam) X(adamw) X(huber) X(ignored) X(mse) X(nll) X(rmsprop) X(sgd) X(Cell) X(Graph) X(Layer) X(Node) X(Score)

// Also letters of equations: the user's, beside `using namespace tenon` and `using namespace tenon::equations`. In a cell, which derives
// from equations::symbols, they are the cell's.
#define TENON_TEST_LETTERS(X) \
  X(U) X(V) X(W) X(b) X(b_U) X(b_W) X(matrix)

// Also std's: in the global namespace, beside `using namespace std`, the user writes ::list.
#define TENON_TEST_NAMES_OF_STD(X) \
  X(array) X(beta) X(data) X(decay) X(hash) X(list) X(map) X(norm) X(rank) X(ratio) X(reverse) X(set) X(size) X(string) X(tie) X(vector)

// Also tenon's: in the global namespace, beside `using namespace tenon`, the user writes ::batch.
#define TENON_TEST_NAMES_OF_TENON(X) \
  X(backend) X(batch) X(carry) X(checkpoint) X(decoding) X(detail) X(engine) X(equations) \
  X(features) X(graph) X(grid) X(init) X(input) X(io) X(ir) X(layers) X(layout) X(losses) X(metric) \
  X(nn) X(node) X(optimizer) X(optimizers) X(output) X(parameters) X(reports) X(schedules) \
  X(seed) X(shards) X(steps) X(summary) X(threads) X(token) X(view) X(vocabulary) X(zeros)

// Also tenon::nn's: the user's, beside `using namespace tenon`; the library's, too, where a program opens tenon::nn.
#define TENON_TEST_NAMES_OF_NN(X) \
  X(activation) X(add) X(attention) X(cells) X(chain) X(dropout) X(embedding) X(flatten) X(frozen) X(hidden) X(initialized) \
  X(linear) X(padding) X(recurrent) X(residual) X(score) X(sparse) X(stride)

// Functions of tenon: a user's function of the same name is another overload.
#define TENON_TEST_FUNCTIONS_OF_TENON(X) \
  X(argmax) X(check) X(column) X(contiguous) X(evaluate) X(fit) X(generate) \
  X(get) X(greedy) X(initialize) X(load) X(next) X(predict) X(renormalize) X(sample) X(save) X(shuffled) \
  X(softmax) X(split) X(top_k)
