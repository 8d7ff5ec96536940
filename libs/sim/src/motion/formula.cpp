#include "holo/sim/motion/formula.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cmath>
#include <numbers>

#include "holo/core/name_list.h"
#include "mesh/readers/mesh_scanner.h"
#include "motion/formula_functions.h"

namespace holo {

namespace functions = formula_functions;

namespace {

constexpr std::size_t longest_formula = 10000;
constexpr int deepest = 64;  // parentheses, and numbers that wait for an operator

const std::array<std::pair<std::string_view, double>, 2> constants_of_all = {
    {{"pi", std::numbers::pi}, {"deg", std::numbers::pi / 180}}};

bool is_letter(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

std::string_view name_of(const std::string& name) { return name; }
std::string_view name_of(const std::pair<std::string_view, double>& constant) { return constant.first; }
template <class Function>
std::string_view name_of(const Function& function) {
  return function.name;
}

// The index of a name in a list, -1 if it is missing.
template <class List>
int find(const List& list, std::string_view name) {
  for (std::size_t i = 0; i < list.size(); ++i)
    if (name_of(list[i]) == name) return static_cast<int>(i);
  return -1;
}

bool is_free_name(const std::string& name, const std::vector<std::string>& taken) {
  if (name.empty() || !is_letter(name[0])) return false;
  if (!std::all_of(name.begin(), name.end(), [](char c) { return is_letter(c) || is_digit(c); })) return false;
  return find(taken, name) < 0 && find(constants_of_all, name) < 0;
}

}  // namespace

// Compiles a formula to reverse Polish notation by recursive descent: sum, product, sign, power, primary. Emission in this
// order puts each operation after its operands, so that evaluation needs only a stack.
class FormulaParser {
 public:
  explicit FormulaParser(Formula& formula) : formula_(formula), text_(formula.text_) {}

  void parse() {
    if (text_.size() > longest_formula)
      throw_input_error(formula_.where_,
                        fmt::format("the formula has {} characters, allowed are {}", text_.size(), longest_formula));
    sum();
    next();
    if (!at_end()) fail(position_, fmt::format("{} stands where an operator or the end is expected", shown(rest())));
  }

 private:
  using Operation = Formula::Operation;

  [[noreturn]] void fail(std::size_t position, const std::string& problem) const {
    throw_input_error(formula_.where_, fmt::format("the formula {} at position {}: {}", shown(text_), position + 1, problem));
  }

  char next() {
    while (position_ < text_.size() && (text_[position_] == ' ' || text_[position_] == '\t' || text_[position_] == '\n'))
      ++position_;
    return position_ < text_.size() ? text_[position_] : '\0';
  }
  bool at_end() const { return position_ == text_.size(); }
  bool take(char c) {
    if (next() != c || c == '\0') return false;
    ++position_;
    return true;
  }
  std::string_view rest() const { return text_.substr(position_, 12); }

  void emit(Operation operation, int index, double value, int change) {
    formula_.program_.push_back({operation, index, value});
    waiting_ += change;
    if (waiting_ > deepest) fail(position_, fmt::format("more than {} numbers wait for an operator", deepest));
  }
  void emit_2(std::string_view name) { emit(Operation::call_2, find(functions::functions_2, name), 0, -1); }

  void enter() {
    if (++depth_ > deepest) fail(position_, fmt::format("it is more than {} levels deep", deepest));
  }

  void sum() {
    product();
    while (true) {
      if (take('+'))
        product(), emit_2("+");
      else if (take('-'))
        product(), emit_2("-");
      else
        return;
    }
  }

  void product() {
    sign();
    while (true) {
      if (take('*')) {
        if (next() == '*') fail(position_, "'**' is no operator, a power is written '^'");
        sign(), emit_2("*");
      } else if (take('/')) {
        sign(), emit_2("/");
      } else {
        return;
      }
    }
  }

  void sign() {
    enter();
    if (take('-')) {
      sign();
      emit(Operation::call_1, find(functions::functions_1, "-"), 0, 0);
    } else if (take('+')) {
      sign();
    } else {
      primary();
      if (take('^')) sign(), emit_2("^");
    }
    --depth_;
  }

  void primary() {
    const char c = next();
    if (at_end()) fail(position_, "it ends where a number, a name or '(' is expected");
    if (take('(')) {
      sum();
      close();
    } else if (is_digit(c) || c == '.') {
      number();
    } else if (is_letter(c)) {
      name();
    } else {
      fail(position_, fmt::format("{} stands where a number, a name or '(' is expected", shown(rest())));
    }
  }

  void close() {
    if (!take(')'))
      fail(position_, at_end() ? "a ')' is missing" : fmt::format("{} stands where ')' is expected", shown(rest())));
  }

  void number() {
    double value = 0;
    const char* begin = text_.data() + position_;
    const auto [end, error] = std::from_chars(begin, text_.data() + text_.size(), value);
    if (error != std::errc()) fail(position_, fmt::format("{} is no number of double precision", shown(rest())));
    position_ += static_cast<std::size_t>(end - begin);
    emit(Operation::number, 0, value, 1);
  }

  void name() {
    const std::size_t start = position_;
    while (position_ < text_.size() && (is_letter(text_[position_]) || is_digit(text_[position_]))) ++position_;
    const std::string_view found = text_.substr(start, position_ - start);
    if (next() == '(') return call(found, start);
    if (const int i = find(formula_.variables_, found); i >= 0) return emit(Operation::variable, i, 0, 1);
    if (const int i = find(constants_of_all, found); i >= 0)
      return emit(Operation::number, 0, constants_of_all[static_cast<std::size_t>(i)].second, 1);
    unknown(found, start);
  }

  // The number of arguments decides among the lists of functions.
  void call(std::string_view found, std::size_t start) {
    const std::array indices = {find(functions::functions_1, found), find(functions::functions_2, found),
                                find(functions::functions_3, found)};
    int required = 0;
    for (int i = 0; i < 3; ++i)
      if (indices[i] >= 0) required = i + 1;
    if (required == 0) unknown(found, start);
    take('(');
    int given = 0;
    if (next() != ')') {
      do {
        sum();
        ++given;
      } while (given < required && take(','));
    }
    if (given != required || next() == ',')
      fail(start, fmt::format("'{}' takes {} number{}, {} {} given", found, required, required == 1 ? "" : "s",
                              next() == ',' ? "more" : std::to_string(given), given == 1 && next() != ',' ? "is" : "are"));
    close();
    const Operation operations[] = {Operation::call_1, Operation::call_2, Operation::call_3};
    emit(operations[required - 1], indices[required - 1], 0, 1 - required);
  }

  [[noreturn]] void unknown(std::string_view found, std::size_t start) const {
    std::vector<std::string> known = formula_.variables_;
    for (const auto& constant : constants_of_all) known.emplace_back(constant.first);
    const std::string variables = joined(known);
    for (const auto& function : functions::functions_1) known.emplace_back(function.name);
    for (const auto& function : functions::functions_2) known.emplace_back(function.name);
    for (const auto& function : functions::functions_3) known.emplace_back(function.name);
    fail(start, fmt::format("{} is neither a function nor one of {}.{}", shown(found), variables,
                            suggestion(std::string(found), known)));
  }

  Formula& formula_;
  std::string_view text_;
  std::size_t position_ = 0;
  int depth_ = 0, waiting_ = 0;
};

Formula::Formula(std::string text, std::vector<std::string> variables, Location where)
    : text_(std::move(text)), variables_(std::move(variables)), where_(std::move(where)) {
  FormulaParser(*this).parse();
}

double Formula::operator()(std::span<const double> values) const {
  if (values.size() != variables_.size())
    throw Error(Failure::internal, fmt::format("a formula of {} variables is given {}", variables_.size(), values.size()));
  std::array<double, deepest + 1> stack{};
  std::size_t top = 0;  // numbers on the stack
  for (const Instruction& next : program_) {
    switch (next.operation) {
      case Operation::number:
        stack[top++] = next.value;
        break;
      case Operation::variable:
        stack[top++] = values[static_cast<std::size_t>(next.index)];
        break;
      case Operation::call_1:
        stack[top - 1] = functions::functions_1[static_cast<std::size_t>(next.index)].call(stack[top - 1]);
        break;
      case Operation::call_2:
        stack[top - 2] = functions::functions_2[static_cast<std::size_t>(next.index)].call(stack[top - 2], stack[top - 1]);
        top -= 1;
        break;
      case Operation::call_3:
        stack[top - 3] =
            functions::functions_3[static_cast<std::size_t>(next.index)].call(stack[top - 3], stack[top - 2], stack[top - 1]);
        top -= 2;
        break;
    }
    if (std::isnan(stack[top - 1])) {  // before a min, max or power can hide it
      stack[0] = stack[top - 1];
      break;
    }
  }
  if (std::isfinite(stack[0])) return stack[0];
  std::string at;
  for (std::size_t i = 0; i < values.size(); ++i)
    at += fmt::format("{}{} = {:.6g}", i == 0 ? "" : ", ", variables_[i], values[i]);
  throw_input_error(where_, fmt::format("the formula {} is {} at {}; it must be finite", shown(text_), stack[0], at));
}

void require_variable_name(const std::string& name, const std::vector<std::string>& taken, const Location& where) {
  if (is_free_name(name, taken)) return;
  throw_input_error(where, fmt::format("{} cannot name a variable of formulas: a name that is not taken yet is required, of "
                                       "letters, digits and '_' after a letter",
                                       shown(name)));
}

MotionSignal signal_of_formulas(const std::vector<std::string>& formulas, double time_step, int count, const std::string& unit,
                                const std::vector<FormulaVariable>& variables, const Location& where) {
  if (formulas.empty() || count < 2 || !(time_step > 0) || !std::isfinite(time_step))
    throw_input_error(where,
                      fmt::format("{} formulas at {} samples of {} s are asked for; at least one formula, two samples and a "
                                  "positive step are required",
                                  formulas.size(), count, time_step));
  std::vector<std::string> names = {"t", "T", "dt"};
  for (const FormulaVariable& variable : variables) {
    require_variable_name(variable.name, names, where);
    if (variable.values.size() != count)
      throw_input_error(where, fmt::format("the variable {} of formulas has {} samples; {} are asked for", shown(variable.name),
                                           variable.values.size(), count));
    names.push_back(variable.name);
  }
  MotionSignal signal{Eigen::MatrixXd(static_cast<Eigen::Index>(formulas.size()), count), time_step, unit};
  std::vector<double> values = {0, time_step * (count - 1), time_step};
  values.resize(names.size());
  for (std::size_t i = 0; i < formulas.size(); ++i) {
    const Formula formula(formulas[i], names, where);
    for (int k = 0; k < count; ++k) {
      values[0] = k * time_step;
      for (std::size_t j = 0; j < variables.size(); ++j) values[3 + j] = variables[j].values[k];
      signal.values(static_cast<Eigen::Index>(i), k) = formula(values);
    }
  }
  return signal;
}

}  // namespace holo
