// PyTorch's C++ library and its autograd, eager as from Python, without Python's overhead.
#include "language/torch_models.hpp"

namespace bench {
namespace {

// A translator, trained by Adam.
class torch_teaching final : public contender {
  const language_work& work;
  std::unique_ptr<parameters_by_name> p;
  std::unique_ptr<torch_bahdanau> bahdanau;
  std::unique_ptr<torch_transformer> transformer;
  std::unique_ptr<torch::optim::Adam> adam;
  float loss_ = 0;

  Tensor logits(const Tensor& source, const Tensor& there, const Tensor& word) const {
    return bahdanau ? bahdanau->forward(source, there, word) : transformer->forward(source, there, word);
  }

 public:
  explicit torch_teaching(const language_work& w) : work(w) {
    torch::set_num_threads(1);
    reset();
  }
  void reset() override {
    bahdanau.reset();
    transformer.reset();
    p = std::make_unique<parameters_by_name>(work);
    if (work.which == model::bahdanau) bahdanau = std::make_unique<torch_bahdanau>(*p, work.hidden());
    else transformer = std::make_unique<torch_transformer>(*p, work.features(), 48);
    {
      torch::NoGradGuard guard;  // the transformer finds its parameters in its first run
      const Tensor source = padded(work.source);
      logits(source, present(work.source, source.size(1)), padded(work.word));
    }
    adam = std::make_unique<torch::optim::Adam>(p->learned(), torch::optim::AdamOptions(work.rate));
  }
  void run() override {
    const Tensor source = padded(work.source), word = padded(work.word), target = padded(work.target, -1);
    adam->zero_grad();
    const Tensor y = logits(source, present(work.source, source.size(1)), word);
    const auto options = functional::CrossEntropyFuncOptions().ignore_index(-1).label_smoothing(
        transformer ? work.smoothing : 0);
    const Tensor loss = functional::cross_entropy(y.reshape({-1, y.size(2)}), target.reshape({-1}), options);
    loss.backward();
    torch::nn::utils::clip_grad_norm_(p->learned(), work.max_norm);
    adam->step();
    loss_ = loss.item<float>();
  }
  std::span<const float> output() const override { return {&loss_, 1}; }
};

// A language model: the library's LSTM, and one table both for the words it reads and for the scores.
class torch_words final : public contender {
  const language_work& work;
  std::unique_ptr<parameters_by_name> p;
  torch::nn::LSTM lstm{nullptr};
  Tensor table, bias, text, behind, h, c;  // text, and the next word after each: [steps, streams]
  std::unique_ptr<torch::optim::SGD> sgd;
  std::vector<Tensor> learned;
  long window = 0;
  float loss_ = 0;

 public:
  explicit torch_words(const language_work& w) : work(w) {
    torch::set_num_threads(1);
    const Tensor all = torch::tensor(std::vector<long>(w.text.begin(), w.text.end()));
    const long count = all.size(0) - 1;
    text = all.narrow(0, 0, count).view({w.streams, -1}).t();
    behind = all.narrow(0, 1, count).view({w.streams, -1}).t();
    reset();
  }
  void reset() override {
    p = std::make_unique<parameters_by_name>(work);
    const long size = work.hidden();
    lstm = torch::nn::LSTM(torch::nn::LSTMOptions(size, size).num_layers(2));
    {
      torch::NoGradGuard guard;
      for (auto& item : lstm->named_parameters()) item.value().copy_((*p)("states." + item.key()));
    }
    table = (*p)(p->has("embedded.weight") ? "embedded.weight" : "logits.weight");
    bias = (*p)("logits.bias");
    learned = lstm->parameters();
    learned.push_back(table);
    learned.push_back(bias);
    sgd = std::make_unique<torch::optim::SGD>(learned, torch::optim::SGDOptions(work.rate_of_words));
    window = 0;
  }
  void run() override {
    if (window == 0) {
      h = torch::zeros({2, work.streams, work.hidden()});
      c = torch::zeros_like(h);
    }
    const Tensor x = text.narrow(0, window * work.steps, work.steps),
                 next = behind.narrow(0, window * work.steps, work.steps);
    sgd->zero_grad();
    const auto [states, last] = lstm(functional::embedding(x, table), std::make_tuple(h, c));
    const Tensor y = functional::linear(states, table, bias);
    const Tensor loss = functional::cross_entropy(y.view({-1, y.size(2)}), next.reshape({-1}));
    loss.backward();
    torch::nn::utils::clip_grad_norm_(learned, work.max_norm_of_words);
    sgd->step();
    h = std::get<0>(last).detach();
    c = std::get<1>(last).detach();
    loss_ = loss.item<float>();
    window = (window + 1) % 3;
  }
  std::span<const float> output() const override { return {&loss_, 1}; }
};

// Beam search, one sentence after the other: the hypotheses are the rows of a batch.
class torch_searching final : public contender {
  const language_work& work;
  parameters_by_name p{work};
  torch_bahdanau net{p, work.hidden()};
  std::vector<float> answer;

  double search(const std::vector<int>& sentence) const {
    const Tensor source = padded({sentence});
    const auto from = net.encode(source, present({sentence}, source.size(1)));
    Tensor s = from.first.expand({work.width, -1}), words = torch::full({work.width, 1}, long(work.start));
    Tensor so_far = torch::full({work.width}, -INFINITY);
    so_far[0] = 0;
    std::vector<std::pair<double, Tensor>> done;  // with their mean log probability
    for (int t = 0; t < work.length() && int(done.size()) < work.width; ++t) {
      const auto [scores, next] = net.step(from, words.select(1, t), s);
      const Tensor all = so_far.unsqueeze(1) + torch::log_softmax(scores, 1);
      const auto [best, at] = all.view({-1}).topk(work.width);
      const Tensor row = at.div(scores.size(1), "floor"), token = at.remainder(scores.size(1));
      words = torch::cat({words.index_select(0, row), token.unsqueeze(1)}, 1);
      s = next.index_select(0, row);
      so_far = best;
      for (long k = 0; k < work.width; ++k)
        if (token[k].item<long>() == work.end || t + 1 == work.length()) {
          done.emplace_back(so_far[k].item<double>() / (t + 1), words[k]);
          so_far[k] = -INFINITY;
        }
    }
    const auto best = std::max_element(done.begin(), done.end(),
                                       [](const auto& a, const auto& b) { return a.first < b.first; });
    return best->first * double(best->second.size(0) - 1);
  }

 public:
  explicit torch_searching(const language_work& w) : work(w) { torch::set_num_threads(1); }
  void run() override {
    torch::InferenceMode guard;
    answer.clear();
    for (const auto& sentence : work.source) answer.push_back(float(search(sentence)));
  }
  std::span<const float> output() const override { return answer; }
};

const bool entered =
    language_contest::enter("PyTorch", 3, [](const language_work& w) -> std::unique_ptr<contender> {
      if (w.searches) return std::make_unique<torch_searching>(w);
      if (w.which == model::words) return std::make_unique<torch_words>(w);
      return std::make_unique<torch_teaching>(w);
    });

}  // namespace
}  // namespace bench
