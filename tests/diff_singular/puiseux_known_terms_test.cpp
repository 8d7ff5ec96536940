// What a series claims to know it knows: with few terms, every coefficient below end() is that of the same expression with many
// terms. A range that is too long would pass zeros for coefficients, and wrong derivatives for right ones.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include "holo/diff/singular/puiseux.h"

namespace holo {
namespace {

struct Case {
  const char* name;
  std::function<Puiseux(const Puiseux&)> f;
};
// Poles, fractional powers, cancellation and division, in every order.
const std::vector<Case> cases = {
    {"exp(d) / d", [](const Puiseux& d) { return exp(d) / d; }},
    {"(1/d) exp(d)", [](const Puiseux& d) { return (1.0 / d) * exp(d); }},
    {"exp(d) (1/d)", [](const Puiseux& d) { return exp(d) * (1.0 / d); }},
    {"exp(d) sqrt(d)", [](const Puiseux& d) { return exp(d) * sqrt(d); }},
    {"cot(d) exp(d)", [](const Puiseux& d) { return cos(d) / sin(d) * exp(d); }},
    {"1 / (d exp(d))", [](const Puiseux& d) { return 1.0 / (d * exp(d)); }},
    {"d^2 / sin(d)", [](const Puiseux& d) { return d * d / sin(d); }},
    {"(1 + d) / (exp(d) - 1)", [](const Puiseux& d) { return (1.0 + d) / (exp(d) - 1.0); }},
    {"exp(d) / (exp(d) - 1)^2", [](const Puiseux& d) { return exp(d) / pow(exp(d) - 1.0, 2); }},
    {"log(1 + sqrt(d)) / cbrt(d)", [](const Puiseux& d) { return log(1.0 + sqrt(d)) / cbrt(d); }},
    {"sqrt(sin(d))", [](const Puiseux& d) { return sqrt(sin(d)); }},
    {"(sin(d) / exp(d))^(2/3)", [](const Puiseux& d) { return rational_pow<2, 3>(sin(d) / exp(d)); }},
    {"sin(d)^(-3/2)", [](const Puiseux& d) { return pow(sin(d), -1.5); }},
    {"(cos(d) - 1) / d^2", [](const Puiseux& d) { return (cos(d) - 1.0) / (d * d); }},
    {"exp(d) / (1 - d) + 1/d", [](const Puiseux& d) { return exp(d) / (1.0 - d) + 1.0 / d; }},
    {"tan(d) - sin(d)", [](const Puiseux& d) { return tan(d) - sin(d); }},
    {"asin(1 - d) exp(sqrt(d))", [](const Puiseux& d) { return asin(1.0 - d) * exp(sqrt(d)); }},
    {"atan(1/d) / d", [](const Puiseux& d) { return atan(1.0 / d) / d; }},
};

class KnownTerms : public ::testing::TestWithParam<int> {};

TEST_P(KnownTerms, AreThoseOfTheSameExpressionWithManyTerms) {
  const Case& c = cases[std::size_t(GetParam())];
  const Puiseux few = c.f(Puiseux::seed(0, 1, Puiseux::least_terms)), many = c.f(Puiseux::seed(0, 1, Puiseux::most_terms));
  ASSERT_TRUE(few.is_known() && many.is_known()) << c.name;
  ASSERT_FALSE(few.is_exact()) << c.name;
  ASSERT_GT(many.end(), few.end()) << c.name;
  ASSERT_GT(few.size(), 1) << c.name;
  double size = 1;
  for (int e = many.lead(); e < few.end(); ++e) size = std::max(size, std::abs(many.coefficient(e)));
  for (int e = std::min(few.lead(), many.lead()); e < few.end(); ++e)
    EXPECT_NEAR(few.coefficient(e), many.coefficient(e), 1e-13 * size) << c.name << ", d^(" << e << "/6)";
}

INSTANTIATE_TEST_SUITE_P(Puiseux, KnownTerms, ::testing::Range(0, int(cases.size())));

}  // namespace
}  // namespace holo
