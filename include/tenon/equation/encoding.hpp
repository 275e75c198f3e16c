// encoded_program: a program as a template argument. What is compiled for it has a name that says what it
// computes and not where it stands, so equal programs of all graphs share their code.
#pragma once

#include "tenon/equation/program.hpp"

#include <bit>
#include <concepts>
#include <cstdint>

namespace tenon {

template <int Words>
struct encoded_program {
  std::uint64_t words[Words]{};

  constexpr bool operator==(const encoded_program&) const = default;
};

namespace detail {

// All that a program computes, as a row of numbers: each(n) reads or writes the next one, all of them > -2.
// Of symbols it says how many: neither names nor shapes.
template <class Program, class F>
constexpr void each_number(Program& p, F each) {
  each(p.code.size);
  for (auto& i : p.code) {
    each(i.code), each(i.a), each(i.b), each(i.c), each(i.first), each(i.count), each(i.size);
    each(i.number);
  }
  each(p.symbols.size), each(p.inputs.size), each(p.timeless.size), each(p.outputs.size),
      each(p.effects.size);
  for (auto& size : p.inputs) each(size);
  for (auto& is_timeless : p.timeless) each(is_timeless);
  for (auto& value : p.outputs) each(value);
  for (auto& effect : p.effects) each(effect);
}

// Bytes that hold seven bits each, the lowest first; the last one of a number is less than 128.
template <class Put>
constexpr void put_number(std::uint64_t n, Put put) {
  for (; n >= 128; n /= 128) put(n % 128 + 128);
  put(n);
}
template <class Get>
constexpr std::uint64_t get_number(Get get) {
  std::uint64_t n = 0, byte = 128;
  for (int shift = 0; byte >= 128; shift += 7) byte = get(), n |= byte % 128 << shift;
  return n;
}

template <class Put>
constexpr void put_program(const program& p, Put put) {
  each_number(p, [&]<class T>(const T& number) {
    if constexpr (std::same_as<T, double>) put_number(std::bit_cast<std::uint64_t>(number), put);
    else put_number(static_cast<std::uint64_t>(static_cast<long>(number) + 1), put);
  });
}

}  // namespace detail

// Words that a program is encoded in.
constexpr int encoded_size(const program& p) {
  int bytes = 0;
  detail::put_program(p, [&](std::uint64_t) { ++bytes; });
  return (bytes + 7) / 8;
}
template <int Words>
constexpr encoded_program<Words> encode(const program& p) {
  encoded_program<Words> to;
  int at = 0;
  detail::put_program(p, [&](std::uint64_t byte) { to.words[at / 8] |= byte << at % 8 * 8, ++at; });
  return to;
}
template <int Words>
constexpr program decode(const encoded_program<Words>& from) {
  program p;
  int at = 0;
  const auto byte = [&] {
    const std::uint64_t here = from.words[at / 8] >> at % 8 * 8 & 255;
    ++at;
    return here;
  };
  const auto next = [&] { return detail::get_number(byte); };
  detail::each_number(p, [&]<class T>(T& number) {
    if constexpr (std::same_as<T, double>) number = std::bit_cast<double>(next());
    else number = static_cast<T>(static_cast<long>(next()) - 1);
  });
  return p;
}

}  // namespace tenon
