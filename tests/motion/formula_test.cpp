// Formulas are computed as they are written, and what is none is refused with its place.
#include "holo/sim/motion/formula.h"

#include "refusals.h"

namespace holo {
namespace {

using namespace motion_tests;

double formula_value(const std::string& text, double t = 0, double T = 1) {
  const double values[] = {t, T};
  return Formula(text, {"t", "T"})(values);
}

TEST(Formula, OperatorsBindAsInMathematics) {
  EXPECT_EQ(formula_value("1 + 2*3"), 7);
  EXPECT_EQ(formula_value("(1 + 2)*3"), 9);
  EXPECT_EQ(formula_value("7 - 2 - 1"), 4);
  EXPECT_EQ(formula_value("8/4/2"), 1);
  EXPECT_EQ(formula_value("2^3^2"), 512);
  EXPECT_EQ(formula_value("-2^2"), -4);
  EXPECT_EQ(formula_value("(-2)^2"), 4);
  EXPECT_EQ(formula_value("2^-1"), 0.5);
  EXPECT_EQ(formula_value("2*-3"), -6);
  EXPECT_EQ(formula_value("- - 3 + + 1"), 4);
  EXPECT_EQ(formula_value("6/2*3"), 9);
  EXPECT_EQ(formula_value("-t*t", 3), -9);
}

TEST(Formula, NumbersAreDecimal) {
  EXPECT_EQ(formula_value("1.5e-3"), 1.5e-3);
  EXPECT_EQ(formula_value(".25"), 0.25);
  EXPECT_EQ(formula_value("2."), 2);
  EXPECT_EQ(formula_value("1E+2"), 100);
}

TEST(Formula, VariablesAndConstantsHaveTheirValues) {
  EXPECT_EQ(formula_value("t", 0.3), 0.3);
  EXPECT_EQ(formula_value("t/T", 1, 4), 0.25);
  EXPECT_EQ(formula_value("pi"), std::numbers::pi);
  EXPECT_DOUBLE_EQ(formula_value("180*deg"), std::numbers::pi);
  EXPECT_DOUBLE_EQ(formula_value("0.1*sin(2*pi*t)", 0.2), 0.1 * std::sin(0.4 * std::numbers::pi));
}

TEST(Formula, FunctionsAreThoseOfMathematics) {
  const double t = 0.37;
  const std::pair<const char*, double> cases[] = {{"sin(t)", std::sin(t)},
                                                  {"cos(t)", std::cos(t)},
                                                  {"tan(t)", std::tan(t)},
                                                  {"asin(t)", std::asin(t)},
                                                  {"acos(t)", std::acos(t)},
                                                  {"atan(t)", std::atan(t)},
                                                  {"sinh(t)", std::sinh(t)},
                                                  {"cosh(t)", std::cosh(t)},
                                                  {"tanh(t)", std::tanh(t)},
                                                  {"exp(t)", std::exp(t)},
                                                  {"log(t)", std::log(t)},
                                                  {"sqrt(t)", std::sqrt(t)},
                                                  {"abs(-t)", t},
                                                  {"floor(-t)", -1},
                                                  {"step(t)", 1},
                                                  {"step(-t)", 0},
                                                  {"step(0)", 1},
                                                  {"smoother_step(t)", smoother_step(t)},
                                                  {"atan2(t, -1)", std::atan2(t, -1)},
                                                  {"pow(t, 3)", std::pow(t, 3)},
                                                  {"min(t, 1)", t},
                                                  {"max(t, 1)", 1},
                                                  {"mod(t, 0.1)", t - 0.3},
                                                  {"mod(-t, 1)", 1 - t},
                                                  {"clamp(t, 0, 0.2)", 0.2},
                                                  {"clamp(-t, 0, 0.2)", 0},
                                                  {"clamp(t, 0, 1)", t}};
  for (const auto& [text, expected] : cases) EXPECT_NEAR(formula_value(text, t), expected, 1e-15) << text;
}

TEST(Formula, InfinityOnTheWayIsAllowed) { EXPECT_EQ(formula_value("exp(-1/t^2)", 0), 0); }

TEST(Formula, SignalHoldsOneFormulaForEachComponent) {
  const std::vector<FormulaVariable> variables = {{"L", Eigen::VectorXd::Constant(9, 3)},
                                                  {"n", Eigen::VectorXd::LinSpaced(9, 0, 8)}};
  const MotionSignal signal = signal_of_formulas({"L*t", "cos(2*pi*n/8)"}, 0.25, 9, "m", variables);
  ASSERT_EQ(signal.component_count(), 2);
  ASSERT_EQ(signal.sample_count(), 9);
  EXPECT_EQ(signal.unit, "m");
  for (int k = 0; k < 9; ++k) {
    EXPECT_DOUBLE_EQ(signal.values(0, k), 3 * 0.25 * k);
    EXPECT_NEAR(signal.values(1, k), std::cos(2 * std::numbers::pi * k / 8), 1e-15);
  }
}

TEST(Formula, SignalsKnowTimeDurationAndTimeStep) {
  const MotionSignal signal = signal_of_formulas({"t", "T", "dt", "t*(t + dt)/2"}, 0.25, 9, "s");
  for (int k = 0; k < 9; ++k) {
    EXPECT_EQ(signal.values(0, k), 0.25 * k);
    EXPECT_EQ(signal.values(1, k), 2);
    EXPECT_EQ(signal.values(2, k), 0.25);
    EXPECT_EQ(signal.values(3, k), 0.0625 * k * (k + 1) / 2);
  }
}

TEST(FormulaBadInput, MistakesAreNamedWithTheirPlace) {
  const auto make = [](const std::string& text) { return Formula(text, {"t", "T"}, {"a.yaml", 12, 20}); };
  EXPECT_REFUSED(make("0.1*sim(t)"),
                 "a.yaml:12:20: the formula '0.1*sim(t)' at position 5: 'sim' is neither a function nor one of "
                 "t, T, pi, deg. Did you mean 'sin'?");
  EXPECT_REFUSED(make("2*x"), "at position 3: 'x' is neither");
  EXPECT_REFUSED(make(""), "it ends where a number, a name or '(' is expected");
  EXPECT_REFUSED(make("  "), "it ends where");
  EXPECT_REFUSED(make("1 +"), "it ends where");
  EXPECT_REFUSED(make("(1 + t"), "a ')' is missing");
  EXPECT_REFUSED(make("1 + t)"), "')' stands where an operator or the end is expected");
  EXPECT_REFUSED(make("2t"), "at position 2: 't' stands where an operator");
  EXPECT_REFUSED(make("t**2"), "'**' is no operator, a power is written '^'");
  EXPECT_REFUSED(make("sin()"), "'sin' takes 1 number, 0 are given");
  EXPECT_REFUSED(make("sin(1, 2)"), "'sin' takes 1 number, more are given");
  EXPECT_REFUSED(make("atan2(1)"), "'atan2' takes 2 numbers, 1 is given");
  EXPECT_REFUSED(make("clamp(1, 2)"), "'clamp' takes 3 numbers, 2 are given");
  EXPECT_REFUSED(make("sin + 1"), "'sin' is neither");
  EXPECT_REFUSED(make("t = 1"), "'= 1' stands where");
  EXPECT_REFUSED(make("1e999"), "is no number of double precision");
  EXPECT_REFUSED(make("3 $ 4"), "'$ 4' stands where");
  EXPECT_REFUSED(make(std::string("1\0+2", 4)), "'\\x00+2' stands where");
  EXPECT_REFUSED(make("."), "'.' is no number");
  EXPECT_REFUSED(make("nan"), "'nan' is neither");
}

TEST(FormulaBadInput, DepthAndLengthAreBounded) {
  const auto make = [](const std::string& text) { return Formula(text, {"t"}); };
  EXPECT_REFUSED(make(std::string(100000, '(')), "the formula has 100000 characters");
  EXPECT_REFUSED(make(std::string(9000, '(')), "it is more than 64 levels deep");
  EXPECT_REFUSED(make(std::string(9000, '-') + "1"), "it is more than 64 levels deep");
  std::string right = "t";
  for (int i = 0; i < 100; ++i) right = "1+(" + right + ")";
  EXPECT_REFUSED(make(right), "levels deep");
  std::string powers = "1";
  for (int i = 0; i < 100; ++i) powers += "^1";
  EXPECT_REFUSED(make(powers), "levels deep");
  std::string sum = "t";
  for (int i = 0; i < 1000; ++i) sum += "+t";  // long, but not deep
  const double one = 1;
  EXPECT_EQ(make(sum)({&one, 1}), 1001);
}

TEST(FormulaBadInput, ValuesThatAreNotFiniteAreRefused) {
  EXPECT_REFUSED(formula_value("1/t"), "the formula '1/t' is inf at t = 0, T = 1; it must be finite");
  EXPECT_REFUSED(formula_value("max(0, sqrt(-1))"), "it must be finite");  // which max would hide
  EXPECT_REFUSED(formula_value("(log(-1))^0"), "it must be finite");
  EXPECT_REFUSED(formula_value("mod(1, 0)"), "it must be finite");
  EXPECT_REFUSED(signal_of_formulas({"1", "sqrt(0.5 - t)"}, 0.25, 9, "m"), "at t = 0.75, T = 2");
}

TEST(FormulaBadInput, SignalsWithoutFormulasOrSamplesAreRefused) {
  EXPECT_REFUSED(signal_of_formulas({}, 0.1, 10, "m"), "0 formulas at 10 samples of 0.1 s");
  EXPECT_REFUSED(signal_of_formulas({"t"}, 0.1, 1, "m"), "at 1 samples");
  EXPECT_REFUSED(signal_of_formulas({"t"}, 0, 10, "m"), "a positive step");
  for (const char* name : {"t", "T", "pi", "deg", "", "2a", "a b", "a-b"})
    EXPECT_REFUSED(signal_of_formulas({"t"}, 0.1, 10, "m", {{name, Eigen::VectorXd::Zero(10)}}),
                   "cannot name a variable of formulas");
  const FormulaVariable a{"a", Eigen::VectorXd::Zero(10)};
  EXPECT_REFUSED(signal_of_formulas({"t"}, 0.1, 10, "m", {a, a}), "'a' cannot name");
  EXPECT_REFUSED(signal_of_formulas({"t"}, 0.1, 9, "m", {a}), "'a' of formulas has 10 samples; 9 are asked for");
}

}  // namespace
}  // namespace holo
