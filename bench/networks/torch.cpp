// PyTorch's C++ library: its own modules, Adam and autograd, with Tenon's initial parameters loaded by name.
#include "networks/tenon.hpp"

#include <c10/core/CPUAllocator.h>
#include <torch/torch.h>

namespace bench {
namespace {

namespace nn = torch::nn;

// Replaces PyTorch's allocator for a while and counts the bytes it allocates.
class counting_allocator final : public c10::Allocator {
  static constexpr std::size_t header = 64;
  static void release(void* data) {
    void* const block = static_cast<char*>(data) - header;
    now -= *static_cast<double*>(block);
    ::operator delete (block, std::align_val_t{header});
  }

 public:
  static inline double now = 0, peak = 0;

  c10::DataPtr allocate(std::size_t bytes) override {
    void* const block = ::operator new (header + bytes, std::align_val_t{header});
    now += *static_cast<double*>(block) = static_cast<double>(bytes);
    peak = std::max(peak, now);
    void* const data = static_cast<char*>(block) + header;
    return {data, data, &release, c10::Device(c10::DeviceType::CPU)};
  }
  c10::DeleterFnPtr raw_deleter() const override { return &release; }
  void copy_data(void* to, const void* from, std::size_t bytes) const override {
    default_copy_data(to, from, bytes);
  }
};

struct torch_network : nn::Module {
  network which;
  nn::Embedding embedded{nullptr}, query_table{nullptr};
  nn::LSTM lstm{nullptr};
  nn::GRU gru{nullptr};
  nn::Linear query{nullptr}, logits{nullptr};

  explicit torch_network(const network_work& w) : which(w.which) {
    switch (which) {
      case network::index_lookup:
        embedded = register_module("embedded", nn::Embedding(10, 128));
        lstm = register_module(
            "states", nn::LSTM(nn::LSTMOptions(128, 32).num_layers(2).bidirectional(true).batch_first(true)));
        query_table = register_module("query_0", nn::Embedding(10, 128));
        query = register_module("query_1", nn::Linear(128, 64));
        logits = register_module("logits", nn::Linear(64, 10));
        break;
      case network::surnames:
        embedded = register_module("embedded", nn::Embedding(256, 64));
        gru = register_module("states", nn::GRU(nn::GRUOptions(64, 100).batch_first(true)));
        logits = register_module("logits", nn::Linear(100, 18));
        break;
      case network::characters:
        embedded = register_module("embedded", nn::Embedding(256, 32));
        gru = register_module("states", nn::GRU(nn::GRUOptions(32, 64).batch_first(true)));
        logits = register_module("logits", nn::Linear(64, 256));
        break;
      case network::stack:
        lstm = register_module("states",
                               nn::LSTM(nn::LSTMOptions(w.hidden, w.hidden).num_layers(2).batch_first(true)));
        logits = register_module("logits", nn::Linear(w.hidden, 10));
    }
  }
  torch::Tensor forward(const torch::Tensor& given, const torch::Tensor& index) {
    const torch::Tensor x = embedded ? embedded(given) : given;
    const torch::Tensor states = lstm ? std::get<0>(lstm(x)) : std::get<0>(gru(x));  // [batch, time, hidden]
    if (which == network::characters) return logits(states);
    if (which != network::index_lookup) return logits(states.select(1, states.size(1) - 1));
    const torch::Tensor q = query(query_table(index));  // [batch, 64]
    const torch::Tensor weights = torch::softmax(torch::bmm(states, q.unsqueeze(2)), 1);
    return logits(torch::bmm(weights.transpose(1, 2), states).squeeze(1));
  }
};

class torch_contender final : public contender {
  const network_work& work;
  std::shared_ptr<torch_network> net;
  std::unique_ptr<torch::optim::Adam> adam;
  torch::Tensor given, index, target;
  std::vector<float> answer;

  template <class G>
  void load_from() {
    const tenon::parameters<G> theta(first_parameters);
    torch::NoGradGuard guard;
    auto named = net->named_parameters();
    theta.for_each([&](std::string_view path, const auto& values) {
      std::string name(path);
      for (const char* part : {"query.0", "query.1"})
        if (name.starts_with(part)) name[5] = '_';
      named[name].copy_(torch::from_blob(const_cast<float*>(values.data()), named[name].sizes()));
    });
  }
  void load() {
    switch (work.which) {
      case network::index_lookup:
        return load_from<index_lookup_graph>();
      case network::surnames:
        return load_from<surnames_graph>();
      case network::characters:
        return load_from<characters_graph>();
      default:
        with_size<128, 256, 512, 1024>(work.hidden, [&]<int H>() { load_from<stack_graph<H>>(); });
    }
  }
  static torch::Tensor whole_numbers(const std::vector<int>& v) {
    return torch::from_blob(const_cast<int*>(v.data()), {static_cast<long>(v.size())}, torch::kInt32)
        .to(torch::kLong);
  }

 public:
  explicit torch_contender(const network_work& w) : work(w) {
    torch::set_num_threads(1);
    if (w.which == network::stack)
      given = torch::from_blob(const_cast<float*>(w.x.data()), {w.batch, w.steps(), w.hidden}).clone();
    else given = whole_numbers(w.tokens).view({w.batch, w.steps()});
    index = whole_numbers(w.index);
    target = whole_numbers(w.target);
    reset();
  }
  void reset() override {
    net = std::make_shared<torch_network>(work);
    load();
    adam = std::make_unique<torch::optim::Adam>(net->parameters(), torch::optim::AdamOptions(1e-4));
  }
  // The peak of the second and third step, when Adam's states exist. The inputs are not counted.
  double peak_bytes() override {
    static counting_allocator counting;
    c10::Allocator* const usual = c10::GetCPUAllocator();
    net.reset();
    adam.reset();
    counting.now = 0;
    c10::SetCPUAllocator(&counting);
    reset();
    run();
    counting.peak = counting.now;
    run();
    run();
    c10::SetCPUAllocator(usual);
    reset();
    return counting.peak;
  }
  void run() override {
    if (!work.trains) {
      torch::InferenceMode guard;
      const torch::Tensor y = net->forward(given, index).contiguous();
      answer.assign(y.data_ptr<float>(), y.data_ptr<float>() + y.numel());
      return;
    }
    adam->zero_grad();
    torch::Tensor y = net->forward(given, index);
    if (y.dim() == 3) y = y.reshape({-1, y.size(2)});
    const torch::Tensor loss = nn::functional::cross_entropy(y, target);
    loss.backward();
    adam->step();
    answer.assign(1, loss.item<float>());
  }
  std::span<const float> output() const override { return answer; }
};

const bool entered = network_contest::enter(
    "PyTorch", 3,
    [](const network_work& w) -> std::unique_ptr<contender> { return std::make_unique<torch_contender>(w); });

}  // namespace
}  // namespace bench
