#pragma once
// Problems with equations and known minima, of the collection of W. Hock and K. Schittkowski (1981), by its numbers.

#include <cmath>
#include <stdexcept>
#include <string>
#include <vector>

#include "complex_step_problem.h"

namespace holo::test {

// Squares are residuals, with Gauss-Newton's model; the others have the Hessians of their Lagrangians.
struct KnownProblem {
  std::string name;
  Eigen::VectorXd start;
  double minimum;
  int constraints;
  std::function<Eigen::VectorXcd(const Eigen::VectorXcd&)> residuals, equations;
  std::function<std::complex<double>(const Eigen::VectorXcd&)> objective;
};

inline ComplexStepProblem make(const KnownProblem& known) {
  ComplexStepProblem problem(int(known.start.size()), known.constraints);
  problem.residuals = known.residuals;
  problem.constraints = known.equations;
  problem.objective = known.objective;
  return problem;
}

inline std::vector<KnownProblem> known_problems() {  // NOLINT: a list
  const double r2 = std::sqrt(2.0);
  return {{"HS6",
           reals({-1.2, 1}),
           0,
           1,
           [](const Eigen::VectorXcd& x) { return values({1.0 - x[0]}); },
           [](const Eigen::VectorXcd& x) { return values({10.0 * (x[1] - square(x[0]))}); },
           {}},
          {"HS7",
           reals({2, 2}),
           -std::sqrt(3.0),
           1,
           {},
           [](const Eigen::VectorXcd& x) { return values({square(1.0 + square(x[0])) + square(x[1]) - 4.0}); },
           [](const Eigen::VectorXcd& x) { return std::log(1.0 + square(x[0])) - x[1]; }},
          {"HS26",
           reals({-2.6, 2, 2}),
           0,
           1,
           [](const Eigen::VectorXcd& x) {
             return values({x[0] - x[1], square(x[1] - x[2])});
           },
           [](const Eigen::VectorXcd& x) { return values({(1.0 + square(x[1])) * x[0] + square(square(x[2])) - 3.0}); },
           {}},
          {"HS27",
           reals({2, 2, 2}),
           0.04,
           1,
           [](const Eigen::VectorXcd& x) {
             return values({0.1 * (x[0] - 1.0), x[1] - square(x[0])});
           },
           [](const Eigen::VectorXcd& x) { return values({x[0] + square(x[2]) + 1.0}); },
           {}},
          {"HS28",
           reals({-4, 1, 1}),
           0,
           1,
           [](const Eigen::VectorXcd& x) {
             return values({x[0] + x[1], x[1] + x[2]});
           },
           [](const Eigen::VectorXcd& x) { return values({x[0] + 2.0 * x[1] + 3.0 * x[2] - 1.0}); },
           {}},
          {"HS39",
           reals({2, 2, 2, 2}),
           -1,
           2,
           {},
           [](const Eigen::VectorXcd& x) {
             return values({x[1] - cube(x[0]) - square(x[2]), square(x[0]) - x[1] - square(x[3])});
           },
           [](const Eigen::VectorXcd& x) { return -x[0]; }},
          {"HS40",
           reals({0.8, 0.8, 0.8, 0.8}),
           -0.25,
           3,
           {},
           [](const Eigen::VectorXcd& x) {
             return values({cube(x[0]) + square(x[1]) - 1.0, square(x[0]) * x[3] - x[2], square(x[3]) - x[1]});
           },
           [](const Eigen::VectorXcd& x) { return -x[0] * x[1] * x[2] * x[3]; }},
          {"HS42",
           reals({1, 1, 1, 1}),
           28 - 10 * r2,
           2,
           [](const Eigen::VectorXcd& x) {
             return values({x[0] - 1.0, x[1] - 2.0, x[2] - 3.0, x[3] - 4.0});
           },
           [](const Eigen::VectorXcd& x) {
             return values({x[0] - 2.0, square(x[2]) + square(x[3]) - 2.0});
           },
           {}},
          {"HS46",
           reals({r2 / 2, 1.75, 0.5, 2, 2}),
           0,
           2,
           [](const Eigen::VectorXcd& x) {
             return values({x[0] - x[1], x[2] - 1.0, square(x[3] - 1.0), cube(x[4] - 1.0)});
           },
           [](const Eigen::VectorXcd& x) {
             return values({square(x[0]) * x[3] + std::sin(x[3] - x[4]) - 1.0, x[1] + square(square(x[2]) * x[3]) - 2.0});
           },
           {}},
          {"HS48",
           reals({3, 5, -3, 2, -2}),
           0,
           2,
           [](const Eigen::VectorXcd& x) {
             return values({x[0] - 1.0, x[1] - x[2], x[3] - x[4]});
           },
           [](const Eigen::VectorXcd& x) {
             return values({x.sum() - 5.0, x[2] - 2.0 * (x[3] + x[4]) + 3.0});
           },
           {}},
          {"HS49",
           reals({10, 7, 2, -3, 0.8}),
           0,
           2,
           [](const Eigen::VectorXcd& x) {
             return values({x[0] - x[1], x[2] - 1.0, square(x[3] - 1.0), cube(x[4] - 1.0)});
           },
           [](const Eigen::VectorXcd& x) {
             return values({x[0] + x[1] + x[2] + 4.0 * x[3] - 7.0, x[2] + 5.0 * x[4] - 6.0});
           },
           {}},
          {"HS50",
           reals({35, -31, 11, 5, -5}),
           0,
           3,
           [](const Eigen::VectorXcd& x) {
             return values({x[0] - x[1], x[1] - x[2], square(x[2] - x[3]), x[3] - x[4]});
           },
           [](const Eigen::VectorXcd& x) {
             return values({x[0] + 2.0 * x[1] + 3.0 * x[2] - 6.0, x[1] + 2.0 * x[2] + 3.0 * x[3] - 6.0,
                            x[2] + 2.0 * x[3] + 3.0 * x[4] - 6.0});
           },
           {}},
          {"HS51",
           reals({2.5, 0.5, 2, -1, 0.5}),
           0,
           3,
           [](const Eigen::VectorXcd& x) {
             return values({x[0] - x[1], x[1] + x[2] - 2.0, x[3] - 1.0, x[4] - 1.0});
           },
           [](const Eigen::VectorXcd& x) {
             return values({x[0] + 3.0 * x[1] - 4.0, x[2] + x[3] - 2.0 * x[4], x[1] - x[4]});
           },
           {}},
          {"HS52",
           reals({2, 2, 2, 2, 2}),
           1859.0 / 349,
           3,
           [](const Eigen::VectorXcd& x) {
             return values({4.0 * x[0] - x[1], x[1] + x[2] - 2.0, x[3] - 1.0, x[4] - 1.0});
           },
           [](const Eigen::VectorXcd& x) {
             return values({x[0] + 3.0 * x[1], x[2] + x[3] - 2.0 * x[4], x[1] - x[4]});
           },
           {}},
          {"HS79",
           reals({2, 2, 2, 2, 2}),
           0.0787768209,
           3,
           [](const Eigen::VectorXcd& x) {
             return values({x[0] - 1.0, x[0] - x[1], x[1] - x[2], square(x[2] - x[3]), square(x[3] - x[4])});
           },
           [r2](const Eigen::VectorXcd& x) {
             return values({x[0] + square(x[1]) + cube(x[2]) - 2.0 - 3 * r2, x[1] - square(x[2]) + x[3] + 2.0 - 2 * r2,
                            x[0] * x[4] - 2.0});
           },
           {}}};
}

// The one of a name that the list has.
inline KnownProblem known_problem(const std::string& name) {
  for (const KnownProblem& known : known_problems())
    if (known.name == name) return known;
  throw std::out_of_range(name);
}

}  // namespace holo::test
