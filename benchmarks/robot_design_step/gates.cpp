// The gates of kinematic design.
#include "results.h"

namespace holo::benchmark {
namespace {

const comparison::MeasuredRobot* find(const Results& results, const std::string& name) {
  for (const comparison::MeasuredRobot& robot : results.robots)
    if (robot.name == name) return &robot;
  return nullptr;
}

void add_general(const Results& results, std::vector<Gate>& gates) {
  struct Bound {
    const char* solver;
    double allowed, goal;
  };
  for (const comparison::MeasuredBaseline& baseline : results.baselines)
    for (const Bound& bound : {Bound{"sparse_lu", 30, 100}, Bound{"umfpack", 10, 100}, Bound{"umfpack_metis", 20, 40}})
      if (baseline.solver == bound.solver && baseline.time.knots > 0)
        gates.push_back({baseline.robot,
                         baseline.solver + " over arrow, one thread, " + std::to_string(baseline.time.knots) + " knots",
                         baseline.time.ratio(), bound.allowed, bound.goal, true});
}

}  // namespace

std::vector<Gate> gates_of(const Results& results) {
  std::vector<Gate> gates;
  for (const comparison::PaperRobot& paper : comparison::paper_robots())
    if (const auto* robot = find(results, paper.name); robot != nullptr && robot->knots == paper.knots)
      gates.push_back({robot->name, "time of an iteration on one core over the paper's on four",
                       robot->values.at("iteration.one_thread") / paper.iteration, 1.0 / 15, 1.0 / 50});
  add_general(results, gates);
  const auto *one = find(results, "biker"), *ten = find(results, "biker_1200");
  if (ten == nullptr || ten->knots != 1200) return gates;
  gates.push_back({ten->name, "memory [GB]", 1e-9 * ten->values.at("memory"), 1, 1});
  if (one == nullptr || one->knots != 120) return gates;
  const double growth = ten->values.at("iteration.over_other");
  gates.push_back({ten->name, "time of 1200 knots over that of 120, one thread, at most", growth, 12, 12});
  gates.push_back({ten->name, "the same, at least", growth, 8, 8, true});
  return gates;
}

}  // namespace holo::benchmark
