// batch_source: where the batches of a training come from, one epoch after another. A source sets the inputs of a session to one batch
// after the other, says how far it is, and starts an epoch anew from there. Rows of a data set, in a shuffled order, and windows that
// follow each other are sources, and so is either of them drawn anew in each epoch; another one is a struct here and a line in source_of.
#pragma once

#include "tenon/distribute/gather_all.hpp"
#include "tenon/engine/rows/batches.hpp"
#include "tenon/train/loop/training_data.hpp"
#include "tenon/train/trainer/world_of.hpp"

#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <optional>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

namespace tenon::inline v0_1::engine {

// Where a source stands within an epoch.
struct source_position {
  long batch = 0;                 // this many batches have been taken
  std::vector<double> carried{};  // the state that the next one begins with, if the source carries one
};

// size: the rows of the epoch that was begun last, by which its loss is divided; before the first one, those of epoch 1. next sets the inputs
// of the next batch and returns how many of them it has; passed is called after the step. can_pause: whether an epoch may end at a position
// and be continued there by begin.
template <class Source, class Session>
concept BatchSource = requires(Source& source, Session& session, const source_position& at) {
  { source.size(session) } -> std::convertible_to<long>;
  source.begin(session, /* epoch */ 1, at);
  { source.batches() } -> std::convertible_to<long>;
  { source.rows_before() } -> std::convertible_to<long>;
  { source.next(session) } -> std::convertible_to<long>;
  source.passed(session);
  { source.position(session) } -> std::same_as<source_position>;
  { Source::can_pause } -> std::convertible_to<bool>;
  { Source::carried_count } -> std::convertible_to<std::size_t>;
};

template <class Data, class Session>
class row_source {
 public:
  static constexpr bool can_pause = true;
  static constexpr std::size_t carried_count = 0;

  row_source(const Data& data, const tenon::detail::batching& how, seed shuffle)
      : data_(data), how_(how), shuffle_(shuffle) {}
  long size(const Session&) const { return data_.size(); }
  void begin(Session&, int epoch, const source_position& at) {
    batches_ = batches_of_epoch(static_cast<int>(data_.size()), Session::plan::batch, how_, shuffle_, epoch,
                                [&]([[maybe_unused]] int row) {
                                  if constexpr (requires { data_.length(row); }) return data_.length(row);
                                  else return 0;
                                });
    next_ = at.batch;
  }
  long batches() const { return std::ssize(batches_); }
  long rows_before() const {
    long rows = 0;
    for (long k = 0; k < next_ && k < batches(); ++k) rows += std::ssize(batch(k));
    return rows;
  }
  long next(Session& session) {
    const std::vector<int>& rows = batch(next_++);
    const std::span<const int> all(rows);
    if constexpr (OfRanks<Session>) {  // each rank reads its own rows
      auto& own = session.session();
      const int count = static_cast<int>(std::ssize(rows));
      if (own.group().ranks() > 1) {
        const auto first = static_cast<std::size_t>(own.first_row(count)),
                   end = static_cast<std::size_t>(own.end_row(count));
        if (first < end) data_.set_inputs(session, all.subspan(first, end - first));
        own.inputs_are_own(count);
        return count;
      }
    }
    data_.set_inputs(session, all);
    return std::ssize(rows);
  }
  void passed(Session&) {}
  source_position position(const Session&) const { return {next_, {}}; }

 private:
  const std::vector<int>& batch(long k) const { return batches_[static_cast<std::size_t>(k)]; }

  const Data& data_;
  tenon::detail::batching how_;
  seed shuffle_;
  std::vector<std::vector<int>> batches_{};
  long next_ = 0;
};

template <class Data, class Session>
class window_source {
 public:
  static constexpr bool can_pause = PausableFor<Data, Session>;
  static constexpr std::size_t carried_count = [] {
    if constexpr (can_pause) return std::size_t(Data::template carried_count<Session>());
    else return std::size_t(0);
  }();

  // Throws input_error if rows are to be sorted by length.
  window_source(const Data& data, const tenon::detail::batching& how, seed) : data_(data) {
    if (how.sorted_together > 1)
      throw input_error("fit: .batches sorts rows, and windows keep their order; leave it out");
  }
  long size(const Session& session) const { return data_.windows(session); }
  void begin(Session& session, int, const source_position& at) {
    windows_ = size(session);
    next_ = at.batch;
    data_.start(session);
    if constexpr (can_pause)
      if (next_ > 0) data_.start_from(session, at.carried);
  }
  long batches() const { return windows_; }
  long rows_before() const { return next_; }
  long next(Session& session) {
    data_.set_window(session, static_cast<int>(next_++));
    return 1;
  }
  void passed(Session& session) { data_.carry(session); }
  source_position position(const Session& session) const {
    if constexpr (can_pause) return {next_, of_all_ranks(session, data_.carried(session))};
    else return {next_, {}};
  }

 private:
  // With several ranks, each has the states of the rows that it runs, and zeros for the others.
  static std::vector<double> of_all_ranks([[maybe_unused]] const Session& session, std::vector<double> mine) {
    if constexpr (OfRanks<Session>) {
      const std::vector<double> all = distribute::gather_all(world_of(session), mine);
      for (std::size_t k = 0; k < all.size(); ++k)
        if (std::bit_cast<std::uint64_t>(all[k]) != 0) mine[k % mine.size()] = all[k];
    }
    return mine;
  }

  const Data& data_;
  long windows_ = 0, next_ = 0;
};

// The data of an epoch, which are another value in each: of_epoch. They live as long as their epoch.
template <class Data, class Session>
class epoch_source {
  using drawn_type = decltype(std::declval<const Data&>().of_epoch(1));
  using source_type = std::conditional_t<WindowsFor<drawn_type, Session>, window_source<drawn_type, Session>,
                                         row_source<drawn_type, Session>>;
  struct drawn_data {
    drawn_data(const Data& data, const tenon::detail::batching& how, seed shuffle, int epoch)
        : drawn(data.of_epoch(epoch)), source(drawn, how, shuffle) {
      check_all<Session>(drawn);
    }
    drawn_data(const drawn_data&) = delete;
    drawn_data& operator=(const drawn_data&) = delete;

    drawn_type drawn;
    source_type source;
  };

 public:
  static constexpr bool can_pause = source_type::can_pause;
  static constexpr std::size_t carried_count = source_type::carried_count;

  epoch_source(const Data& data, const tenon::detail::batching& how, seed shuffle)
      : data_(data), how_(how), shuffle_(shuffle) {
    draw(1);
  }
  long size(const Session& session) const { return now_->source.size(session); }
  void begin(Session& session, int epoch, const source_position& at) {
    draw(epoch);
    now_->source.begin(session, epoch, at);
  }
  long batches() const { return now_->source.batches(); }
  long rows_before() const { return now_->source.rows_before(); }
  long next(Session& session) { return now_->source.next(session); }
  void passed(Session& session) { now_->source.passed(session); }
  source_position position(const Session& session) const { return now_->source.position(session); }

 private:
  void draw(int epoch) {
    if (epoch != drawn_) now_.emplace(data_, how_, shuffle_, epoch);
    drawn_ = epoch;
  }

  const Data& data_;
  tenon::detail::batching how_;
  seed shuffle_;
  std::optional<drawn_data> now_{};
  int drawn_ = 0;  // the epoch
};

// The batches of these data for a session of this type: how and shuffle are fit's options.
template <class Session, class Data>
BatchSource<Session> auto source_of(const Data& data, const tenon::detail::batching& how, seed shuffle) {
  if constexpr (EpochsFor<Data, Session>) return epoch_source<Data, Session>(data, how, shuffle);
  else if constexpr (WindowsFor<Data, Session>) return window_source<Data, Session>(data, how, shuffle);
  else return row_source<Data, Session>(data, how, shuffle);
}

}  // namespace tenon::inline v0_1::engine
