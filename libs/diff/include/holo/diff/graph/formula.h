#pragma once
// A graph as text. A subexpression that is used more than once gets a name, so that the text is as small as the graph:
//
//   t1 = F00^2 + F01^2 + ...
//   psi = 0.5 mu (t1 - 3) + ...

#include <algorithm>
#include <cstdio>
#include <string>
#include <vector>

#include "holo/diff/graph/derivative.h"

namespace holo::graph {

// Its functions are cold, so that they compile faster, for size: every material contains them and runs them once.
class FormulaWriter {
 public:
  FormulaWriter(const Graph& g, std::vector<std::string> leaf_names) : g_(g), leaf_names_(std::move(leaf_names)) {}

  // Lines "name = ...", the last of them that of `output`.
  [[gnu::cold]] std::string write(int output, const std::string& name) {
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

  [[gnu::cold]] static std::string number(double value) {
    char text[40];
    for (int digits = 1; digits <= 17; ++digits) {
      std::snprintf(text, sizeof(text), "%.*g", digits, value);
      if (std::stod(text) == value) break;
    }
    return text;
  }

  [[gnu::cold]] static std::string wrap(const std::string& text, Precedence own, Precedence around) {
    return own < around ? std::string("(") + text + ")" : text;
  }

  [[gnu::cold]] std::string expression_of(int k, Precedence around) const {
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
      case Operation::add:
      case Operation::subtract:
        return sum_of(k, around);
      case Operation::multiply:
      case Operation::reciprocal:
        return product_of(k, around);
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

  // Operands of a chain of sums or of products; `inverse`: subtracted or divided by.
  struct Term {
    int node;
    bool inverse;
  };
  bool is_open(int k) const { return k != zero && names_[k].empty(); }

  void collect_terms(int k, bool inverse, std::vector<Term>& terms) const {
    const Operation operation = g_[k].operation;
    if (is_open(k) && operation == Operation::negate) return collect_terms(g_[k].a, !inverse, terms);
    if (is_open(k) && (operation == Operation::add || operation == Operation::subtract)) {
      collect_terms(g_[k].a, inverse, terms);
      return collect_terms(g_[k].b, inverse != (operation == Operation::subtract), terms);
    }
    terms.push_back({k, inverse});
  }

  void collect_factors(int k, bool inverse, std::vector<Term>& factors) const {
    const Node& n = g_[k];
    if (is_open(k) && n.operation == Operation::reciprocal && n.a != zero) return collect_factors(n.a, !inverse, factors);
    if (is_open(k) && n.operation == Operation::multiply && n.a != n.b) {
      collect_factors(n.a, inverse, factors);
      return collect_factors(n.b, inverse, factors);
    }
    factors.push_back({k, inverse});
  }

  // Positive terms first, constants last.
  [[gnu::cold]] std::string sum_of(int k, Precedence around) const {
    std::vector<Term> terms;
    collect_terms(k, false, terms);
    const auto rank = [this](const Term& t) { return 2 * (g_[t.node].operation == Operation::constant) + t.inverse; };
    std::stable_sort(terms.begin(), terms.end(),
                     [&](const Term& a, const Term& b) { return rank(a) != rank(b) ? rank(a) < rank(b) : a.node < b.node; });
    std::string text;
    for (const Term& term : terms) {
      if (term.inverse) text += text.empty() ? "-" : " - ";
      if (!term.inverse && !text.empty()) text += " + ";
      text += expression_of(term.node, product);
    }
    return wrap(text, sum, around);
  }

  // Constants first, then parameters and inputs, then the rest.
  [[gnu::cold]] std::string product_of(int k, Precedence around) const {
    if (g_[k].operation == Operation::multiply && g_[k].a == g_[k].b)
      return wrap(expression_of(g_[k].a, atom) + "^2", power, around);
    std::vector<Term> factors;
    collect_factors(k, false, factors);
    const auto rank = [this](const Term& t) {
      const Operation operation = g_[t.node].operation;
      return operation == Operation::constant ? 0 : operation == Operation::leaf ? 1 : 2;
    };
    std::stable_sort(factors.begin(), factors.end(),
                     [&](const Term& a, const Term& b) { return rank(a) != rank(b) ? rank(a) < rank(b) : a.node < b.node; });
    std::string text, divisors;
    for (std::size_t i = 0; i < factors.size(); ++i) {
      const Term factor = factors[i];
      const auto same = [&](const Term& t) { return t.node == factor.node && t.inverse == factor.inverse; };
      if (std::any_of(factors.begin(), factors.begin() + std::ptrdiff_t(i), same)) continue;
      const long count = std::count_if(factors.begin(), factors.end(), same);
      std::string one = expression_of(factor.node, count > 1 ? atom : power);
      if (count > 1) one.append("^").append(std::to_string(count));
      if (factor.inverse) {
        divisors.append(" / ").append(one);
      } else {
        text.append(text.empty() ? "" : " ").append(one);
      }
    }
    return wrap((text.empty() ? std::string("1") : text) + divisors, product, around);
  }

  [[gnu::cold]] std::string call(const Node& n) const {
#define HOLO_NAME(name, ...) #name,
    static const char* const names[] = {"leaf", "", "", "", "", "", "", HOLO_UNARY_FUNCTIONS(HOLO_NAME) "sech2", "asin_slope"};
#undef HOLO_NAME
    static const char* const of_two[] = {"atan2", "hypot", "direction_cosine", "min", "max"};
    const bool has_two = n.operation >= Operation::atan2 && n.operation <= Operation::maximum;
    std::string name = has_two                            ? of_two[int(n.operation) - int(Operation::atan2)]
                       : n.operation == Operation::select ? "select"
                                                          : names[int(n.operation)];
    std::string text = name + "(" + expression_of(n.a, condition);
    if (n.operation == Operation::select) return text + ", " + expression_of(n.b, sum) + ", " + expression_of(n.c, sum) + ")";
    if (has_two) text += ", " + expression_of(n.b, sum);
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
