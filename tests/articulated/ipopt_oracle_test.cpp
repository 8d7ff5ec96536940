// Minima of trajectories against Ipopt, which gets the same problem. docs/trajectory-optimization.md#comparison-with-ipopt has
// the figures.
#include <gtest/gtest.h>

#ifndef HOLO_IPOPT

TEST(TrajectoriesAgainstIpopt, NeedIpopt) {
  GTEST_SKIP() << "Ipopt was not found when the build was configured; install coinor-libipopt-dev (third_party/README.md)";
}

#else

#include <fmt/format.h>

#include <chrono>

#include "holo/sim/articulated/trajectory/trajectory_stages.h"
#include "trajectories/ipopt_problem.h"
#include "trajectory_samples.h"

namespace holo::articulated::ipopt_oracle_tests {

using namespace test;
using comparison::IpoptResult, comparison::IpoptRun;
using Eigen::VectorXd;

// A walk that our solver has optimized from a character at rest, with a spline or single steps.
class OptimizedWalk {
 public:
  OptimizedWalk(const std::string& character, int steps, int segment_length)
      : model_(walk(character, steps)), stages_(model_, options(segment_length)), state_(stages_.begin()) {
    const auto begin = std::chrono::steady_clock::now();
    while (stages_.advance(state_, 1000)) {
    }
    EXPECT_TRUE(result().is_converged) << result().diagnosis;
    EXPECT_EQ(state_.recenterings, 0);  // the problem is the one that the solver saw
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    testing::Test::RecordProperty(
        "ours", fmt::format("E {:.10g} in {} iterations, {:.2g} s, C {:.1e}, stationarity {:.1e}", objective(),
                            result().iterations, seconds, result().values.reduced_violation, result().stationarity));
  }
  const TrajectoryStageResult& result() const { return state_.results[0]; }
  double objective() const { return result().values.objective(); }
  const VectorXd& point() const { return state_.point; }
  TrajectoryProblem& problem() { return stages_.problem(state_); }

  static TrustRegionSqpOptions solver_options() {
    TrustRegionSqpOptions options;
    options.max_iterations = 1000;
    options.metric = TrustRegionMetric::identity;
    return options;
  }

 private:
  static TrajectoryStagesOptions options(int segment_length) {
    TrajectoryStagesOptions options;
    options.spline_solver = options.polish_solver = solver_options();
    options.segment_length = segment_length;
    options.polish = false;
    return options;
  }

  TrajectoryModel model_;
  TrajectoryStages stages_;
  TrajectoryStagesState state_;
};

enum class IpoptMethod { newton, limited_memory };

// From the optimized walk, whose unknowns [m, rad] are moved at random by at most `perturbation`.
IpoptResult ipopt_near(OptimizedWalk& walk, unsigned seed, double perturbation, IpoptMethod method = IpoptMethod::newton) {
  IpoptRun run(1e-6);
  run.set("max_iter", 500);
  if (method == IpoptMethod::limited_memory) run.set("hessian_approximation", "limited-memory");
  const IpoptResult result = run.solve(walk.problem(), walk.point() + random_vector(walk.point().size(), seed, perturbation));
  const double distance = (result.point - walk.point()).cwiseAbs().maxCoeff();
  testing::Test::RecordProperty(
      fmt::format("ipopt_{}{}_{:g}", method == IpoptMethod::newton ? "" : "limited_memory_", seed, perturbation),
      fmt::format(
          "E {:.10g}, relative difference {:.1e}, in {} iterations, {:.2g} s, C {:.1e}, stationarity {:.1e}, distance {:.1e}",
          result.objective, result.objective / walk.objective() - 1, result.iterations, result.seconds,
          result.constraint_largest, result.stationarity, distance));
  return result;
}

void expect_the_minimum_of(const OptimizedWalk& walk, const IpoptResult& result) {
  EXPECT_NEAR(result.objective, walk.objective(), 1e-6 * walk.objective());
  EXPECT_LT(result.constraint_largest, 1e-6);
}

// The number of errors in the report of Ipopt's derivative checker; -1 without such a report.
int errors_found(const std::string& messages) {
  if (messages.find("No errors detected by derivative checker") != std::string::npos) return 0;
  const std::string_view before = "Derivative checker detected ";
  const std::size_t at = messages.find(before);
  return at == std::string::npos ? -1 : std::stoi(messages.substr(at + before.size()));
}

// Ipopt compares with forward differences over h = 1e-8, relative to the larger of an entry and 1. These err by h |C''| / 2,
// and contact has a C'' of about 2 w_n < 5e5 N/m^2 where A has entries of 1e4 N/m; so an entry near 1 may err by 2e-3. The
// largest difference here is 3.2e-4, of the mammal. C'' jumps where a contact begins, with the same bound: such kinks make no
// errors.
TEST(TrajectoriesAgainstIpopt, HaveNoErrorsForItsDerivativeChecker) {
  struct Case {
    const char* character;
    int segment_length;
  };
  for (const Case& given : {Case{"hopper6", 4}, {"hopper6", 1}, {"mammal18", 4}}) {
    SCOPED_TRACE(fmt::format("{}, L = {}", given.character, given.segment_length));
    const TrajectoryModel model = walk(given.character, 8);
    TrajectoryProblem problem(
        model, given.segment_length == 1 ? TrajectoryBasis::nodal(8) : TrajectoryBasis::spline(8, given.segment_length));
    problem.scale_losses(problem.point());
    IpoptRun run(1e-6);
    run.set("max_iter", 0);
    run.set("derivative_test", "first-order");
    run.set("derivative_test_tol", 1e-3);
    run.set("point_perturbation_radius", 0.0);  // the point moves by 3 cm here, which leaves some steps in contact
    run.solve(problem, problem.point() + random_vector(problem.unknown_count(), 7, 0.03));
    EXPECT_EQ(errors_found(run.messages()), 0) << run.messages();
  }
}

// E differs by less than the product of the solver's stationarity, 1e-5, and the distance of both points.
TEST(TrajectoriesAgainstIpopt, HaveItsMinimumOfAHoppersSpline) {
  OptimizedWalk walk("hopper6", 40, 10);
  for (const unsigned seed : {1, 2, 3}) {
    const IpoptResult result = ipopt_near(walk, seed, 1e-2);
    EXPECT_EQ(result.status, Ipopt::Solve_Succeeded);
    expect_the_minimum_of(walk, result);
  }
  // without any second derivatives; this may end where the decrease of E is below its rounding
  expect_the_minimum_of(walk, ipopt_near(walk, 5, 1e-2, IpoptMethod::limited_memory));
}

TEST(TrajectoriesAgainstIpopt, HaveItsMinimumOfAHoppersSingleSteps) {
  OptimizedWalk walk("hopper6", 40, 1);
  for (const unsigned seed : {1, 2}) {
    const IpoptResult result = ipopt_near(walk, seed, 1e-2);
    EXPECT_EQ(result.status, Ipopt::Solve_Succeeded);
    expect_the_minimum_of(walk, result);
  }
}

// With a convex E on C = 0 ours is above Ipopt's by at most our gradient of the Lagrangian times the distance of both points;
// Ipopt's gradient is 1e-9 here.
TEST(TrajectoriesAgainstIpopt, HaveItsMinimumOfAMammalsSpline) {
  OptimizedWalk walk("mammal18", 20, 10);
  const IpoptResult result = ipopt_near(walk, 5, 1e-2);
  EXPECT_EQ(result.status, Ipopt::Solve_Succeeded);
  EXPECT_LT(result.constraint_largest, 1e-6);
  const double distance = (result.point - walk.point()).lpNorm<1>();
  EXPECT_NEAR(result.objective, walk.objective(), walk.result().stationarity * distance);
  EXPECT_NEAR(result.objective, walk.objective(), 0.01 * walk.objective());  // whatever the distance
}

// From some starts Ipopt comes to another minimum, with a lower E. It is one of our solver as well, which returns to it, and
// from a start nearer to our minimum Ipopt comes to that.
void expect_two_minima(OptimizedWalk& walk, unsigned seed) {
  expect_the_minimum_of(walk, ipopt_near(walk, seed, 1e-3));
  const IpoptResult other = ipopt_near(walk, seed, 1e-2);
  EXPECT_EQ(other.status, Ipopt::Solve_Succeeded);
  VectorXd point = other.point + random_vector(other.point.size(), 9, 1e-5);
  const TrustRegionSqpResult ours = TrustRegionSqp(walk.problem(), OptimizedWalk::solver_options()).solve(point);
  EXPECT_EQ(ours.status, TrustRegionSqpStatus::converged) << ours.diagnosis;
  EXPECT_NEAR(ours.objective, other.objective, 1e-6 * other.objective);
  testing::Test::RecordProperty("ours_there",
                                fmt::format("E {:.10g} in {} iterations", ours.objective, ours.iterations.size()));
}

TEST(TrajectoriesAgainstIpopt, HaveItsOtherMinimumOfAHoppersSpline) {
  OptimizedWalk walk("hopper6", 40, 10);
  expect_two_minima(walk, 5);
}

TEST(TrajectoriesAgainstIpopt, HaveItsOtherMinimumOfAHoppersSingleSteps) {
  OptimizedWalk walk("hopper6", 40, 1);
  expect_two_minima(walk, 4);
}

}  // namespace holo::articulated::ipopt_oracle_tests

#endif
