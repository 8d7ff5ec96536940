#include "scalar_function.h"

#include <random>

namespace holo::benchmark {
namespace {

// f^(n) = exp(x) numerator_n(x) / D^(n+1), D = x^4 + x^2 + 1, coefficients from the constant upwards.
constexpr double numerator1[] = {1, -2, 1, -4, 1};
constexpr double numerator2[] = {-1, -4, -4, -12, 21, -12, 22, -8, 1};
constexpr double numerator3[] = {-5, -6, -21, 96, 36, 102, 103, -192, 120, -150, 63, -12, 1};

template <class S, std::size_t n>
S horner(const double (&coefficients)[n], S x) {
  S sum = S(coefficients[n - 1]);
  for (std::size_t k = n - 1; k-- > 0;) sum = sum * x + S(coefficients[k]);
  return sum;
}

// The first coding: one quotient of polynomials.
template <int order, class S>
S by_quotient(S x) {
  const S x2 = x * x, D = x2 * x2 + x2 + 1, D2 = D * D;
  if constexpr (order == 1) return std::exp(x) * horner(numerator1, x) / D2;
  if constexpr (order == 2) return std::exp(x) * horner(numerator2, x) / (D2 * D);
  if constexpr (order == 3) return std::exp(x) * horner(numerator3, x) / (D2 * D2);
}

// The second: one reciprocal u = 1/D and the slopes of the logarithm. With a = D' u, f = exp(x) u:
// f' = f (1 - a), f'' = f ((1 - a)^2 - a'), f''' = f ((1 - a)^3 - 3 (1 - a) a' - a''),
// a' = D'' u - a^2, a'' = D''' u - 3 a D'' u + 2 a^3.
template <int order>
double by_logarithm(double x) {
  const double x2 = x * x, u = 1 / (x2 * x2 + x2 + 1), f = std::exp(x) * u;
  const double a = x * (4 * x2 + 2) * u, b = 1 - a;
  if constexpr (order == 1) return f * b;
  const double D2u = (12 * x2 + 2) * u, da = D2u - a * a;
  if constexpr (order == 2) return f * (b * b - da);
  const double dda = 24 * x * u + a * (2 * a * a - 3 * D2u);
  return f * (b * (b * b - 3 * da) - dda);
}

template <int order>
double forward_difference(double x) {
  const auto f = scalar_function<double>;
  if constexpr (order == 1) {
    constexpr double h = 0x1p-26;
    return (f(x + h) - f(x)) / h;
  } else if constexpr (order == 2) {
    constexpr double h = 0x1p-17;
    return (f(x + 2 * h) - 2 * f(x + h) + f(x)) / (h * h);
  } else {
    constexpr double h = 0x1p-13;
    return (f(x + 3 * h) - 3 * f(x + 2 * h) + 3 * f(x + h) - f(x)) / (h * h * h);
  }
}

template <int order>
double central_difference(double x) {
  const auto f = scalar_function<double>;
  if constexpr (order == 1) {
    constexpr double h = 0x1p-17;
    return (f(x + h) - f(x - h)) / (2 * h);
  } else if constexpr (order == 2) {
    constexpr double h = 0x1p-13;
    return (f(x + h) - 2 * f(x) + f(x - h)) / (h * h);
  } else {
    constexpr double h = 0x1p-10;
    return (f(x + 2 * h) - 2 * f(x + h) + 2 * f(x - h) - f(x - 2 * h)) / (2 * h * h * h);
  }
}

template <class AddOrder>
void at_order(int order, AddOrder add) {
  if (order == 1) add(std::integral_constant<int, 1>{});
  if (order == 2) add(std::integral_constant<int, 2>{});
  if (order == 3) add(std::integral_constant<int, 3>{});
}

std::vector<double> scalar_points(std::size_t count) {
  std::mt19937_64 random(7);
  std::uniform_real_distribution<double> near_four(3.95, 4.25);
  std::vector<double> points(count);
  for (double& x : points) x = near_four(random);
  return points;
}

// With the 64 bits of a long double where there is one.
double scalar_reference(int order, double x) {
  const auto wide = static_cast<long double>(x);
  return double(order == 1 ? by_quotient<1>(wide) : order == 2 ? by_quotient<2>(wide) : by_quotient<3>(wide));
}

}  // namespace

void add_hand_written(std::vector<Mode>& modes, int order, const std::vector<double>& points) {
  at_order(order, [&]<int n>(std::integral_constant<int, n>) {
    modes.push_back(
        point_by_point("hand-written, quotient", Family::analytic, points, [](double x) { return by_quotient<n>(x); }));
    modes.push_back(
        point_by_point("hand-written, logarithm", Family::analytic, points, [](double x) { return by_logarithm<n>(x); }));
  });
  for (Mode& mode : modes) mode.is_yardstick = mode.family == Family::analytic;
}

// Truncation and rounding are balanced by the steps, at about 2^-26, 2^-17, 2^-13 forward and 2^-34, 2^-26, 2^-20 central,
// times ratios of f and its derivatives (f / f' is up to 50 here, f / f''' 15).
void add_differences(std::vector<Mode>& modes, int order, const std::vector<double>& points) {
  at_order(order, [&]<int n>(std::integral_constant<int, n>) {
    constexpr double forward[] = {0x1p-26, 0x1p-17, 0x1p-13}, central[] = {0x1p-34, 0x1p-26, 0x1p-20}, ratios = 500;
    modes.push_back(point_by_point("forward difference", Family::differences, points, forward_difference<n>));
    modes.back().tolerance = ratios * forward[n - 1];
    modes.push_back(point_by_point("central difference", Family::differences, points, central_difference<n>));
    modes.back().tolerance = ratios * central[n - 1];
  });
}

Results compare_scalar_function(std::size_t count, int repeats) {
  constexpr double allowed[] = {1.15, 1.3, 1.5}, goals[] = {1.0, 1.1, 1.1};
  constexpr const char* quantities[] = {"1st derivative", "2nd derivative", "3rd derivative"};
  const std::vector<double> points = scalar_points(count);
  Results results;
  for (int order = 1; order <= 3; ++order) {
    // The terms of f' are up to a hundred times its size here, those of f'' and f''' some hundred times, each rounded a few
    // times.
    Problem problem = {
        "scalar function", "exp(x)/(x^4+x^2+1)", quantities[order - 1], count, 1, order == 1 ? 1e-13 : 2e-13, {}};
    for (double x : points) problem.reference.push_back(scalar_reference(order, x));
    std::vector<Mode> modes;
    add_hand_written(modes, order, points);
    add_differences(modes, order, points);
    add_complex_steps(modes, order, points);
    add_graphs(modes, order, points);
    add_tapes(modes, order, points);
#ifdef HOLO_BENCHMARK_ADOLC
    add_adolc(modes, order, points);
#endif
    add_boost(modes, order, points);
    const std::vector<Row> rows = compare(problem, modes, repeats, 8);
    for (const Row& row : rows)
      if (row.family == Family::shipped)
        results.gates.push_back({problem.part, problem.name, problem.quantity, row.mode + " over hand-written", row.ratio,
                                 allowed[order - 1], goals[order - 1], ""});
    results.rows.insert(results.rows.end(), rows.begin(), rows.end());
  }
  return results;
}

}  // namespace holo::benchmark
