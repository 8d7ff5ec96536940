#include "holo/comparison/ipopt_solver.h"

#include "holo/core/error.h"

#ifdef HOLO_COMPARISON_IPOPT
#include "trajectories/ipopt_problem.h"
#endif

namespace holo::comparison {

std::string how_to_get_ipopt() {
  return "install Ipopt (Debian and Ubuntu: coinor-libipopt-dev), then configure and build again without "
         "-DHOLO_ENABLE_IPOPT=OFF";
}

#ifdef HOLO_COMPARISON_IPOPT

namespace {

std::string status_text(Ipopt::ApplicationReturnStatus status) {
  switch (status) {
    case Ipopt::Solve_Succeeded:
      return "converged";
    case Ipopt::Solved_To_Acceptable_Level:
      return "acceptable";
    case Ipopt::Maximum_Iterations_Exceeded:
      return "iteration_limit";
    case Ipopt::Infeasible_Problem_Detected:
      return "infeasible";
    default:
      return "failed";
  }
}

}  // namespace

bool has_ipopt() { return true; }

IpoptSolution solve_by_ipopt(EqualityConstrainedProblem& problem, const Eigen::VectorXd& start, const IpoptOptions& options) {
  IpoptRun run(options.tolerance);
  run.set("linear_solver", "mumps");
  run.set("max_iter", options.max_iterations);
  const IpoptResult result = run.solve(problem, start);
  return {status_text(result.status), result.point.size() > 0 ? result.point : start, result.seconds, result.history};
}

#else

bool has_ipopt() { return false; }

IpoptSolution solve_by_ipopt(EqualityConstrainedProblem&, const Eigen::VectorXd&, const IpoptOptions&) {
  throw Error(Failure::environment, "this build has no Ipopt; " + how_to_get_ipopt() + ".");
}

#endif

}  // namespace holo::comparison
