// Random expressions, most of them singular at 0, against difference quotients with 300 digits: whatever status a derivative
// gets, it must be true. In particular no derivative that nilpotent numbers accept may be wrong.
#include <gtest/gtest.h>

#include <boost/multiprecision/cpp_bin_float.hpp>
#include <cmath>
#include <random>
#include <sstream>

#include "holo/diff/drivers.h"

namespace holo {
namespace {

using Real = boost::multiprecision::number<boost::multiprecision::cpp_bin_float<300>, boost::multiprecision::et_off>;

// A program of a stack machine that starts with x.
struct Expression {
  enum Operation {
    variable,
    one,
    minus_one,
    root,
    cube_root,
    squared,
    absolute,
    exponential,
    sine,
    cosine,
    logarithm,
    plus,
    minus,
    times,
    over,
    largest,
    count
  };
  std::vector<Operation> operations;
  // Whether max was asked about a division by zero. Its sign differs from side to side, but not for a plain number, so that the
  // choice is wrong on one side without a trace: the one thing that the rule does not see.
  mutable bool chooses_infinity = false;

  template <class S>
  static S unary(Operation operation, const S& x) {
    switch (operation) {
      case root:
        return sqrt(x);
      case cube_root:
        return cbrt(x);
      case squared:
        return x * x;
      case absolute:
        return abs(x);
      case exponential:
        return exp(x) - 1.0;
      case sine:
        return sin(x);
      case cosine:
        return cos(x);
      default:
        return log(1.0 + x);
    }
  }
  template <class S>
  static S binary(Operation operation, const S& a, const S& b) {
    switch (operation) {
      case plus:
        return a + b;
      case minus:
        return a - b;
      case times:
        return a * b;
      case over:
        return a / b;
      default:
        if constexpr (std::same_as<S, Real>) return a < b || b != b ? b : a;  // keeps NaN, as derivative types do
        return max(a, b);
    }
  }
  template <class S>
  S evaluate(const S& x) const {
    std::vector<S> stack{x};
    for (Operation operation : operations) {
      if (operation == variable) {
        stack.push_back(x);
      } else if (operation == one || operation == minus_one) {
        stack.push_back(S(operation == one ? 1.0 : -1.0));
      } else if (operation < plus) {
        stack.back() = unary<S>(operation, stack.back());
      } else {
        const S b = stack.back();
        stack.pop_back();
        if constexpr (std::same_as<S, double>) chooses_infinity |= operation == largest && std::isinf(stack.back() + b);
        stack.back() = binary<S>(operation, stack.back(), b);
      }
    }
    return stack.back();
  }

  std::string text() const {
    static const char* const names[] = {"x",   "1",   "-1",    "sqrt", "cbrt",  "square", "abs",  "expm1",
                                        "sin", "cos", "log1p", "plus", "minus", "times",  "over", "max"};
    std::string result = "x";
    for (Operation operation : operations) result += std::string(" ") + names[operation];
    return result;
  }
};

Expression random_expression(std::mt19937& random) {
  Expression expression;
  int depth = 1;
  const int length = 3 + int(random() % 7);
  while (int(expression.operations.size()) < length || depth > 1) {
    const auto operation = Expression::Operation(random() % Expression::count);
    const bool push = operation <= Expression::minus_one, pop = operation >= Expression::plus;
    if ((pop && depth < 2) || (push && (depth > 2 || int(expression.operations.size()) >= length))) continue;
    if (!pop && !push && int(expression.operations.size()) >= length) continue;
    depth += push ? 1 : pop ? -1 : 0;
    expression.operations.push_back(operation);
  }
  return expression;
}

// f at the point, NaN outside its domain.
Real exact(const Expression& expression, const Real& x) {
  try {
    return expression.evaluate(x);
  } catch (const std::exception&) {
    return std::numeric_limits<Real>::quiet_NaN();
  }
}

// The derivative of the order from one side, by values on this side alone; errors are of the order of step^(1/6).
double difference_quotient(const Expression& expression, int order, int side) {
  const Real h = Real(side) * Real("1e-48");
  const Real a = exact(expression, h), b = exact(expression, 2 * h), c = exact(expression, 3 * h);
  return double(order == 1 ? Real((b - a) / h) : Real((c - 2 * b + a) / (h * h)));
}

bool near(double a, double b) { return std::abs(a - b) <= 1e-6 * (1 + std::abs(b)); }

struct Tally {
  int regular = 0, resolved = 0, one_sided = 0, nondifferentiable = 0, infinite = 0, undecided = 0;
};

void check_side(const OneSidedDerivative& side, double quotient, Tally& tally) {
  using Kind = OneSidedDerivative::Kind;
  if (side.kind == Kind::finite) {
    EXPECT_TRUE(near(quotient, side.value)) << quotient << ", found " << side.value;
  }
  if (side.kind == Kind::no_real_value) {
    EXPECT_TRUE(std::isnan(quotient)) << quotient;
  }
  if (side.kind == Kind::infinite) {
    ++tally.infinite;
    EXPECT_GT(std::abs(quotient), 1e2);
    EXPECT_EQ(quotient > 0, side.value > 0);
  }
}

template <class Result>
void check(const Expression& expression, int order, const Result& result, Tally& tally) {
  using Kind = DerivativeStatus::Kind;
  const double left = difference_quotient(expression, order, -1), right = difference_quotient(expression, order, 1);
  EXPECT_TRUE(!result.status.usable() || std::isfinite(result.derivative));
  switch (result.status.kind) {
    case Kind::ok:  // what a choice left out may have no real value on one side
      ++tally.regular;
      EXPECT_TRUE((near(left, result.derivative) || std::isnan(left)) &&
                  (near(right, result.derivative) || std::isnan(right)) && !(std::isnan(left) && std::isnan(right)))
          << left << ", " << right << ", found " << result.derivative;
      break;
    case Kind::singular_resolved:
      ++tally.resolved;
      EXPECT_TRUE(near(left, result.derivative) && near(right, result.derivative))
          << left << ", " << right << ", found " << result.derivative;
      break;
    case Kind::one_sided:
      ++tally.one_sided;
      break;
    case Kind::nondifferentiable:
      ++tally.nondifferentiable;
      break;
    default:
      ++tally.undecided;
  }
  if (result.singular != nullptr) {
    check_side(result.singular->left.back(), left, tally);
    check_side(result.singular->right.back(), right, tally);
  }
}

TEST(SingularRandomExpressions, EveryStatusIsTrue) {
  std::mt19937 random(20191117);
  Tally tally;
  const std::array<double, 1> origin{0.0}, v{1.0};
  for (int trial = 0; trial < 1000 && !::testing::Test::HasFailure(); ++trial) {
    const Expression expression = random_expression(random);
    expression.evaluate(0.0);
    if (expression.chooses_infinity) continue;
    SCOPED_TRACE(expression.text());
    const auto f = [&](const auto& x) { return expression.evaluate(x[0]); };
    check(expression, 1, directional(f, origin, v), tally);
    check(expression, 2, directional(f, origin, v, v), tally);
  }
  // The check is not vacuous.
  EXPECT_GT(tally.regular, 200);
  EXPECT_GT(tally.resolved, 20);
  EXPECT_GT(tally.one_sided, 20);
  EXPECT_GT(tally.nondifferentiable, 20);
  EXPECT_GT(tally.infinite, 20);
}

}  // namespace
}  // namespace holo
