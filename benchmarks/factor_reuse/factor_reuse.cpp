// Time steps whose Newton directions come from conjugate gradients with the step's earlier factorizations, over the same steps
// with a factorization for each direction. Both motions advance by turns, each from its own state, so that the ratios of their
// processor times (of one thread) are those of one run on one machine; the counts do not depend on the machine.
//
// "work" is the ratio of factorizations and back-substitutions alone, by the costs that the solver assumes; these stand beside
// the measured ones.
//
// The scenes: a swinging bar of 30,000 tetrahedra without contact; a ball of 50,000 that turns, falls and lands on the ground
// with friction, of which the fall and the landing are judged. --file measures the scene of an experiment instead.
#include <fmt/format.h>

#include <filesystem>

#include "command_line.h"
#include "holo/core/configuration.h"
#include "holo/core/numerics/parallel.h"
#include "holo/core/plugins/plugin_host.h"
#include "holo/sim/contact/scene_contact.h"
#include "holo/sim/dynamics/implicit_euler.h"
#include "holo/sim/elastic/elastic_scene_definition.h"
#include "measuring.h"

namespace holo::benchmark {
namespace {

constexpr const char* swinging_bar = R"(scene:
  time_step: 0.01
  duration: 1
  bodies:
    - name: bar
      mesh: {shape: box, size: [1.2, 0.4, 0.4], elements: 30000}
      density: 1000
      material: {type: neo_hookean_paper, youngs_modulus: 1.0e5, poissons_ratio: 0.45}
      handles: [{subset: {box: {max: [0.05, 9, 9]}}, motion: {type: sinusoid, amplitude: [0, 0, 0.2], period: 1.0}}]
)";

// With the number of elements.
constexpr const char* dropped_ball = R"(scene:
  time_step: 0.01
  duration: 1
  bodies:
    - name: ball
      mesh: {{shape: sphere, radius: 0.1, elements: {}}}
      density: 1000
      material: {{type: stable_neo_hookean, youngs_modulus: 2.0e4, poissons_ratio: 0.4}}
      placement: {{translate: [0, 0, 0.112]}}
      initial: {{angular_velocity: [0, 3, 1]}}
      damping: {{mass_proportional: 0.1, stiffness_proportional: 0.005}}
  contact: {{activation_distance: 0.002, friction: {{stick_speed: 0.01}}}}
  obstacles: [{{name: ground, type: plane, point: [0, 0, 0], normal: [0, 0, 1], friction: 0.5}}]
)";

// The work of some steps by one of the two ways.
struct Work {
  int iterations = 0, factorizations = 0, back_substitutions = 0;
  double seconds = 0;
  void add(const Work& other) {
    iterations += other.iterations;
    factorizations += other.factorizations;
    back_substitutions += other.back_substitutions;
    seconds += other.seconds;
  }
};

struct Part {
  std::string name;
  int elements = 0, steps = 0;
  double solve_cost = 0, measured_cost = 0;  // of a back-substitution, in factorizations: as the solver assumes, and by time
  double difference = 0;                     // of the positions, over the scene's length
  Work factorize, reuse;
  double ratio() const { return reuse.seconds / factorize.seconds; }
};

Work take_step(ImplicitEuler& integrator, ElasticState& state) {
  ElasticStepResult result;
  const double seconds = seconds_of(thread_seconds, [&] { result = integrator.step(state); });
  if (result.newton.status != NewtonStatus::converged) throw Error(Failure::internal, result.newton.diagnosis);
  return {static_cast<int>(result.newton.iterations.size()), result.newton.factorizations, result.newton.back_substitutions,
          seconds};
}

ElasticScene build_scene(ConfigurationFile file, double& tolerance) {
  Configuration root = file.root(), section = root.section("scene"), solver = root.section("solver", "", false);
  tolerance = solver.number("tolerance", {.default_value = 1e-8});
  return ElasticScene(read_elastic_scene(section, PluginHost(), ElementDifferentiation::compiled));
}

// The time of a back-substitution over that of a factorization, at the end of the last step.
double measure_cost(ImplicitEuler& integrator, const ElasticState& state) {
  Eigen::VectorXd gradient, direction(state.positions.size());
  SparseMatrix hessian;
  integrator.potential().derivatives(state.positions, Curvature::projected, gradient, hessian);
  const auto solver = make_sparse_solver();
  solver->analyze(hessian);
  std::vector<double> costs;
  for (int turn = 0; turn < 5; ++turn) {
    const double factorization = seconds_of(thread_seconds, [&] { solver->factorize(hessian); });
    costs.push_back(seconds_of(thread_seconds, [&] { solver->solve(gradient, direction); }) / factorization);
  }
  return median(costs);
}

// The steps before the first in which a vertex touches an obstacle, and those from there on.
std::vector<Part> measure(const std::string& name, const ConfigurationFile& file, int steps) {
  double tolerance = 0;
  const ElasticScene scene = build_scene(file, tolerance);
  ImplicitEuler factorize(scene, {.tolerance = tolerance, .linear_solver = NewtonLinearSolver::factorize});
  ImplicitEuler reuse(scene, {.tolerance = tolerance, .linear_solver = NewtonLinearSolver::reuse});
  ElasticState factorized = initial_state(*scene.model), reused = factorized;
  std::vector<Part> parts(2);
  parts[0].name = name + ", free";
  parts[1].name = name + ", contact";
  bool touches = false;
  for (int step = 0; step < steps; ++step) {
    const Work a = take_step(factorize, factorized), b = take_step(reuse, reused);
    touches |= summarize_contact(scene.contact, factorized.positions, factorized.time).touching_vertices > 0;
    Part& part = parts[touches ? 1 : 0];
    ++part.steps;
    part.factorize.add(a);
    part.reuse.add(b);
    part.elements = scene.model->element_count();
    part.solve_cost = relative_cost_of_solve(factorize.workspace().factorization());
    part.difference = (factorized.positions - reused.positions).lpNorm<Eigen::Infinity>() / scene.model->length();
  }
  for (Part& part : parts) part.measured_cost = measure_cost(factorize, factorized);
  std::erase_if(parts, [](const Part& part) { return part.steps == 0; });
  return parts;
}

void print_header() {
  fmt::print("{:<26} {:>8} {:>5} {:>13} | {:>5} {:>5} {:>8} | {:>5} {:>5} {:>6} {:>8} | {:>5} {:>5} | {:>10}\n", "scene",
             "elements", "steps", "solve/fact.", "iter.", "fact.", "ms", "iter.", "fact.", "solves", "ms", "work", "time",
             "difference");
}

void print(const std::vector<Part>& parts) {
  for (const Part& p : parts) {
    const double work = (p.reuse.factorizations + p.solve_cost * (p.reuse.back_substitutions - p.reuse.factorizations)) /
                        double(p.factorize.factorizations);
    fmt::print(
        "{:<26} {:>8} {:>5} {:>6.3f} {:>6.3f} | {:>5} {:>5} {:>8.0f} | {:>5} {:>5} {:>6} {:>8.0f} | {:>5.2f} {:>5.2f} | "
        "{:>10.1e}\n",
        p.name, p.elements, p.steps, p.solve_cost, p.measured_cost, p.factorize.iterations, p.factorize.factorizations,
        1e3 * p.factorize.seconds, p.reuse.iterations, p.reuse.factorizations, p.reuse.back_substitutions,
        1e3 * p.reuse.seconds, work, p.ratio(), p.difference);
  }
}

// Prints the gates; false if one is missed.
bool judge(const std::vector<Part>& parts, nlohmann::json& json) {
  bool hold = true;
  for (const Part& part : parts) {
    const double goal = part.name.ends_with("free") ? 0.4 : 0.5;
    fmt::print("steps over always factorizing, {}: {:.3f}, gate <= 1 {}, goal {:g} {}\n", part.name, part.ratio(),
               part.ratio() <= 1 ? "holds" : "MISSED", goal, part.ratio() <= goal ? "reached" : "not reached");
    hold &= part.ratio() <= 1;
    const auto work = [](const Work& w) {
      return nlohmann::json{{"iterations", w.iterations},
                            {"factorizations", w.factorizations},
                            {"back_substitutions", w.back_substitutions},
                            {"seconds", w.seconds}};
    };
    json["parts"].push_back({{"name", part.name},
                             {"elements", part.elements},
                             {"steps", part.steps},
                             {"factorize", work(part.factorize)},
                             {"reuse", work(part.reuse)},
                             {"ratio", part.ratio()},
                             {"goal", goal},
                             {"solve_cost", part.solve_cost},
                             {"measured_solve_cost", part.measured_cost},
                             {"difference", part.difference}});
  }
  return hold;
}

int run(int argc, char** argv) {
  namespace po = boost::program_options;
  std::string json_path, file;
  int steps = 12, elements = 50'000;
  po::options_description description(
      "Times steps that use factorizations again, over always factorizing.\nExit code 3: a gate is missed.\nOptions");
  description.add_options()("file", po::value(&file), "an experiment, whose scene and solver.tolerance are taken")(
      "elements", whole_number("elements", elements, 100), "tetrahedra of the ball, about")(
      "steps", whole_number("steps", steps, 1), "time steps of each scene")("json", po::value(&json_path),
                                                                            "write the results to this file");
  if (!read_options(argc, argv, description)) return 0;
  const ThreadLimit one(1);
  std::vector<Part> parts;
  const auto add = [&](const std::string& name, const ConfigurationFile& scene) {
    const std::vector<Part> measured = measure(name, scene, steps);
    print(measured);
    std::fflush(stdout);
    parts.insert(parts.end(), measured.begin(), measured.end());
  };
  print_header();
  if (file.empty()) {
    add("swinging bar", ConfigurationFile::parse(swinging_bar, "swinging bar"));
    add("dropped ball", ConfigurationFile::parse(fmt::format(dropped_ball, elements), "dropped ball"));
  } else {
    add(std::filesystem::path(file).stem().string(), ConfigurationFile::load(file));
  }
  nlohmann::json json{{"benchmark", "factor_reuse"}, {"lane_width", HOLO_LANE_WIDTH}};
  const bool hold = judge(parts, json);
  write_json_file(json_path, json);
  return hold ? 0 : 3;
}

}  // namespace
}  // namespace holo::benchmark

int main(int argc, char** argv) {
  return holo::benchmark::run_program("benchmark_factor_reuse", argc, argv, holo::benchmark::run);
}
