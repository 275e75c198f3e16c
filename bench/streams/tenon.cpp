#include "streams/work.hpp"

#include <algorithm>

namespace bench {
namespace {

template <class Session>
class tenon_stream : public contender {
 public:
  explicit tenon_stream(const streams_work& w) : work_(w), live_(w.theta), heard_(w.samples.size()) {}
  std::span<const float> output() const override { return heard_; }
  std::shared_ptr<void> around_all_runs() override {
    return std::make_shared<tenon::backend::flush_to_zero>();
  }

 protected:
  const streams_work& work_;
  Session live_;
  std::vector<float> heard_;
};

template <int Block>
struct in_blocks : tenon_stream<tenon::streaming<amplifier_model, tenon::block<Block>>> {
  using in_blocks::tenon_stream::tenon_stream;
  void run() override {
    this->live_.reset();
    const std::span<const float> all(this->work_.samples);
    for (std::size_t t = 0; t < all.size(); t += Block) {
      const auto y = this->live_.run(all.subspan(t, std::min<std::size_t>(Block, all.size() - t)));
      std::copy(y.begin(), y.end(), this->heard_.begin() + static_cast<std::ptrdiff_t>(t));
    }
  }
};
struct in_steps : tenon_stream<tenon::streaming<amplifier_model>> {
  using in_steps::tenon_stream::tenon_stream;
  void run() override {
    live_.reset();
    const std::span<const float> all(work_.samples);
    for (std::size_t t = 0; t < all.size(); ++t) heard_[t] = live_.step(all.subspan(t, 1))(0, 0);
  }
};
struct at_once : tenon_stream<tenon::inference<amplifier_model, tenon::steps<streams_work::samples_in_all>>> {
  using at_once::tenon_stream::tenon_stream;
  void run() override {
    const auto y =
        live_(tenon::view<const float>(work_.samples.data(), {1, streams_work::samples_in_all, 1}));
    std::copy(y.begin(), y.end(), heard_.begin());
  }
};

std::unique_ptr<contender> make_blocks(const streams_work& w) {
  std::unique_ptr<contender> made;
  with_block(w.block, [&]<int Block>() { made = std::make_unique<in_blocks<Block>>(w); });
  return made;
}
const bool entered =
    streams_contest::enter("Tenon, in blocks", 0, make_blocks) &&
    streams_contest::enter(
        "Tenon, step by step", 1,
        [](const streams_work& w) -> std::unique_ptr<contender> { return std::make_unique<in_steps>(w); }) &&
    streams_contest::enter(
        "Tenon, the whole sequence", 2,
        [](const streams_work& w) -> std::unique_ptr<contender> { return std::make_unique<at_once>(w); });

}  // namespace
}  // namespace bench
