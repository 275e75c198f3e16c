// A function that may stop in the middle and be continued, on a stack of its own: how a CPU runs the threads of a GPU's block in turn.
#pragma once

#include "tenon/backend/thrust/system.hpp"
#include "tenon/meta/host_device.hpp"

#if !defined(__x86_64__)
#  include <ucontext.h>
#endif

#include <cstddef>
#include <cstdint>
#include <memory>

#if TENON_SANITIZED
// Functions of the address sanitizer's runtime, which must know the stack in use.
extern "C" void __sanitizer_start_switch_fiber(void** saved, const void* bottom, std::size_t size);
extern "C" void __sanitizer_finish_switch_fiber(void* saved, const void** bottom, std::size_t* size);
#endif

namespace tenon::inline v0_1::backend::inline TENON_DEVICE::emulation {

class fiber {
 public:
  static constexpr std::size_t stack_bytes = 256 * 1024;

  // body(argument) must not return: it suspends itself a last time. What is on the stack then is not destroyed.
  fiber(void (*body)(void*), void* argument) : body_(body), argument_(argument) {}
  fiber(const fiber&) = delete;
  fiber& operator=(const fiber&) = delete;

  // Runs the body, from its start or from where it was suspended, until it suspends itself.
  void resume() {
    const bool is_new = stack_ == nullptr;
    if (is_new) prepare();
#if TENON_SANITIZED
    __sanitizer_start_switch_fiber(&callers_sanitizer_, stack_.get(), stack_bytes);
#endif
    change(&caller_, &own_);
#if TENON_SANITIZED
    __sanitizer_finish_switch_fiber(callers_sanitizer_, nullptr, nullptr);
#endif
  }
  // In the body: returns when the fiber is resumed.
  void suspend() {
#if TENON_SANITIZED
    __sanitizer_start_switch_fiber(&own_sanitizer_, callers_stack_, callers_stack_bytes_);
#endif
    change(&own_, &caller_);
    arrived();
  }

 private:
  void (*body_)(void*);
  void* argument_;
  std::unique_ptr<char[]> stack_;
  [[maybe_unused]] void *own_sanitizer_ = nullptr,
                        *callers_sanitizer_ = nullptr;  // used only under the address sanitizer
  [[maybe_unused]] const void* callers_stack_ = nullptr;
  [[maybe_unused]] std::size_t callers_stack_bytes_ = 0;

  void arrived() {
#if TENON_SANITIZED
    __sanitizer_finish_switch_fiber(own_sanitizer_, &callers_stack_, &callers_stack_bytes_);
#endif
  }
  static fiber*& starting() {
    static thread_local fiber* one = nullptr;
    return one;
  }
  static void begin() {
    fiber& mine = *starting();
    mine.arrived();
    mine.body_(mine.argument_);
  }

#if defined(__x86_64__)
  // The stack that was left: on top of it are the registers that a called function must preserve, and where to go on. swapcontext
  // asks the kernel at every switch, and clears all that the address sanitizer knows of the stack: it took two thirds of a run's time.
  using place = void**;
  place own_ = nullptr, caller_ = nullptr;

  void prepare() {
    stack_.reset(new char[stack_bytes]);
    const auto end = reinterpret_cast<std::uintptr_t>(stack_.get() + stack_bytes) / 16 * 16;
    own_ = reinterpret_cast<place>(end) - 8;  // six registers, begin, and where it would return to: nowhere
    for (int k = 0; k < 8; ++k) own_[k] = nullptr;
    own_[6] = reinterpret_cast<void*>(&begin);
    starting() = this;
  }
  [[gnu::naked, gnu::noinline]] static void change([[maybe_unused]] place* left,
                                                   [[maybe_unused]] place* next) {
    asm("push %rbp\n\t"
        "push %rbx\n\t"
        "push %r12\n\t"
        "push %r13\n\t"
        "push %r14\n\t"
        "push %r15\n\t"
        "mov %rsp, (%rdi)\n\t"
        "mov (%rsi), %rsp\n\t"
        "pop %r15\n\t"
        "pop %r14\n\t"
        "pop %r13\n\t"
        "pop %r12\n\t"
        "pop %rbx\n\t"
        "pop %rbp\n\t"
        "ret");
  }
#else
  using place = ucontext_t;
  place own_{}, caller_{};

  void prepare() {
    stack_.reset(new char[stack_bytes]);
    getcontext(&own_);
    own_.uc_stack.ss_sp = stack_.get();
    own_.uc_stack.ss_size = stack_bytes;
    own_.uc_link = nullptr;
    makecontext(&own_, &fiber::begin, 0);
    starting() = this;
  }
  static void change(place* left, place* next) { swapcontext(left, next); }
#endif
};

}  // namespace tenon::inline v0_1::backend::inline TENON_DEVICE::emulation
