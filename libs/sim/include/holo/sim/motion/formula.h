#pragma once
// Formulas of experiments: parsing and evaluation of texts such as "0.1*sin(2*pi*t/T)".
//
//   numbers     3  -0.5  1e-3
//   operators   + - * / ^ and parentheses; ^ binds most strongly and from the right, so -2^2 is -4
//   constants   pi, deg (pi / 180: "20*deg*sin(t)")
//   functions   sin cos tan asin acos atan sinh cosh tanh exp log sqrt abs floor step (0 below 0, else 1)
//               smoother_step (6 s^5 - 15 s^4 + 10 s^3 between 0 and 1), of two numbers atan2 pow min max mod, and clamp(x, a,
//               b)
//
// Angles are in radians. A formula only computes: it names no file and runs no code. At most 10,000 characters, 64 levels deep.

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "holo/core/error.h"
#include "holo/sim/motion/signal.h"

namespace holo {

class Formula {
 public:
  // `variables`: names it may use besides the constants. `where` it stands in the user's file; messages begin with that and
  // name the place in the formula. Throws Error(input).
  Formula(std::string text, std::vector<std::string> variables, Location where = {});

  // The value for the variables' values, in their order. Throws Error(input) if it is not finite.
  double operator()(std::span<const double> values) const;

  const std::string& text() const { return text_; }

 private:
  friend class FormulaParser;
  enum class Operation : unsigned char { number, variable, call_1, call_2, call_3 };
  struct Instruction {
    Operation operation;
    int index;     // of the variable or function
    double value;  // of the number
  };

  std::string text_;
  std::vector<std::string> variables_;
  Location where_;
  std::vector<Instruction> program_;  // in reverse Polish order
};

// A named number that varies in time, which formulas may use.
struct FormulaVariable {
  std::string name;
  Eigen::VectorXd values;  // [sample]
};

// Throws Error(input) for what cannot name a variable: only letters, digits and '_' after a letter do, and no constant and none
// of the names `taken`.
void require_variable_name(const std::string& name, const std::vector<std::string>& taken, const Location& where = {});

// The signal of formulas, one for each component, in the time t [s], the duration T [s], the time step dt [s] and `variables`.
// Throws Error(input) for a variable whose name is taken or is none, or that has another number of samples.
MotionSignal signal_of_formulas(const std::vector<std::string>& formulas, double time_step, int count, const std::string& unit,
                                const std::vector<FormulaVariable>& variables = {}, const Location& where = {});

}  // namespace holo
