// Every elementary function in every scalar, alone and in lanes, up to third derivatives, against mixed central differences in
// 100-digit arithmetic (step 1e-20, so their error is 1e-40).
#include "elementary_functions.h"

#include <gtest/gtest.h>

#include <random>
#include <set>

#include "elementary_scalars.h"

namespace holo {

std::vector<TestedScalar>& tested_scalars() {
  static std::vector<TestedScalar> scalars;
  return scalars;
}

namespace {

#ifdef NDEBUG
constexpr int point_count = 400;
#else
constexpr int point_count = 24;  // 100 digits take ten times as long without optimization
#endif
constexpr double epsilon = 2.220446049250313e-16;
using Directions = TestedScalar::Directions;

struct Function {
  const char* name;
  bool of_two_numbers;
  double x_low, x_high, y_low, y_high;
  Reference (*reference)(const Reference&, const Reference&);
};
#define REFERENCE(label, binary, xl, xh, yl, yh, expected) \
  Function{label,                                          \
           binary,                                         \
           xl,                                             \
           xh,                                             \
           yl,                                             \
           yh,                                             \
           []([[maybe_unused]] const Reference& x, [[maybe_unused]] const Reference& y) -> Reference { return expected; }},
#define UNARY(expression, low, high, expected) REFERENCE(#expression, false, low, high, 0.5, 1, expected)
#define BINARY(expression, xl, xh, yl, yh, expected) REFERENCE(#expression, true, xl, xh, yl, yh, expected)
const Function functions[] = {HOLO_ELEMENTARY_FUNCTIONS(UNARY, BINARY)};

using Coefficients = std::array<Reference, entry_count>;

// What is stretched by 1 + 1e-12, to see how sensitive the coefficients are.
enum class Stretched { nothing, x, y, dx_1, dx_2, dx_3 };

// The pure derivative of order n along the first direction, with a longer step: it divides rounding by the step to the n.
Reference pure_difference(const Function& f, const DirectionalPoint& p, Stretched stretched, int n) {
  static const Reference h("1e-13"), more = 1 + Reference("1e-12"), one = 1;
  Reference sum = 0, binomial = 1;
  for (int k = 0; k <= n; ++k) {
    const Reference t = (n - 2 * k) * h;
    const Reference x =
        (stretched == Stretched::x ? more : one) * p.x + t * (stretched == Stretched::dx_1 ? more : one) * p.dx[0];
    const Reference y = (stretched == Stretched::y ? more : one) * p.y + t * p.dy[0];
    sum += (k % 2 == 0 ? binomial : Reference(-binomial)) * f.reference(x, y);
    binomial = binomial * (n - k) / (k + 1);
  }
  return sum / mp::pow(2 * h, n);
}

// From the values at the corners (+-h, +-h, +-h).
Coefficients mixed_differences(const Function& f, const DirectionalPoint& p, Stretched stretched) {
  static const Reference h("1e-20"), more = 1 + Reference("1e-12"), one = 1;
  Coefficients c;
  for (int corner = 0; corner < 8; ++corner) {
    Reference x = (stretched == Stretched::x ? more : one) * p.x, y = (stretched == Stretched::y ? more : one) * p.y;
    for (int k = 0; k < 3; ++k) {
      const int sign = corner >> k & 1 ? -1 : 1;
      x += sign * h * (int(stretched) == int(Stretched::dx_1) + k ? more : one) * p.dx[k];
      y += sign * h * p.dy[k];
    }
    const Reference value = f.reference(x, y);
    for (int s = 0; s < 8; ++s) c[s] += bit_count(s & corner) % 2 == 0 ? value : Reference(-value);
  }
  for (int s = 0; s < 8; ++s) c[s] /= 8 * mp::pow(h, bit_count(s));
  for (int s = fourth; s < entry_count; ++s) c[s] = pure_difference(f, p, stretched, order_of(s));
  return c;
}

struct Expected {
  Coefficients value;
  std::array<double, entry_count> condition;  // |coefficient| + what a relative change of each input does to it
};

Expected expect(const Function& f, const DirectionalPoint& p) {
  using enum Stretched;
  Expected e{mixed_differences(f, p, nothing), {}};
  Coefficients condition;
  for (int s = 0; s < entry_count; ++s) condition[s] = mp::abs(e.value[s]);
  for (Stretched stretched : {x, y, dx_1, dx_2, dx_3}) {
    if (stretched != x && !f.of_two_numbers) continue;
    const Coefficients moved = mixed_differences(f, p, stretched);
    for (int s = 0; s < entry_count; ++s) condition[s] += mp::abs(moved[s] - e.value[s]) * 1e12;
  }
  for (int s = 0; s < entry_count; ++s) e.condition[s] = static_cast<double>(condition[s]);
  return e;
}

DirectionalPoint random_point(const Function& f, Directions directions, std::mt19937_64& random) {
  std::uniform_real_distribution<double> unit(0, 1), direction(-2, 2);
  const auto x = [&] { return f.x_low + (f.x_high - f.x_low) * unit(random); };
  const auto y = [&] { return f.y_low + (f.y_high - f.y_low) * unit(random); };
  DirectionalPoint p{x(), y(), {}, {}, 0, 0};
  for (int k = 0; k < 3; ++k) {
    p.dx[k] = directions == Directions::equal && k > 0 ? p.dx[0] : direction(random);
    p.dy[k] = directions == Directions::equal && k > 0 ? p.dy[0] : direction(random);
  }
  p.other_x = x(), p.other_y = y();
  if (directions == Directions::axes) {
    p.dx = {1, 0, 1};
    p.dy = {0, 1, 0};
  }
  return p;
}

// Largest error over all points in units of the scalar's rounding x conditioning. The recurrences of long series add as many
// terms as the order has, each rounded.
struct Worst {
  double ratio = 0, magnitude = 0;
  void add(double found, const Expected& e, int entry, double ulps) {
    const double error = static_cast<double>(mp::abs(found - e.value[entry]));
    const double roundings = order_of(entry) > 3 ? ulps * order_of(entry) : ulps;
    const double allowed = roundings * epsilon * e.condition[entry] + 1e-32;  // what the differences lose
    if (!(error / allowed <= ratio)) ratio = error / allowed;                 // keeps a NaN
    magnitude = std::max(magnitude, std::abs(found));
  }
};

class ElementaryFunctions : public ::testing::TestWithParam<int> {};

TEST_P(ElementaryFunctions, EqualMixedCentralDifferencesInHundredDigits) {
  const Function& f = functions[GetParam()];
  const auto& scalars = tested_scalars();
  ASSERT_FALSE(scalars.empty());
  std::vector<Worst> worst(scalars.size());
  std::mt19937_64 random(29 + GetParam());
  for (int i = 0; i < point_count; ++i) {
    const Directions directions = std::array{Directions::any, Directions::equal, Directions::axes}[i % 3];
    const DirectionalPoint p = random_point(f, directions, random);
    const Expected e = expect(f, p);
    for (std::size_t k = 0; k < scalars.size(); ++k) {
      if (scalars[k].directions != Directions::any && scalars[k].directions != directions) continue;
      if (scalars[k].functions[GetParam()] == nullptr) continue;  // compared with a list below
      const MixedDerivatives found = scalars[k].functions[GetParam()](p);
      for (int s = 0; s < entry_count; ++s)
        if (order_of(s) <= scalars[k].order) worst[k].add(found[s], e, s, scalars[k].ulps);
    }
  }
  for (std::size_t k = 0; k < scalars.size(); ++k) {
    if (scalars[k].functions[GetParam()] == nullptr) continue;
    EXPECT_GT(worst[k].magnitude, 0) << f.name << ": the check is vacuous";
    EXPECT_LE(worst[k].ratio, 1) << f.name << ", " << scalars[k].name;
  }
}

TEST(ElementaryFunctionsOfTheGraph, AreAllButThese) {
  const std::set<std::string> absent{"erf",  "clamp", "rational_pow", "floor",
                                     "ceil", "round", "sign",         "hypot with three arguments"};
  std::set<std::string> found;
  for (const TestedScalar& scalar : tested_scalars())
    for (std::size_t k = 0; k < scalar.functions.size(); ++k)
      if (scalar.functions[k] == nullptr) {
        EXPECT_EQ(std::string(scalar.name).rfind("graph", 0), 0u) << scalar.name << " lacks " << functions[k].name;
        const std::string name = functions[k].name;
        const std::size_t begin = name.front() == '(' ? 1 : 0;
        const bool three = name.rfind("hypot(x, y, ", 0) == 0;
        found.insert(three ? "hypot with three arguments" : name.substr(begin, name.find_first_of("(<", begin) - begin));
      }
  EXPECT_EQ(found, absent);
}

INSTANTIATE_TEST_SUITE_P(AllScalars, ElementaryFunctions, ::testing::Range(0, int(std::size(functions))));

}  // namespace
}  // namespace holo
