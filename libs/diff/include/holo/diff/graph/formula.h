#pragma once
// A graph as text. What is used more than once gets a name of its own, so that the text stays as small as the graph:
//
//   t1 = F00^2 + F01^2 + ...
//   psi = 0.5 mu (t1 - 3) + ...

#include <cstdio>
#include <string>
#include <vector>

#include "holo/diff/graph/derivative.h"

namespace holo::graph {

class FormulaWriter {
 public:
  FormulaWriter(const Graph& g, std::vector<std::string> leaf_names) : g_(g), leaf_names_(std::move(leaf_names)) {}

  // Lines "name = ...", the last of them that of `output`.
  std::string write(int output, const std::string& name) {
    if (output == zero) return name + " = 0\n";
    std::vector<int> uses(output + 1, 0);
    names_.assign(output + 1, "");
    uses[output] = 1;
    for (int k = output; k >= 0; --k)
      if (uses[k] > 0 && g_[k].operation != Operation::leaf)
        for (int operand : {g_[k].a, g_[k].b, g_[k].c})
          if (operand != zero) ++uses[operand];

    std::string text;
    int named = 0;
    for (int k = 0; k < output; ++k) {
      if (!deserves_name(k, uses[k])) continue;
      const std::string expression = expression_of(k, sum);
      names_[k] = std::string("t").append(std::to_string(++named));
      text += names_[k] + " = " + expression + "\n";
    }
    return text + name + " = " + expression_of(output, sum) + "\n";
  }

 private:
  enum Precedence { condition, sum, product, power, atom };

  bool deserves_name(int k, int uses) const {
    const Node& n = g_[k];
    if (n.operation == Operation::leaf || n.operation == Operation::constant) return false;
    if ((n.operation == Operation::negate || n.operation == Operation::reciprocal) && is_short(n.a)) return false;
    if (n.operation == Operation::multiply && n.a == n.b && is_short(n.a)) return false;
    return uses > 1;
  }
  bool is_short(int k) const {
    return k == zero || g_[k].operation == Operation::leaf || g_[k].operation == Operation::constant || !names_[k].empty();
  }

  static std::string number(double value) {
    char text[40];
    for (int digits = 1; digits <= 17; ++digits) {
      std::snprintf(text, sizeof(text), "%.*g", digits, value);
      if (std::stod(text) == value) break;
    }
    return text;
  }

  static std::string wrap(const std::string& text, Precedence own, Precedence around) {
    return own < around ? std::string("(") + text + ")" : text;
  }

  std::string expression_of(int k, Precedence around) const {
    if (k == zero) return "0";
    if (!names_[k].empty()) return names_[k];
    const Node& n = g_[k];
    const auto infix = [&](const char* sign, Precedence own, Precedence left, Precedence right) {
      return wrap(expression_of(n.a, left) + sign + expression_of(n.b, right), own, around);
    };
    switch (n.operation) {
      case Operation::leaf:
        return leaf_names_.at(n.a);
      case Operation::constant:
        return number(n.value);
      case Operation::negate:
        return wrap(std::string("-") + expression_of(n.a, product), sum, around);
      case Operation::add:
        return infix(" + ", sum, sum, sum);
      case Operation::subtract:
        return infix(" - ", sum, sum, product);
      case Operation::multiply:
        return product_of(n, around);
      case Operation::reciprocal:
        return wrap(std::string("1 / ") + expression_of(n.a, power), product, around);
      case Operation::power_constant:
        return wrap(expression_of(n.a, atom) + "^(" + number(n.value) + ")", power, around);
      case Operation::power:
        return wrap(expression_of(n.a, atom) + "^(" + expression_of(n.b, sum) + ")", power, around);
      case Operation::less:
        return infix(" < ", condition, sum, sum);
      case Operation::less_equal:
        return infix(" <= ", condition, sum, sum);
      case Operation::equal:
        return infix(" == ", condition, sum, sum);
      case Operation::logical_and:
        return infix(" and ", condition, sum, sum);
      case Operation::logical_or:
        return infix(" or ", condition, sum, sum);
      case Operation::logical_not:
        return wrap(std::string("not ") + expression_of(n.a, sum), condition, around);
      default:
        return call(n);
    }
  }

  std::string product_of(const Node& n, Precedence around) const {
    if (n.a == n.b) return wrap(expression_of(n.a, atom) + "^2", power, around);
    const bool divides_a = g_[n.a].operation == Operation::reciprocal && names_[n.a].empty();
    const bool divides_b = g_[n.b].operation == Operation::reciprocal && names_[n.b].empty();
    if (divides_b) return wrap(expression_of(n.a, product) + " / " + expression_of(g_[n.b].a, power), product, around);
    if (divides_a) return wrap(expression_of(n.b, product) + " / " + expression_of(g_[n.a].a, power), product, around);
    return wrap(expression_of(n.a, product) + " " + expression_of(n.b, product), product, around);
  }

  std::string call(const Node& n) const {
    static const char* const names[] = {"leaf",  "",    "",    "",    "",     "",     "",     "sqrt", "exp",  "expm1", "log",
                                        "log1p", "sin", "cos", "tan", "asin", "acos", "atan", "sinh", "cosh", "tanh",  "cbrt"};
    std::string name = n.operation == Operation::atan2    ? "atan2"
                       : n.operation == Operation::hypot  ? "hypot"
                       : n.operation == Operation::select ? "select"
                                                          : names[int(n.operation)];
    std::string text = name + "(" + expression_of(n.a, condition);
    if (n.operation == Operation::select) return text + ", " + expression_of(n.b, sum) + ", " + expression_of(n.c, sum) + ")";
    if (n.operation == Operation::atan2 || n.operation == Operation::hypot) text += ", " + expression_of(n.b, sum);
    return text + ")";
  }

  const Graph& g_;
  std::vector<std::string> leaf_names_;
  std::vector<std::string> names_;
};

// The only output of a function as text. `names` are those of the inputs, then of the parameters.
template <class Function>
std::string formula(const std::vector<std::string>& names, const std::string& output_name) {
  Graph g(Leaves<Function>::count, 1 << 24);
  int output = zero;
  static_assert(Function::output_count == 1);
  record<Function>(g, &output);
  return FormulaWriter(g, names).write(output, output_name);
}

}  // namespace holo::graph
