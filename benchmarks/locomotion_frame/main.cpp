// The stages of a frame of locomotion at the sizes of [Shen2024] Table 2, beside the paper's times: bodies on the ground with
// friction whose muscles push them off. All times are processor times of one thread, medians of several turns; the paper's are
// those of a desktop with 24 cores. The gate: a Hessian of the inverse problem takes at most a tenth of the paper's time, and
// the inverse solve at most as much as the paper's.
//
// "time step" is a forward simulation from the state before, "forward" a step solved again for other activations, each with the
// numbers of Newton iterations and factorizations. "gradient" converges that to rounding and has a factorization ("factor") and
// the forces of all activations ("act.grad") in it; "Hessian" has a back-substitution for each activation and the contracted
// third derivatives in it. The frame is one of a push-off, and its target the velocity of the center of mass.
#include <fmt/format.h>

#include "command_line.h"
#include "frame.h"
#include "measuring.h"

namespace holo::benchmark {
namespace {

struct Verdict {
  std::string what;
  double value, gate, goal;
  bool holds() const { return value <= gate; }
};

std::vector<Verdict> judge(const std::vector<FrameResult>& all) {
  std::vector<Verdict> verdicts;
  for (const FrameResult& r : all) {
    verdicts.push_back({"Hessian over the paper's, " + r.name, r.times.hessian / r.paper.hessian, 0.1, 0.02});
    verdicts.push_back({"inverse solve over the paper's, " + r.name, r.times.solve / r.paper.solve, 1, 0.2});
  }
  return verdicts;
}

void print(const std::vector<FrameResult>& all, const std::vector<Verdict>& verdicts) {
  fmt::print(
      "Shapes and courses of muscles are this benchmark's, counts of elements and activations those of [Shen2024] Table "
      "2.\n\n");
  fmt::print("{:<12} {:>8} {:>8} {:>11} {:>8} {:>10} {:>14} {:>8}\n", "body", "elements", "vertices", "activations", "contacts",
             "[Shen2024]", "fibers/element", "nnz(L)");
  for (const FrameResult& r : all)
    fmt::print("{:<12} {:>8} {:>8} {:>11} {:>8} {:>10} {:>14.1f} {:>8}\n", r.name, r.elements, r.vertices, r.activations,
               r.contacts, r.paper.contacts, r.fibers_of_an_element, r.factor_nonzeros);
  fmt::print("\n{:<12} | {:>9} {:>6} | {:>9} {:>6} | {:>9} {:>9} {:>9} | {:>9} {:>9} {:>9} | {:>9}\n", "ms", "time step",
             "it/fac", "forward", "it/fac", "gradient", "factor", "act.grad", "Hessian", "substit.", "contract.", "solve");
  for (const FrameResult& r : all) {
    const FrameTimes& t = r.times;
    fmt::print(
        "{:<12} | {:>9.1f} {:>3}/{:<2} | {:>9.1f} {:>3}/{:<2} | {:>9.1f} {:>9.2f} {:>9.2f} | {:>9.2f} {:>9.2f} {:>9.2f} "
        "| {:>9.0f}\n",
        r.name, 1e3 * t.simulation, r.simulation_iterations, r.simulation_factorizations, 1e3 * t.forward, r.forward_iterations,
        r.forward_factorizations, 1e3 * t.deep, 1e3 * t.factorization, 1e3 * t.activation_gradient, 1e3 * t.hessian,
        1e3 * t.substitutions, 1e3 * t.contractions, 1e3 * t.solve);
    fmt::print("{:<12} | {:>9.0f} {:>6} | {:>9} {:>6} | {:>9.0f} {:>9} {:>9} | {:>9.0f} {:>9} {:>9} | {:>9.0f}\n",
               "  [Shen2024]", 1e3 * r.paper.simulation, "", "", "", 1e3 * r.paper.gradient, "", "", 1e3 * r.paper.hessian, "",
               "", 1e3 * r.paper.solve);
  }
  fmt::print("\ninverse solve: iterations, forward solves, Newton iterations, factorizations, back-substitutions\n");
  for (const FrameResult& r : all)
    fmt::print("{:<12} {:>4} {:>4} {:>5} {:>5} {:>6}\n", r.name, r.inverse_iterations, r.forward_solves, r.newton_iterations,
               r.factorizations, r.back_substitutions);
  for (const Verdict& v : verdicts)
    fmt::print("{}: {:.4f}, gate <= {:g} {}, goal {:g} {}\n", v.what, v.value, v.gate, v.holds() ? "holds" : "MISSED", v.goal,
               v.value <= v.goal ? "reached" : "not reached");
}

void write_json(const std::string& path, const std::vector<FrameResult>& all, const std::vector<Verdict>& verdicts) {
  nlohmann::json json{{"benchmark", "locomotion_frame"}, {"lane_width", HOLO_LANE_WIDTH}};
  for (const FrameResult& r : all)
    json["cases"].push_back({{"name", r.name},
                             {"elements", r.elements},
                             {"vertices", r.vertices},
                             {"activations", r.activations},
                             {"contacts", r.contacts},
                             {"fibers_of_an_element", r.fibers_of_an_element},
                             {"factor_nonzeros", r.factor_nonzeros},
                             {"simulation_s", r.times.simulation},
                             {"simulation_iterations", r.simulation_iterations},
                             {"forward_s", r.times.forward},
                             {"forward_iterations", r.forward_iterations},
                             {"gradient_s", r.times.deep},
                             {"factorization_s", r.times.factorization},
                             {"activation_gradient_s", r.times.activation_gradient},
                             {"hessian_s", r.times.hessian},
                             {"substitutions_s", r.times.substitutions},
                             {"contractions_s", r.times.contractions},
                             {"solve_s", r.times.solve},
                             {"solve_iterations", r.inverse_iterations},
                             {"solve_forward_solves", r.forward_solves},
                             {"solve_newton_iterations", r.newton_iterations},
                             {"solve_factorizations", r.factorizations},
                             {"solve_back_substitutions", r.back_substitutions},
                             {"paper_simulation_s", r.paper.simulation},
                             {"paper_gradient_s", r.paper.gradient},
                             {"paper_hessian_s", r.paper.hessian},
                             {"paper_solve_s", r.paper.solve}});
  for (const Verdict& v : verdicts)
    json["verdicts"].push_back(
        {{"what", v.what}, {"value", v.value}, {"gate", v.gate}, {"holds", v.holds()}, {"goal", v.goal}});
  write_json_file(path, json);
}

int run(int argc, char** argv) {
  namespace po = boost::program_options;
  std::string json, only, linear_solver = "factorize";
  int repetitions = 7;
  po::options_description description("Times the stages of a frame of locomotion.\nExit code 3: a gate is missed.\nOptions");
  description.add_options()("body", po::value(&only), "only the body of this name: T, caterpillar, lamp, queen")(
      "linear-solver", po::value(&linear_solver)->default_value(linear_solver), "of Newton directions: factorize or reuse")(
      "repetitions", whole_number("repetitions", repetitions, 1), "turns of each, their median counts")(
      "json", po::value(&json), "write the results to this file");
  if (!read_options(argc, argv, description)) return 0;
  if (linear_solver != "factorize" && linear_solver != "reuse")
    throw Error(Failure::input, "--linear-solver is '" + linear_solver + "': allowed are factorize and reuse");
  const auto material = PluginHost().get<MaterialPlugin>("stable_neo_hookean");
  std::vector<FrameResult> all;
  for (const LocomotionBody& body : locomotion_bodies())
    if (only.empty() || body.name == only)
      all.push_back(measure_frame(body, material, repetitions,
                                  linear_solver == "reuse" ? NewtonLinearSolver::reuse : NewtonLinearSolver::factorize));
  if (all.empty()) throw Error(Failure::input, "--body is '" + only + "': allowed are T, caterpillar, lamp and queen");
  const std::vector<Verdict> verdicts = judge(all);
  print(all, verdicts);
  write_json(json, all, verdicts);
  for (const Verdict& v : verdicts)
    if (!v.holds()) return 3;
  return 0;
}

}  // namespace
}  // namespace holo::benchmark

int main(int argc, char** argv) {
  return holo::benchmark::run_program("benchmark_locomotion_frame", argc, argv, holo::benchmark::run);
}
