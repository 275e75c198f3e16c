// shown_memory: the memory in which the program reads and writes a session's inputs, outputs and adjoints. If the
// backend has memory of its own, it is a second copy of the workspace, of which only these parts are used, and it
// decides when they are copied. Otherwise it is the workspace itself.
#pragma once

#include "tenon/backend/memory.hpp"
#include "tenon/engine/inputs/input_buffers.hpp"

#include <cstdint>
#include <cstring>

namespace tenon::inline v0_1::engine {

template <class Plan>
class shown_memory {
 public:
  using T = typename Plan::scalar;

  // `workspace`: the memory of the runs.
  shown_memory(T* workspace, input_buffers<Plan>&) : workspace_(workspace) {}
  // Sets where the runs find what is not in the workspace.
  void connect(run_context<T>& to, input_buffers<Plan>& inputs) const {
    axis_lengths<Plan>& lengths = inputs.lengths();
    to.inputs.tokens = inputs.tokens();
    to.inputs.lengths = lengths.of_axes();
    to.inputs.seen_lengths = lengths.seen();
    if constexpr (Plan::has_counted_steps) {
      to.stream.earlier_steps = lengths.earlier_steps();
      to.stream.steps_so_far = lengths.steps_so_far();
    }
  }
  // In which the program finds values and adjoints.
  T* memory() const { return workspace_; }

  // Copies the inputs to the backend before a run.
  void send_inputs(const input_buffers<Plan>&, const run_inputs&) {}
  // Copies input E here before it is read or changed: it may have been given on the device.
  template <int E>
  void bring(const input_buffers<Plan>&) const {}
  // Call it before a run that sends nothing.
  void join() {}
  // Call it after a run: values fetched before are outdated.
  void ran() {}
  // Copies the value or adjoint of edge E here before it is read, or back after it was written.
  template <int E>
  void fetch_value() const {}
  template <int E>
  void fetch_adjoint() const {}
  template <int E>
  void send_adjoint() {}
  template <int E>
  void clear_adjoint() {}
  // (first, count): copies these elements of the workspace here before they are read, or back after they were written.
  void fetch(long, long) const {}
  void send(long, long) {}
  // Copies the numbers of a run before it and after it.
  void send_numbers(const run_inputs&) {}
  void fetch_numbers(run_losses&) const {}

 private:
  T* workspace_;
};

template <class Plan>
requires backend::HasOwnMemory<typename Plan::backend>
class shown_memory<Plan> {
 public:
  using T = typename Plan::scalar;
  using backend_tag = typename Plan::backend;
  static constexpr const auto& net = Plan::net;

  shown_memory(T* workspace, input_buffers<Plan>& inputs)
      : workspace_(workspace),
        numbers_(static_cast<std::size_t>(executor<Plan>::memory_elements()), use),
        whole_numbers_(inputs.token_block().size() + inputs.lengths().block().size() + Plan::batch, use),
        run_numbers_(has_losses ? 1 : 0, use),
        losses_(has_losses ? net.operations.size : 0, use) {
    for (int e = 0; e < net.edges.size; ++e)
      if (inputs.tokens()[e] != nullptr)
        inputs.on_device.tokens[e] =
            whole_numbers_.data() + (inputs.tokens()[e] - inputs.token_block().data());
    int* const lengths = whole_numbers_.data() + inputs.token_block().size();
    for (int a = 0; a < net.axes.size; ++a) lengths_[a] = lengths + std::ptrdiff_t(a) * Plan::batch;
    inputs.on_device.workspace = workspace;
    inputs.on_device.stream = &stream_;
    inputs.on_device.lengths = lengths + inputs.lengths().block().size();
    stream_.use();
  }
  shown_memory(const shown_memory&) = delete;
  shown_memory& operator=(const shown_memory&) = delete;

  void connect(run_context<T>& to, input_buffers<Plan>& inputs) {
    int* const lengths = whole_numbers_.data() + inputs.token_block().size();
    to.losses.numbers = run_numbers_.data();
    to.losses.of_operations = losses_.data();
    to.inputs.tokens = inputs.on_device.tokens;
    to.inputs.lengths = lengths_;
    to.inputs.seen_lengths = lengths + std::ptrdiff_t(net.axes.size) * Plan::batch;
    if constexpr (Plan::has_counted_steps) {
      to.stream.earlier_steps = to.inputs.seen_lengths + Plan::batch;
      to.stream.steps_so_far = to.stream.earlier_steps + std::ptrdiff_t(Plan::block) * Plan::batch;
    }
  }
  T* memory() const { return numbers_.data(); }

  void send_inputs(const input_buffers<Plan>& inputs, const run_inputs& of_run) {
    send_numbers(of_run);
    stream_.join();
    const engine::memory<int>&tokens = inputs.token_block(), &lengths = inputs.lengths().block();
    int* const to = whole_numbers_.data();
    const bool one_by_one = inputs.on_device.any_tokens();
    if (tokens.size() > 0 && !one_by_one)
      copy_in(backend_tag{}, tokens.data(), to, tokens.size() * sizeof(int));
    repeat<net.inputs.size>([&](auto i) {
      constexpr int e = net.inputs[i];
      if (inputs.on_device.is_there[e]) return;
      if constexpr (!net.edges[e].is_token()) move<e, memory_of<Plan>.value[e]>(true);
      else if (one_by_one)
        copy_in(backend_tag{}, inputs.tokens()[e], inputs.on_device.tokens[e], token_bytes(e));
    });
    if (lengths.size() > 0)
      copy_in(backend_tag{}, lengths.data(), to + tokens.size(), lengths.size() * sizeof(int));
  }
  template <int E>
  void bring(const input_buffers<Plan>& inputs) const {
    if (!inputs.on_device.is_there[E]) return;
    inputs.on_device.template given_by_program<E>();
    stream_.join();
    if constexpr (net.edges[E].is_token())
      copy_out(backend_tag{}, inputs.on_device.tokens[E], inputs.tokens()[E], token_bytes(E));
    else move<E, memory_of<Plan>.value[E]>(false);
  }
  // Sends seed and step of dropout, and zeros to which the losses are added.
  void send_numbers(const run_inputs& of_run) {
    if constexpr (has_losses) {
      stream_.join();
      const backend::run_numbers begun{of_run.seed, of_run.step};
      copy_in(backend_tag{}, &begun, run_numbers_.data(), sizeof begun);
    }
  }
  // Call it between a forward and a backward pass. If the backend copies early, fetch_numbers() then does not wait for
  // the backward pass.
  void begin_fetch() {
    if constexpr (backend::CopiesEarly<backend_tag>) {
      early_numbers_.queue(run_numbers_.data());
      is_early_ = true;
    }
  }
  // Copies the loss and its positions; waits for the run.
  backend::run_numbers fetch_numbers(run_losses& to) const {
    if constexpr (has_losses)
      if (is_old(numbers_seen_)) {
        if constexpr (backend::CopiesEarly<backend_tag>)
          if (is_early_) {
            std::memcpy(&last_numbers_, early_numbers_.wait(), sizeof last_numbers_);
            return keep_numbers(to);
          }
        stream_.join();
        copy_out(backend_tag{}, run_numbers_.data(), &last_numbers_, sizeof last_numbers_);
        return keep_numbers(to);
      }
    return last_numbers_;
  }
  // By operation: the sum and the count of its loss.
  void fetch_losses(backend::positions_sum* to) const {
    stream_.join();
    copy_out(backend_tag{}, losses_.data(), to, losses_.size() * sizeof *to);
  }
  void join() { stream_.join(); }
  void ran() {
    ++runs_;
    is_early_ = false;
  }
  template <int E>
  void fetch_value() const {
    constexpr int owner = net.owner(E);
    if (is_old(values_seen_[owner])) move<owner, memory_of<Plan>.value[owner]>(false);
  }
  template <int E>
  void fetch_adjoint() const {
    constexpr int owner = net.owner(E);
    if (is_old(adjoints_seen_[owner])) move<owner, memory_of<Plan>.adjoint[owner]>(false);
  }
  template <int E>
  void send_adjoint() {
    constexpr int owner = net.owner(E);
    move<owner, memory_of<Plan>.adjoint[owner]>(true);
  }
  template <int E>
  void clear_adjoint() {
    constexpr int region = memory_of<Plan>.adjoint[net.owner(E)];
    if constexpr (region >= 0) {
      constexpr auto mine = memory_of<Plan>.regions[region];
      std::fill_n(numbers_.begin() + mine.offset, mine.size, T(0));
    }
  }
  void fetch(long from, long count) const {
    stream_.join();
    copy_out(backend_tag{}, workspace_ + from, numbers_.data() + from,
             static_cast<std::size_t>(count) * sizeof(T));
  }
  void send(long from, long count) const {
    stream_.join();
    copy_in(backend_tag{}, numbers_.data() + from, workspace_ + from,
            static_cast<std::size_t>(count) * sizeof(T));
  }

 private:
  static constexpr memory_use use{"what a session shows of another memory", Plan::title};
  static constexpr bool has_losses = Plan::training || net.losses.size > 0;

  static constexpr std::size_t token_bytes(int e) {
    return static_cast<std::size_t>(Plan::rows(e)) * sizeof(int);
  }
  bool is_old(std::uint64_t& seen) const {
    const bool was = seen != runs_;
    seen = runs_;
    return was;
  }
  backend::run_numbers keep_numbers(run_losses& to) const {
    to.loss = last_numbers_.loss;
    to.positions = last_numbers_.positions;
    return last_numbers_;
  }
  // Copies a region of the workspace in or out.
  template <int E, int Region>
  void move(bool in) const {
    if constexpr (Region >= 0) {
      constexpr auto mine = memory_of<Plan>.regions[Region];
      if (in) send(mine.offset, mine.size);
      else fetch(mine.offset, mine.size);
    }
  }

  T* workspace_;
  mutable backend::last_stream<backend_tag> stream_;
  mutable engine::memory<T> numbers_;
  backend::own_memory<int, backend_tag> whole_numbers_;  // tokens and lengths
  backend::own_memory<backend::run_numbers, backend_tag> run_numbers_;
  backend::own_memory<backend::positions_sum, backend_tag> losses_;
  mutable backend::run_numbers last_numbers_{};
  typename backend::early_copy_type<backend_tag>::type early_numbers_{sizeof(backend::run_numbers)};
  bool is_early_ = false;
  const int* lengths_[net.axes.size + 1]{};
  std::uint64_t runs_ = 1;
  mutable std::uint64_t numbers_seen_ = 0;
  mutable std::uint64_t values_seen_[net.edges.size + 1]{}, adjoints_seen_[net.edges.size + 1]{};
};

}  // namespace tenon::inline v0_1::engine
