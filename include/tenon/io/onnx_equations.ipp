// The bodies of onnx_equations.hpp's functions; see tenon/meta/inline.hpp.
#pragma once

#include "tenon/meta/inline.hpp"

#include <algorithm>
#include <utility>

namespace tenon::inline v0_1::detail {

namespace onnx {
// The operator of an elementwise instruction of as many operands; null: several operators.
constexpr const char* operator_of(ir::opcode code) {
  switch (code) {
    case ir::opcode::negate:
      return "Neg";
    case ir::opcode::add:
      return "Add";
    case ir::opcode::subtract:
      return "Sub";
    case ir::opcode::multiply:
      return "Mul";
    case ir::opcode::divide:
      return "Div";
    case ir::opcode::maximum:
      return "Max";
    case ir::opcode::minimum:
      return "Min";
    case ir::opcode::exp:
      return "Exp";
    case ir::opcode::log:
      return "Log";
    case ir::opcode::sqrt:
      return "Sqrt";
    case ir::opcode::abs:
      return "Abs";
    case ir::opcode::sign:
      return "Sign";
    case ir::opcode::sin:
      return "Sin";
    case ir::opcode::cos:
      return "Cos";
    case ir::opcode::sigmoid:
      return "Sigmoid";
    case ir::opcode::tanh:
      return "Tanh";
    case ir::opcode::relu:
      return "Relu";
    case ir::opcode::softplus:
      return "Softplus";
    case ir::opcode::erf:
      return "Erf";
    default:
      return nullptr;
  }
}
}  // namespace onnx

TENON_INLINE std::string_view onnx_equations::bytes_of(int p, int first, int count) const {
  while (net_.parameters[p].tied_to >= 0) p = net_.parameters[p].tied_to;
  const int offset = net_.parameters[p].offset + first;
  return {net_.numbers + static_cast<std::size_t>(offset) * net_.bytes_of_number,
          static_cast<std::size_t>(count) * net_.bytes_of_number};
}
TENON_INLINE std::string onnx_equations::parameter(int p) {
  while (net_.parameters[p].tied_to >= 0) p = net_.parameters[p].tied_to;
  const ir::parameter& of = net_.parameters[p];
  const std::string name = onnx::text_of(of.path.view());
  if (!has_parameter_[static_cast<std::size_t>(p)]) {
    has_parameter_[static_cast<std::size_t>(p)] = true;
    std::vector<std::int64_t> shape{of.rows};
    if (of.columns > 0) shape.push_back(of.columns);
    tensor(name, shape, bytes_of(p, 0, of.elements()));
  }
  return name;
}

// The rows of `count` symbols below each other: [rows, columns], or [rows] of a vector.
TENON_INLINE std::string onnx_equations::symbol_rows(const ir::operation& o, const ir::program_view& p,
                                                     int first, int count) {
  std::vector<std::string> parts;
  for (int s = first; s < first + count;) {
    const ir::stored_symbol at = ir::find_stored(net_, o, s);
    const ir::parameter& of = net_.parameters[at.parameter];
    const int columns = std::max(p.symbols[s].columns, 1), begin = at.first / columns;
    int end = begin;
    for (; s < first + count && ir::find_stored(net_, o, s).parameter == at.parameter; ++s)
      end += p.symbols[s].rows;
    const std::string whole = parameter(at.parameter);
    parts.push_back(begin == 0 && end == of.rows ? whole : sliced(whole, 0, begin, end));
  }
  return joined(parts, 0);
}

// In front of a Scan, not in its body: once for all steps.
TENON_INLINE std::string onnx_equations::matrix_transposed(const ir::operation& o, const ir::program_view& p,
                                                           int first, int count) {
  const std::string key = onnx::text_of(o.path.view()) + " " + std::to_string(first) + " " +
                          std::to_string(count) + " " +
                          std::to_string(ir::find_stored(net_, o, first).parameter);
  std::string& made = matrices_[key];
  if (!made.empty()) return made;
  onnx_node_list* const here = std::exchange(nodes_, &main_);
  made = transposed(symbol_rows(o, p, first, count), {1, 0});
  nodes_ = here;
  return made;
}

TENON_INLINE std::string onnx_equations::expanded(const value& v, domain where, int size, const place& at) {
  if (where == domain::free) return node("Expand", {v.name, whole_numbers({size})});
  const auto steps = [&](dimension d) {
    return ir::has_axis(where, d) && at.axis_of(d) >= 0 && !(at.in_scan && d == dimension::time)
               ? time_of(at.axis_of(d)).steps
               : whole_numbers({1});
  };
  const std::string shape =
      node("Concat", {batch_, steps(dimension::time), steps(dimension::inner), whole_numbers({size})},
           {{"axis", onnx::whole(0)}});
  return node("Expand", {v.name, shape});
}

TENON_INLINE onnx_equations::value onnx_equations::own_number(const ir::own_number& own, int size,
                                                              const place& at) {
  const domain where = ir::domain_of_own(own.kind);
  const auto positions = [&](dimension d) {
    const std::string all =
        node("Range", {whole_number(0), squeezed(time_of(at.axis_of(d)).steps, {0}), whole_number(1)});
    return unsqueezed(as_numbers(all), d == dimension::time ? std::vector<std::int64_t>{0, 2, 3}
                                                            : std::vector<std::int64_t>{0, 1, 3});
  };
  const auto lengths = [&](dimension d) {
    return unsqueezed(as_numbers(time_of(at.axis_of(d)).lengths), {1, 2, 3});
  };
  switch (own.kind) {
    case ir::own_input::count: {
      std::vector<double> numbers;
      for (int k = 0; k < size; ++k) numbers.push_back(k);
      return {reals(numbers), domain::free, size};
    }
    case ir::own_input::position:
      return {at.in_scan ? body_position_ : positions(dimension::time), where, 1};
    case ir::own_input::inner_position:
      return {positions(dimension::inner), where, 1};
    case ir::own_input::length:
      return {lengths(dimension::time), where, 1};
    case ir::own_input::inner_length:
      return {lengths(dimension::inner), where, 1};
    default:
      return {reals(std::vector<double>(static_cast<std::size_t>(size), 1.0)), domain::free,
              size};  // no noise
  }
}

TENON_INLINE bool onnx_equations::has_equal_axes(const ir::program_view& p) {
  std::vector<domain> domains(static_cast<std::size_t>(p.code.size));
  domain common = domain::free;
  for (int k = 0; k < p.code.size; ++k) {
    const ir::instruction& i = p.code[k];
    const domain d = domains[static_cast<std::size_t>(k)] = ir::domain_of(p.varies, i, domains.data());
    const auto varies = [&](int operand) {
      return domains[static_cast<std::size_t>(operand)] != domain::free;
    };
    if (d != domain::free && common == domain::free) common = d;
    if (d != domain::free && d != common) return false;
    switch (i.code) {
      case ir::opcode::input:
      case ir::opcode::vector:
      case ir::opcode::constant:
      case ir::opcode::slice:
      case ir::opcode::matmul:
      case ir::opcode::row_sum:
      case ir::opcode::row_max:
      case ir::opcode::stop_gradient:
      case ir::opcode::select:
      case ir::opcode::greater:
      case ir::opcode::equal:
        break;
      case ir::opcode::concat:
        if (!varies(i.a) || !varies(i.b)) return false;
        break;
      default:
        if (onnx::operator_of(i.code) == nullptr) return false;
    }
  }
  for (const int k : p.outputs)
    if (domains[static_cast<std::size_t>(k)] != common || common == domain::free) return false;
  return std::none_of(p.own.begin(), p.own.end(), [](const ir::own_number& own) {
    return ir::domain_of_own(own.kind) != domain::batch || own.kind == ir::own_input::length ||
           own.kind == ir::own_input::inner_length;
  });
}

// The matrix whose product with the same value a slice of several products is, or -1.
TENON_INLINE int onnx_equations::symbol_of_slice(const ir::program_view& p, const ir::instruction& i) {
  if (i.code != ir::opcode::slice || p.code[i.a].code != ir::opcode::matmul) return -1;
  const ir::instruction& product = p.code[i.a];
  int first = 0;
  for (int s = product.first; s < product.first + product.count; ++s) {
    if (first == i.first && p.symbols[s].rows == i.size) return s;
    first += p.symbols[s].rows;
  }
  return -1;
}

TENON_INLINE std::vector<onnx_equations::value> onnx_equations::translate(const ir::program_view& p,
                                                                          std::vector<value> inputs,
                                                                          const place& at) {
  const int passed = static_cast<int>(inputs.size());
  for (int k = 0; k < p.own.size; ++k) inputs.push_back(own_number(p.own[k], p.inputs[passed + k], at));
  // Which values are operators as a whole, and which others are needed then.
  const auto count = static_cast<std::size_t>(p.code.size);
  std::vector<onnx::operator_over_features> whole(count);
  std::vector<bool> is_needed(count, false), is_affine(count, false);
  std::vector<int> symbol(count, -1);  // of a slice that is one matrix of a product of several
  for (const int k : p.outputs) is_needed[static_cast<std::size_t>(k)] = true;
  for (int k = p.code.size - 1; k >= 0; --k) {
    const auto here = static_cast<std::size_t>(k);
    if (!is_needed[here]) continue;
    const ir::instruction& i = p.code[k];
    const auto need = [&](int operand) { is_needed[static_cast<std::size_t>(operand)] = true; };
    whole[here] = onnx::over_features(p, k, opset_);
    is_affine[here] = at.rank == 2 && !at.in_scan && i.code == ir::opcode::add &&
                      p.code[i.a].code == ir::opcode::matmul && p.code[i.a].count == 1 &&
                      p.code[i.b].code == ir::opcode::vector;
    symbol[here] = at.in_scan ? -1 : symbol_of_slice(p, i);
    if (whole[here].type != nullptr) need(whole[here].of.inputs[0]);
    else if (is_affine[here] || symbol[here] >= 0) need(p.code[i.a].a);
    else ir::for_operands(i, need);
  }
  std::vector<value> v;
  std::vector<domain> domains(count);
  for (int k = 0; k < p.code.size; ++k) {
    const auto here = static_cast<std::size_t>(k);
    const ir::instruction& i = p.code[k];
    const auto of = [&](int operand) -> const value& { return v[static_cast<std::size_t>(operand)]; };
    domain where = domains[here] = ir::domain_of(p.varies, i, domains.data());
    if (!is_needed[here]) {
      v.emplace_back();
      continue;
    }
    if (whole[here].type != nullptr) {
      std::vector<std::string> sources{of(whole[here].of.inputs[0]).name};
      for (const int s : whole[here].of.symbols) sources.push_back(symbol_rows(at.o, p, s, 1));
      v.push_back({node(whole[here].type, sources), where, i.size});
      continue;
    }
    if (is_affine[here]) {
      const ir::instruction& product = p.code[i.a];
      v.push_back({node("Gemm",
                        {of(product.a).name, symbol_rows(at.o, p, product.first, 1),
                         symbol_rows(at.o, p, p.code[i.b].first, 1)},
                        {{"transB", onnx::whole(1)}}),
                   where, i.size});
      continue;
    }
    std::string made;
    switch (i.code) {
      case ir::opcode::input:
        v.push_back(inputs[static_cast<std::size_t>(i.first)]);
        continue;
      case ir::opcode::vector:
        made = symbol_rows(at.o, p, i.first, 1);
        break;
      case ir::opcode::constant:
        made = unsqueezed(real(i.number), {0});
        break;
      case ir::opcode::slice:
        if (const int s = symbol[here]; s >= 0) {
          made = node("MatMul", {of(p.code[i.a].a).name, matrix_transposed(at.o, p, s, 1)});
          break;
        }
        made = sliced(of(i.a).name, -1, i.first, i.first + i.size);
        where = of(i.a).where;
        break;
      case ir::opcode::concat: {
        const auto full = [&](const value& part) {
          return part.where == where ? part.name : expanded(part, where, part.size, at);
        };
        made = joined({full(of(i.a)), full(of(i.b))}, -1);
        break;
      }
      case ir::opcode::turn:
        made = transposed(of(i.a).name, {0, 2, 1, 3});
        break;
      case ir::opcode::matmul:
        made = node("MatMul", {of(i.a).name, matrix_transposed(at.o, p, i.first, i.count)});
        break;
      case ir::opcode::row_sum:
        made = reduced("ReduceSum", of(i.a).name, -1);
        break;
      case ir::opcode::row_max:
        made = reduced("ReduceMax", of(i.a).name, -1);
        break;
      case ir::opcode::copy:
        made =
            ir::is_spread(i) || of(i.a).size != i.size ? expanded(of(i.a), where, i.size, at) : of(i.a).name;
        break;
      case ir::opcode::stop_gradient:
        made = of(i.a).name;
        break;
      case ir::opcode::select:
        v.push_back(chosen(of(i.a), of(i.b), of(i.c), where, i.size));
        continue;
      case ir::opcode::axis_softmax:
        v.push_back(softmax_along(ir::axis_of(i), of(i.a), at));
        continue;
      case ir::opcode::pair_dot:
        v.push_back(pair_dot(i, of(i.a), of(i.b), where));
        continue;
      case ir::opcode::pair_sum:
        v.push_back(pair_sum(i, of(i.a), of(i.b), at, where));
        continue;
      case ir::opcode::greater:
        made = as_numbers(node("Greater", {of(i.a).name, of(i.b).name}));
        break;
      case ir::opcode::equal:
        made = as_numbers(node("Equal", {of(i.a).name, of(i.b).name}));
        break;
      default:
        if (const char* const type = onnx::operator_of(i.code)) {
          std::vector<std::string> operands{of(i.a).name};
          if (i.b >= 0) operands.push_back(of(i.b).name);
          made = node(type, operands);
        } else {
          made = over_axis(i, v, at);
        }
    }
    v.push_back({made, where, i.size});
  }
  std::vector<value> outputs;
  for (const int k : p.outputs) outputs.push_back(v[static_cast<std::size_t>(k)]);
  return outputs;
}

TENON_INLINE std::string onnx_equations::over_axis(const ir::instruction& i, const std::vector<value>& v,
                                                   const place& at) {
  const value& a = v[static_cast<std::size_t>(i.a)];
  const dimension d = ir::axis_of(i);
  const std::int64_t axis = onnx::axis_of(d);
  switch (i.code) {
    case ir::opcode::axis_sum:
      return reduced("ReduceSum", cleared(a, d, at), axis);
    case ir::opcode::axis_max: {
      const std::string highest = reduced("ReduceMax", cleared(a, d, at, lowest), axis);
      const std::string& lengths = time_of(at.axis_of(d)).lengths;
      return node("Where",
                  {unsqueezed(node("Greater", {lengths, whole_number(0)}), {1, 2, 3}), highest, real(0)});
    }
    case ir::opcode::weighted_sum: {
      const value product{node("Mul", {a.name, v[static_cast<std::size_t>(i.b)].name}), a.where, i.size};
      return reduced("ReduceSum", cleared(product, d, at), axis);
    }
    case ir::opcode::as_features:
      return as_features(i, a, at);
    case ir::opcode::shift:
      return shifted(i, cleared(a, d, at), at);
    case ir::opcode::flip: {
      const std::string& lengths = time_of(at.axis_of(d)).lengths;
      return node("ReverseSequence", {a.name, lengths},
                  {{"batch_axis", onnx::whole(0)}, {"time_axis", axis}});
    }
    default:
      throw input_error("ONNX has no operator for '" + std::string(ir::spelling(i.code)) + "' of node '" +
                        path_ + "'");
  }
}

TENON_INLINE std::string onnx_equations::shifted(const ir::instruction& i, const std::string& x,
                                                 const place& at) {
  const dimension d = ir::axis_of(i);
  const auto by = static_cast<std::int64_t>(i.number), axis = onnx::axis_of(d);
  std::vector<std::int64_t> pads(8, 0);
  pads[static_cast<std::size_t>(by > 0 ? axis : 4 + axis)] = by > 0 ? by : -by;
  const std::string wide = node("Pad", {x, whole_numbers(pads), real(0)});
  const std::int64_t first = by > 0 ? 0 : -by;
  const std::string end = node("Add", {time_of(at.axis_of(d)).steps, whole_numbers({first})});
  return node("Slice", {wide, whole_numbers({first}), end, whole_numbers({axis})});
}

// The steps side by side, with zeros up to the bound.
TENON_INLINE std::string onnx_equations::as_features(const ir::instruction& i, const value& a,
                                                     const place& at) {
  const dimension d = ir::axis_of(i);
  std::string x = cleared(a, d, at);
  if (d == dimension::time) x = transposed(x, {0, 2, 1, 3});
  const std::string more = node("Sub", {whole_numbers({i.size / a.size}), time_of(at.axis_of(d)).steps});
  const std::string pads = node("Concat", {whole_numbers({0, 0, 0, 0, 0, 0}), more, whole_numbers({0})},
                                {{"axis", onnx::whole(0)}});
  x = node("Reshape", {node("Pad", {x, pads, real(0)}), whole_numbers({0, 0, 1, i.size})});
  return d == dimension::time ? transposed(x, {0, 2, 1, 3}) : x;
}

}  // namespace tenon::inline v0_1::detail
