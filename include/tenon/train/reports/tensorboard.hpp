// io::tensorboard: writes each epoch of fit for TensorBoard:
//   fit(trainer, data, {.after_epoch = io::tensorboard("runs/1")})
#pragma once

// Included first, because compilers print each file on the include path to where errors are reported.
#include "tenon/diagnostics/diagnose.hpp"

#include "tenon/io/event_file.hpp"
#include "tenon/parameters/parameters.hpp"
#include "tenon/train/reports/history.hpp"

#include <concepts>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace tenon::inline v0_1 {

namespace engine {
template <class Given>
struct unfit_histograms {
  static constexpr problem wrong = [] {
    using type = std::remove_cvref_t<Given>;
    if constexpr (!requires { typename type::graph_type; })
      return problem{
          .rule = sentence("'").append(type_name<type>().view()).append("' is not a block of parameters"),
          .fix = "write histograms(theta), or histograms(trainer.gradients(), \"gradients\")"};
    else if constexpr (!std::is_lvalue_reference_v<Given>)
      return problem{.rule = "histograms are taken after each epoch, of a block that ends with this line",
                     .fix = "give the block a name: parameters<graph> theta;"};
    else return problem{};
  }();
};
}  // namespace engine

namespace io {

// Writes loss/train, loss/validation if there is one, metric/<name>, learning_rate and seconds, at the number of the
// epoch. Copies write into the same file. Throws data_error if that cannot be written.
class tensorboard {
 public:
  // The names of the metrics, in fit's order; without names they are metric/1, metric/2, ...
  explicit tensorboard(const std::string& folder, std::vector<std::string> metric_names = {})
      : file_(std::make_shared<event_file>(folder)), metric_names_(std::move(metric_names)) {}

  // The same, with a histogram of each parameter of a block after each epoch, <group>/<name>. The block must outlive
  // the training: io::tensorboard("runs/1").histograms(theta).histograms(trainer.gradients(), "gradients").
  template <class Theta>
  [[nodiscard]] tensorboard histograms(Theta&& theta, const std::string& group = "parameters") const {
    tensorboard more = *this;
    if constexpr (engine::unfit_histograms<Theta>::wrong)
      tenon::detail::say<tenon::detail::error_in<engine::unfit_histograms<Theta>>>();
    else
      more.blocks_.push_back([&block = std::as_const(theta), group](event_file& file, long step) {
        block.for_each([&](std::string_view name, const auto& values) {
          file.histogram(detail::message_of({group, "/", name}), values, step);
        });
      });
    return more;
  }

  // Throws input_error if the number of metrics differs from that of the names; fit calls it before its first step.
  void check_metrics(std::size_t count) const;
  // Throws input_error as check_metrics does.
  void operator()(const reports::epoch& report) const;

  // The event file, to write more into it.
  event_file& file() const { return *file_; }

 private:
  std::shared_ptr<event_file> file_;
  std::vector<std::string> metric_names_;
  std::vector<std::function<void(event_file&, long)>> blocks_;
};

}  // namespace io

}  // namespace tenon::inline v0_1

#ifndef TENON_COMPILED
#  include "tenon/train/reports/tensorboard.ipp"
#endif
