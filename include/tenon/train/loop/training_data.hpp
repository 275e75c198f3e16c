// The data that a training accepts: rows that are set by their numbers (data_set, or your own type), windows that
// follow each other (contiguous), or either of them drawn anew in each epoch (each_epoch). any_data holds the data of a validation, of any type.
#pragma once

#include "tenon/diagnostics/diagnose.hpp"

#include "tenon/engine/rows/row_data.hpp"
#include "tenon/engine/session/by_name.hpp"
#include "tenon/meta/erased.hpp"

#include <concepts>
#include <cstddef>
#include <utility>

namespace tenon::inline v0_1::engine {

// Windows that follow each other, with a state carried from one to the next: contiguous.
template <class Data, class Session>
concept WindowsFor = requires(const Data& data, Session& session) {
  { data.windows(session) } -> std::convertible_to<int>;
  data.set_window(session, 0);
  data.start(session);
  data.carry(session);
};
// Windows whose training may stop between two of them and continue later: the carried state can be saved as numbers.
template <class Data, class Session>
concept PausableFor = WindowsFor<Data, Session> && requires(const Data& data, Session& session) {
  data.start_from(session, data.carried(session));
  { Data::template carried_count<Session>() } -> std::convertible_to<std::size_t>;
};
template <class Data, class Session>
concept DataFor = RowsFor<Data, Session> || WindowsFor<Data, Session>;
// Data that are drawn anew in each epoch: of_epoch(k) are those of epoch k, from 1 on, and the same whenever it is asked.
template <class Data, class Session>
concept EpochsFor = requires(const Data& data) {
  { data.of_epoch(1) } -> DataFor<Session>;
};

inline void check_rows(long rows) {
  if (rows <= 0) throw input_error("the data set to evaluate, or to validate with, is empty");
}
// Calls f(rows) with the inputs of each batch set, in their order.
template <class Data, class Session, class F>
void for_each_in_order(const Data& data, Session& session, F f) {
  if constexpr (WindowsFor<Data, Session>) {
    const int windows = data.windows(session);
    check_rows(windows);
    data.start(session);
    for (int k = 0; k < windows; ++k) {
      data.set_window(session, k);
      f();
      data.carry(session);
    }
  } else {
    check_rows(data.size());
    for_each_batch_of(data, session, f);
  }
}

template <class Data, class Session>
struct unfit_data {
  static constexpr problem wrong = [] {
    if constexpr (DataFor<Data, Session>) return unfit_part<Data, Session>::wrong;
    else
      return problem{
          .rule = sentence("'").append(type_name<Data>().view()).append("' is not a data set"),
          .fix =
              "write data_set(column<\"x\">(..), column<\"target\">(..)), or a type with size() and "
              "set_inputs(session, rows)"};
  }();
};
// The same for a training, whose data may be drawn anew in each epoch.
template <class Data, class Session>
struct unfit_training_data : unfit_data<Data, Session> {};
template <class Data, class Session>
requires requires(const Data& data) { data.of_epoch(1); }
struct unfit_training_data<Data, Session>
    : unfit_data<decltype(std::declval<const Data&>().of_epoch(1)), Session> {};

// Nothing but the windows sets the inputs of an evaluation.
template <class Data, class Evaluation>
void check_windows_of(const Data& data, Evaluation& session) {
  check_rows(data.windows(session));
  data.start(session);
  data.set_window(session, 0);
  try {
    access::complete_inputs(session);
  } catch (const input_error& error) {
    tenon::detail::throw_input_error(
        {"the data to evaluate, or to validate with: ", error.what(),
         "; they do not have the trainer's inputs, so set them in their start(session)"});
  }
}
// The data of a validation, of any type.
template <class Evaluation>
class any_data {
 public:
  any_data() = default;
  template <class Data>
  requires(!std::same_as<Data, any_data>) any_data(Data data) {
    using unfit = unfit_data<Data, Evaluation>;
    if constexpr (unfit::wrong) tenon::detail::say<tenon::detail::error_in<unfit>>();
    else {
      if constexpr (RowsFor<Data, Evaluation>) check_rows(data.size());
      check_all<Evaluation>(data);
      data_ = shared_value(std::move(data));
      run_ = [](const shared_value& held, Evaluation& session, function_ref<void()> f) {
        for_each_in_order(std::as_const(held.as<Data>()), session, f);
      };
      if constexpr (WindowsFor<Data, Evaluation>)
        check_ = [](const shared_value& held, Evaluation& session) {
          check_windows_of(std::as_const(held.as<Data>()), session);
        };
    }
  }
  explicit operator bool() const { return static_cast<bool>(data_); }
  void for_each_batch(Evaluation& session, function_ref<void()> f) const { run_(data_, session, f); }
  // Throws input_error if there are no windows, which only a session can tell, or if they leave out an input. Rows are
  // checked earlier.
  void check_windows(Evaluation& session) const {
    if (check_ != nullptr) check_(data_, session);
  }

 private:
  shared_value data_;
  void (*run_)(const shared_value&, Evaluation&, function_ref<void()>) = nullptr;
  void (*check_)(const shared_value&, Evaluation&) = nullptr;
};

}  // namespace tenon::inline v0_1::engine
