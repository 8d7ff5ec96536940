// An iteration of trajectory optimization and its parts: walks of the mammal and of the chain, by number of time steps. The
// Jacobians in closed form are compared with those by complex steps of the residual, turn by turn.
#include <fmt/format.h>

#include <cmath>

#include "command_line.h"
#include "holo/core/numerics/parallel.h"
#include "holo/core/plugins/plugin_host.h"
#include "holo/diff/scalars/complex.h"
#include "holo/opt/trajectory/trust_region_sqp.h"
#include "holo/sim/articulated/dynamics/contact_weights.h"
#include "holo/sim/articulated/dynamics/procedural_characters.h"
#include "holo/sim/articulated/dynamics/step_jacobians.h"
#include "holo/sim/articulated/dynamics/step_memory.h"
#include "holo/sim/articulated/trajectory/static_pose.h"
#include "holo/sim/articulated/trajectory/trajectory_problem.h"
#include "measuring.h"

namespace holo::benchmark {
namespace {

using namespace articulated;

struct Walk {
  const char* character;
  int steps;
  double time_step;         // [s]
  double gate_ms, goal_ms;  // of an iteration; 0: not judged
};

constexpr double gate_derivatives_ms = 15;  // of residuals and Jacobians of the judged walks
constexpr double gate_complex_step = 5;     // times of the closed form

std::unique_ptr<TrajectoryModel> make_model(const Walk& walk) {
  TrajectoryModel::Definition definition;
  definition.character = std::make_shared<const CharacterModel>(procedural_character(walk.character));
  const CharacterModel& character = *definition.character;
  definition.obstacles.resize(1);
  definition.step.obstacles = definition.obstacles.data();
  definition.step.obstacle_count = 1;
  definition.step.time_step = definition.data.time_step = walk.time_step;
  const double weight = character.total_mass() * 9.81;
  const ContactWeights contact = contact_weights(weight, int(character.contact_points().size()));
  definition.step.normal_weight = contact.normal;
  definition.step.tangential_weight = contact.tangential;
  definition.steps = walk.steps;
  const StaticPose pose = find_static_pose(character, definition.step, character.rest());
  if (!pose.is_found) throw Error(Failure::internal, pose.diagnosis);
  definition.start = definition.before = pose.pose;
  static const PluginHost plugins;
  definition.data.signals = {Eigen::Vector3d(0.5, 0, 0), Eigen::Vector3d(1, 1, 1)};
  definition.losses.push_back(
      {"walk",
       std::make_shared<const LossInstance>(create_loss(plugins.get<LossPlugin>("center_of_mass_velocity"),
                                                        {{"body", 0}, {"target", 0}, {"weight", 1}, {"scale", 1.0}})),
       {}});
  definition.effort_unit = characteristic_torque(character, pose.pose, 9.81);
  return std::make_unique<TrajectoryModel>(std::move(definition));
}

struct Times {
  double iteration = 0, evaluation = 0, linearization = 0;  // medians [s]; an iteration with its factorizations
  double residuals_and_jacobians = 0;                       // of all steps, one thread [s]
  double complex_step_ratio = 0;                            // complex steps over the closed form
};

// FD and its three Jacobians at all steps of the states on one thread, and the same by 3 n complex steps at a few of them.
void measure_kernels(const TrajectoryModel& model, const TrajectoryStates& states, Times& times) {
  const CharacterModel& character = model.character();
  const int n = character.dof_count();
  StepMemory<double> memory(character);
  StepMemory<Complex<double>> complex(character);
  std::vector<double> residual(std::size_t(n), 0.0), D[3];
  for (auto& matrix : D) matrix.resize(std::size_t(n) * std::size_t(n));
  std::vector<Complex<double>> values(std::size_t(n), Complex<double>(0.0));
  const auto closed_form = [&](int step) {
    step_residual(character.data(), model.step(), states.step_states(step), memory.workspace(), residual.data());
    step_jacobians(character.data(), model.step(), states.step_states(step), memory.workspace(), D[0].data(), D[1].data(),
                   D[2].data());
  };
  const auto complex_steps = [&](int step) {
    StateMemory<Complex<double>>* memories[3] = {&complex.newest, &complex.current, &complex.previous};
    for (int s = 0; s < 3; ++s) memories[s]->set(character, states.pose(step - s));
    for (auto* state : memories)
      for (std::size_t j = 0; j < std::size_t(n); ++j) {
        const double value = state->coordinates[j].value();
        state->coordinates[j] = Complex<double>::seed(value, 1.0);
        state->update(character);
        step_residual(character.data(), model.step(), complex.states(), complex.workspace(), values.data());
        state->coordinates[j] = Complex<double>(value);
        state->update(character);
      }
  };
  std::vector<double> closed, by_complex_steps, all;
  for (int turn = 0; turn < 9; ++turn) {
    closed.push_back(seconds_of(thread_seconds, [&] {
      for (int step = 1; step <= 20; ++step) closed_form(step);
    }));
    by_complex_steps.push_back(seconds_of(thread_seconds, [&] {
      for (int step = 1; step <= 20; ++step) complex_steps(step);
    }));
    all.push_back(seconds_of(thread_seconds, [&] {
      for (int step = 1; step <= states.steps(); ++step) closed_form(step);
    }));
  }
  times.residuals_and_jacobians = median(all);
  times.complex_step_ratio = median_ratio(by_complex_steps, closed);
}

Times measure(const Walk& walk, int iterations) {
  const std::unique_ptr<TrajectoryModel> model = make_model(walk);
  TrajectoryProblem problem(*model, TrajectoryBasis::spline(walk.steps, 10));
  Eigen::VectorXd point = problem.point(), gradient(point.size()), constraints(problem.constraint_count());
  problem.scale_losses(point);
  TrustRegionSqpOptions options;
  options.metric = TrustRegionMetric::identity;
  options.initial_radius = 1;
  TrustRegionSqp solver(problem, options);
  TrustRegionSqpState state = solver.begin();
  std::vector<double> whole, evaluations, linearizations;
  for (int k = 0; k < iterations; ++k) {
    TrustRegionSqpResult result;
    const double time = seconds_of(wall_seconds, [&] { result = solver.advance(point, state, 1); });
    if (result.iterations.empty() || result.iterations.back().factorizations == 0) continue;  // a refused trial before
    whole.push_back(time);
  }
  Times times;
  for (int k = 0; k < 15; ++k) {
    const Eigen::VectorXd moved = point * (1 + 1e-12 * (k + 1));  // another point, whose states are not known yet
    evaluations.push_back(seconds_of(wall_seconds, [&] { problem.evaluate(moved, constraints); }));
    linearizations.push_back(seconds_of(wall_seconds, [&] { problem.linearize(moved, constraints, gradient); }));
  }
  times.iteration = median(whole);
  times.evaluation = median(evaluations);
  times.linearization = median(linearizations);
  measure_kernels(*model, problem.states(point), times);
  return times;
}

int run(int argc, char** argv) {
  namespace po = boost::program_options;
  std::string json_path;
  int threads = 0, iterations = 40;
  po::options_description description("Times iterations of trajectory optimization.\nExit code 3: a gate is missed.\nOptions");
  description.add_options()("threads", whole_number("threads", threads, 0), "at most; 0: all of the machine")(
      "iterations", whole_number("iterations", iterations, 5), "of each walk")("json", po::value(&json_path),
                                                                               "write the results to this file");
  if (!read_options(argc, argv, description)) return 0;
  const ThreadLimit limit(threads);
  constexpr Walk walks[] = {{"mammal18", 100, 0.025, 0, 0}, {"mammal18", 200, 0.025, 0, 0},  {"mammal18", 400, 0.025, 60, 25},
                            {"mammal18", 800, 0.025, 0, 0}, {"mammal18", 1600, 0.025, 0, 0}, {"chain5", 800, 0.05, 80, 35}};
  fmt::print("{:>9} {:>5} | {:>12} {:>13} {:>16} | {:>14} {:>12}\n", "character", "N", "iteration ms", "evaluation ms",
             "linearization ms", "FD and D0-2 ms", "complex step");
  nlohmann::json json{{"benchmark", "trajectory_iteration"}};
  bool holds = true;
  double first = 0, last = 0;
  for (const Walk& walk : walks) {
    const Times times = measure(walk, iterations);
    fmt::print("{:>9} {:>5} | {:>12.2f} {:>13.2f} {:>16.2f} | {:>14.2f} {:>12.1f}\n", walk.character, walk.steps,
               1e3 * times.iteration, 1e3 * times.evaluation, 1e3 * times.linearization, 1e3 * times.residuals_and_jacobians,
               times.complex_step_ratio);
    std::fflush(stdout);
    json["walks"].push_back({{"character", walk.character},
                             {"steps", walk.steps},
                             {"iteration", times.iteration},
                             {"evaluation", times.evaluation},
                             {"linearization", times.linearization},
                             {"residuals_and_jacobians", times.residuals_and_jacobians},
                             {"complex_step_ratio", times.complex_step_ratio}});
    if (std::string(walk.character) == "mammal18" && walk.steps == 100) first = times.iteration;
    if (std::string(walk.character) == "mammal18" && walk.steps == 1600) last = times.iteration;
    holds &= times.complex_step_ratio >= gate_complex_step;
    if (walk.gate_ms == 0) continue;
    const bool is_fast = 1e3 * times.iteration <= walk.gate_ms && 1e3 * times.residuals_and_jacobians <= gate_derivatives_ms;
    fmt::print(
        "{} with {} steps: iteration {:.1f} ms, gate {:g} ms, goal {:g} ms; residuals and Jacobians {:.1f} ms, gate "
        "{:g} ms: {}\n",
        walk.character, walk.steps, 1e3 * times.iteration, walk.gate_ms, walk.goal_ms, 1e3 * times.residuals_and_jacobians,
        gate_derivatives_ms, is_fast ? "holds" : "MISSED");
    holds &= is_fast;
  }
  const double exponent = std::log(last / first) / std::log(16.0);
  fmt::print("time of an iteration over N from 100 to 1600: exponent {:.2f}\n", exponent);
  json["exponent"] = exponent;
  write_json_file(json_path, json);
  return holds ? 0 : 3;
}

}  // namespace
}  // namespace holo::benchmark

int main(int argc, char** argv) {
  return holo::benchmark::run_program("benchmark_trajectory_iteration", argc, argv, holo::benchmark::run);
}
