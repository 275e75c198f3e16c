// stream_position: where a stream is in its sequence.
//
//   beginning --set--> prepared --took_step--> under way      set: also prepared -> prepared, under way -> under way
//       |                                          ^          took_step, permuted: also under way -> under way
//       +-----------------took_step----------------+          permuted: also prepared -> prepared
//                                                             reset: -> beginning
//
// At the beginning, the next step reads initial states, and there are no states to show, to permute or to copy. A
// prepared stream reads the states that were set, and initial ones for the others. Under way, it reads what the last
// step wrote.
#pragma once

namespace tenon::inline v0_1::engine {

// Loops, because std::fill_n and std::copy_n instantiate sixty templates in every program.
class stream_position {
 public:
  // The steps that rows have taken at each step of a run, in a stream that counts them.
  const int* earlier_steps = nullptr;  // [steps, batch]: steps taken by a row before; -1: it does not run
  const int* steps_so_far = nullptr;   // [steps, batch]: including this one; 0: the row does not run. At
                                       // [block]: including all of the run, if it may have several
  struct taken {
    int most = 0;            // of any row
    bool is_of_all = false;  // all rows took as many
  };
  const taken* so_far = nullptr;  // by step, as steps_so_far

  // Is the next step the first of a sequence?
  bool starts() const { return where_ != place::under_way; }
  // Every other time; says which of the two places of a state is read.
  bool is_odd() const { return is_odd_; }
  bool is_set(int operation, int state) const {
    return where_ == place::prepared && ((set_states_[operation] >> state) & 1u) != 0;
  }
  // Does the next step read this state, or any state, other than an initial one?
  bool carries(int operation, int state) const { return !starts() || is_set(operation, state); }
  bool carries() const { return where_ != place::beginning; }
  // The rows of the states, if they were set or moved since the last step; 0: as many as that had, or any number.
  int rows() const { return rows_; }
  bool knows_rows() const { return !starts() || rows_ > 0; }

  // `set_states`: memory for a set of states of each operation. Call it once, before the others.
  void keep_in(unsigned* set_states, int operations) {
    set_states_ = set_states;
    operations_ = operations;
  }
  void reset() {
    where_ = place::beginning;
    rows_ = 0;
  }
  void set(int operation, int state) {
    if (where_ == place::under_way) return;
    for (int o = 0; o < operations_ && where_ == place::beginning; ++o) set_states_[o] = 0;
    where_ = place::prepared;
    set_states_[operation] |= 1u << state;
  }
  void has_rows(int rows) { rows_ = rows; }
  void took_step() {
    where_ = place::under_way;
    is_odd_ = !is_odd_;
    rows_ = 0;
  }
  // The states were moved from the places that the next step would read to the other ones. An error at the beginning,
  // which the caller finds before: see carries().
  void permuted(int rows) {
    is_odd_ = !is_odd_;
    rows_ = rows;
  }
  // Now where another stream of the graph is; its states were copied to the places that the next step reads.
  void copied(const stream_position& from, int rows) {
    where_ = from.where_;
    for (int o = 0; o < operations_ && where_ == place::prepared; ++o) set_states_[o] = from.set_states_[o];
    rows_ = rows;
  }

 private:
  enum class place { beginning, prepared, under_way };
  place where_ = place::beginning;
  bool is_odd_ = false;
  int rows_ = 0;
  unsigned* set_states_ = nullptr;  // by operation: bit s, state s has been set; while prepared
  int operations_ = 0;
};

// This memory.
template <int Operations>
class set_states {
 public:
  explicit set_states(stream_position& of) { of.keep_in(by_operation_, Operations); }

 private:
  unsigned by_operation_[Operations + 1]{};
};

}  // namespace tenon::inline v0_1::engine
