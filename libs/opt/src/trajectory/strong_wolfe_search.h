#pragma once
// Line search for a step that satisfies the strong Wolfe conditions [Nocedal2006, algorithms 3.5 and 3.6].

namespace holo {

// A function along a direction, by the length of the step.
class LineFunction {
 public:
  virtual ~LineFunction() = default;
  virtual double value(double length) = 0;  // not finite outside the domain
  virtual double slope() = 0;               // at the length of the last value; not finite where a derivative is not
};

struct WolfeConditions {
  double sufficient_decrease = 1e-4, curvature = 0.9;  // c1, c2
  int max_evaluations = 30;
  double resolution = 0;  // of the value: changes that are not larger tell nothing
};

struct WolfeStep {
  bool is_found = false;
  double length = 0, value = 0;
  int evaluations = 0, slopes = 0;
};

// From the value and the negative slope at 0, first with `length`:
//
//   phi(a) <= phi(0) + c1 a phi'(0),   |phi'(a)| <= c2 |phi'(0)|
//
// Where phi(a) differs from phi(0) by its resolution at most, phi'(a) <= (2 c1 - 1) phi'(0) replaces the first of them
// [HagerZhang2005]. Without such a step within the evaluations, the lowest point found that satisfies the first condition is
// taken. The last call of `value` is that of the result where there is one, and its slope has been computed.
WolfeStep find_wolfe_step(LineFunction& line, double value, double slope, double length, const WolfeConditions& conditions);

}  // namespace holo
