// encoded: a program or a kernel as a template argument. The name of the code compiled for it depends on what it
// computes and not on the graph that it belongs to: equal programs of all graphs share code, and so do equal kernels of
// all programs.
#pragma once

#include "tenon/meta/shortened.hpp"
#include "tenon/program/kernel_body.hpp"

#include <bit>
#include <concepts>
#include <cstdint>

namespace tenon::inline v0_1::ir {

template <int Words>
struct encoded {
  std::uint64_t words[Words]{};

  constexpr bool operator==(const encoded&) const = default;
};

namespace detail {

// A value as a sequence of numbers: each(n) reads or writes the next one. All are > -2. A list's items follow its size.
template <class Code, class F>
constexpr void each_instruction(Code& code, F each) {
  each(code.size);
  for (auto& i : code) {
    each(i.code);
    each(i.a);
    each(i.b);
    each(i.c);
    each(i.first);
    each(i.count);
    each(i.size);
    each(i.number);
  }
}
template <class List, class F>
constexpr void each_item(List& items, F each) {
  each(items.size);
  for (auto& item : items) each(item);
}

// All that determines what a program computes. Of the symbols only the count is included: neither names nor shapes.
template <class F>
constexpr void each_number(auto& p, F each) {
  each_instruction(p.code, each);
  each(p.symbols.size);
  each(p.own.size);
  for (auto& own : p.own) {
    each(own.kind);
    each(own.share);
  }
  each_item(p.inputs, each);
  each_item(p.varies, each);
  each_item(p.outputs, each);
  each_item(p.effects, each);
}
// All that determines what a kernel computes. Left out: where its operands are, and how its schedule numbers symbols
// and kernels.
template <class F>
constexpr void each_number(auto& s, F each) requires requires {
  s.body.loads;
}
{
  each(s.body.width);
  each(s.sums);
  each(s.packed);
  each(s.one_row);
  each(s.others);
  each_instruction(s.body.code, each);
  each(s.body.loads.size);
  for (auto& l : s.body.loads) {
    each(l.broadcast);
    each(l.invariant);
    each(l.sum);
    each(l.packed);
  }
  each(s.body.stores.size);
  for (auto& o : s.body.stores) {
    each(o.local);
    each(o.reduction);
    each(o.adds);
    each(o.over_steps);
  }
  each(s.products.size);
  for (auto& p : s.products) {
    each(p.depth);
    each_item(p.columns, each);
    each_item(p.sums, each);
  }
}
template <class F>
constexpr void each_number(auto& l, F each) requires requires {
  l.stage.body.loads;
}
{
  each_number(l.stage, each);
  each_item(l.states, each);
  each_item(l.products, each);
  each_item(l.loads, each);
  each_item(l.stores, each);
}

// A number as bytes of seven bits each, the lowest first; the last byte of a number is less than 128.
template <class Put>
constexpr void put_number(std::uint64_t n, Put put) {
  for (; n >= 128; n /= 128) put(n % 128 + 128);
  put(n);
}
template <class Get>
constexpr std::uint64_t get_number(Get get) {
  std::uint64_t n = 0, byte = 128;
  for (int shift = 0; byte >= 128; shift += 7) {
    byte = get();
    n |= byte % 128 << shift;
  }
  return n;
}

template <class Put>
constexpr void put_numbers(const auto& value, Put put) {
  each_number(value, [&]<class T>(const T& number) {
    if constexpr (std::same_as<T, double>) put_number(std::bit_cast<std::uint64_t>(number), put);
    else put_number(static_cast<std::uint64_t>(static_cast<long>(number) + 1), put);
  });
}

}  // namespace detail

// The number of words that the encoding of a program or a stage has.
constexpr int encoded_size(const auto& value) {
  int bytes = 0;
  detail::put_numbers(value, [&](std::uint64_t) { ++bytes; });
  return (bytes + 7) / 8;
}
template <int Words>
constexpr encoded<Words> encode(const auto& value) {
  encoded<Words> to;
  int at = 0;
  detail::put_numbers(value, [&](std::uint64_t byte) {
    to.words[at / 8] |= byte << at % 8 * 8;
    ++at;
  });
  return to;
}
template <class Value, int Words>
constexpr Value decode(const encoded<Words>& from) {
  Value value;
  int at = 0;
  const auto byte = [&] {
    const std::uint64_t here = from.words[at / 8] >> at % 8 * 8 & 255;
    ++at;
    return here;
  };
  const auto next = [&] { return detail::get_number(byte); };
  detail::each_number(value, [&]<class T>(T& number) {
    if constexpr (std::same_as<T, double>) number = std::bit_cast<double>(next());
    else number = static_cast<T>(static_cast<long>(next()) - 1);
  });
  return value;
}

template <class Value, auto Code>
struct decoded {
  decltype(Code) code = Code;
  constexpr Value make() const { return decode<Value>(code); }
};

// The kernel as a backend gets it: all that its code depends on.
template <auto Code>
struct kernel_code {
  static constexpr stage_view stage = shortened<decoded<stage_body, Code>, basic_stage>::value;
  static constexpr map_view body = stage.body;
};
// The same for a loop that is one stage.
template <auto Code>
struct loop_code {
  static constexpr loop_view loop = shortened<decoded<loop_body, Code>, basic_loop>::value;
  static constexpr stage_view stage = loop.stage;
  static constexpr map_view body = stage.body;
};

}  // namespace tenon::inline v0_1::ir
