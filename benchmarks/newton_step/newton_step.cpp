// The parts of a Newton iteration of elastic bodies: assembly of gradient and projected Hessian on one and two threads, the
// projection within it, the factorization (supernodal, one BLAS thread) and the solve. All times are those of one run on one
// machine, the fastest of several repetitions: one thread by its processor time, two over one by the clock. Their ratios are
// the result. The body has been dragged by one end for some steps before, and the point is where the next step's Newton starts.
//
// Sizes 5k, with linear and with quadratic elements, 15k and 50k, and with HOLO_DATA_DIR set the scanned armadillo.
#include <fmt/format.h>

#include <cstdlib>

#include "command_line.h"
#include "holo/core/numerics/median.h"
#include "holo/core/numerics/parallel.h"
#include "holo/core/plugins/plugin_host.h"
#include "holo/sim/dynamics/implicit_euler.h"
#include "holo/sim/mesh/quadratic_tetrahedra.h"
#include "holo/sim/mesh/shapes.h"
#include "measuring.h"

namespace holo::benchmark {
namespace {

struct Case {
  std::string name;
  MeshSource mesh;
};

struct Times {
  std::string name;
  int elements = 0, vertices = 0, projected = 0;
  double assembly = 0, unprojected = 0, assembly_wall = 0, assembly_two_threads_wall = 0, energy = 0, factorization = 0,
         solve = 0;  // [s]
  double assembly_over_factorization() const { return assembly / factorization; }
  double parallel_speedup() const { return assembly_wall / assembly_two_threads_wall; }
};

std::vector<Case> cases() {
  std::vector<Case> result = {
      {"box 5k",
       [] {
         return box_mesh({1.2, 0.4, 0.4}, 5000);
       }},
      {"quadratic",
       [] {
         return raise_to_quadratic(box_mesh({1.2, 0.4, 0.4}, 5000));
       }},
      {"capsule 15k",
       [] {
         return isosurface_stuffing(capsule({-0.4, 0, 0}, {0.4, 0, 0}, 0.2), {{-0.7, -0.3, -0.3}, {0.7, 0.3, 0.3}}, 15000);
       }},
      {"sphere 50k", [] {
         return isosurface_stuffing(sphere({0, 0, 0}, 0.5), {{-0.6, -0.6, -0.6}, {0.6, 0.6, 0.6}}, 50000);
       }}};
  if (const char* data = std::getenv("HOLO_DATA_DIR"))
    result.push_back(
        {"armadillo", [path = std::string(data) + "/meshes/tet/armadillo_13k.msh"] { return read_tetrahedral_mesh(path); }});
  return result;
}

// The tenth of the body with the smallest x swings up and down.
ElasticScene build_scene(const Case& c, const std::shared_ptr<const MaterialPlugin>& plugin) {
  TetrahedralMesh mesh = c.mesh();
  const BoundingBox bounds = bounding_box(mesh);
  const double size = bounds.diagonal();
  for (auto& vertex : mesh.vertices)
    for (double& coordinate : vertex) coordinate *= 1.3 / size;
  ElasticBodyDefinition body;
  body.name = c.name;
  body.mesh = [mesh] { return mesh; };
  body.plugin = plugin;
  body.material = std::shared_ptr<const holo_material>(plugin, &plugin->abi());
  body.coefficients = plugin->coefficients({{"youngs_modulus", 1e5}, {"poissons_ratio", 0.45}});
  HandleDefinition handle;
  handle.subset.kind = SubsetDefinition::Kind::box;
  const double low = bounds.minimum[0] * 1.3 / size, high = bounds.maximum[0] * 1.3 / size;
  handle.subset.minimum = {low - 1, -1e9, -1e9};
  handle.subset.maximum = {low + 0.1 * (high - low), 1e9, 1e9};
  handle.motion.kind = MotionDefinition::Kind::sinusoid;
  handle.motion.displacement = {0, 0, 0.2};
  body.handles = {handle};
  ElasticSceneDefinition scene;
  scene.bodies = {body};
  return ElasticScene(scene);
}

Times measure(const Case& c, const std::shared_ptr<const MaterialPlugin>& plugin, int repetitions) {
  const ElasticScene scene = build_scene(c, plugin);
  const std::shared_ptr<const ElasticModel>& model = scene.model;
  ImplicitEuler integrator(scene);
  ElasticState state = initial_state(*model);
  for (int step = 0; step < 8; ++step) {
    const ElasticStepResult result = integrator.step(state);
    if (result.newton.status != NewtonStatus::converged) throw Error(Failure::internal, result.newton.diagnosis);
  }
  IncrementalPotential& potential = integrator.potential();
  potential.begin_step(scene.step_from(state), scene.schedule);
  Eigen::VectorXd x = state.positions + scene.integration.time_step * state.velocities, gradient, direction(x.size());
  potential.apply_targets(x);
  SparseMatrix hessian;
  potential.derivatives(x, Curvature::projected, gradient, hessian);
  Times times{c.name, model->element_count(), model->vertex_count(), potential.elasticity().projected_elements()};
  std::vector<std::pair<double Times::*, std::vector<double>>> turns;
  auto keep = [&](double Times::*what, double seconds) {
    auto same = std::find_if(turns.begin(), turns.end(), [&](const auto& other) { return other.first == what; });
    if (same == turns.end()) same = turns.insert(turns.end(), {what, {}});
    same->second.push_back(seconds);
  };
  auto assemble = [&] { potential.derivatives(x, Curvature::projected, gradient, hessian); };
  SparseSolver& factorization = integrator.workspace().factorization();
  for (int n = 0; n < repetitions; ++n) {
    {
      ThreadLimit two(2);
      keep(&Times::assembly_two_threads_wall, seconds_of(wall_seconds, assemble));
    }
    ThreadLimit one(1);
    keep(&Times::assembly_wall,
         seconds_of(wall_seconds, [&] { keep(&Times::assembly, seconds_of(thread_seconds, assemble)); }));
    keep(&Times::unprojected,
         seconds_of(thread_seconds, [&] { potential.derivatives(x, Curvature::exact, gradient, hessian); }));
    assemble();
    keep(&Times::energy, seconds_of(thread_seconds, [&] { potential.energy(x); }));
    if (n >= std::max(3, repetitions / 4)) continue;  // the long ones scatter less
    keep(&Times::factorization, seconds_of(thread_seconds, [&] { factorization.factorize(hessian); }));
    keep(&Times::solve, seconds_of(thread_seconds, [&] { factorization.solve(gradient, direction); }));
  }
  for (const auto& [what, seconds] : turns) times.*what = median(seconds);
  return times;
}

struct Verdict {
  std::string what;
  double value, gate, goal;
  bool at_most;
  bool holds() const { return at_most ? value <= gate : value >= gate; }
  bool reaches_goal() const { return at_most ? value <= goal : value >= goal; }
};

// The others are stated for bodies of about 50,000 tetrahedra.
std::vector<Verdict> judge(const std::vector<Times>& all) {
  std::vector<Verdict> verdicts;
  const auto of_element = [&](const char* name) {
    const auto times = std::find_if(all.begin(), all.end(), [&](const Times& each) { return each.name == name; });
    return times->assembly / times->elements;
  };
  verdicts.push_back({"assembly of a quadratic element over that of a linear one",
                      of_element("quadratic") / of_element("box 5k"), 25, 10, true});
  for (const Times& times : all) {
    if (times.elements < 50'000) continue;
    verdicts.push_back({"assembly over factorization, " + times.name, times.assembly_over_factorization(), 0.10, 0.02, true});
    verdicts.push_back({"assembly, 2 threads over 1, " + times.name, times.parallel_speedup(), 1.7, 1.9, false});
  }
  return verdicts;
}

void print(const std::vector<Times>& all, const std::vector<Verdict>& verdicts) {
  fmt::print("{:<12} {:>8} {:>8} {:>9} | {:>9} {:>9} {:>9} {:>9} {:>9} {:>9} | {:>7} {:>7} {:>7}\n", "body", "elements",
             "vertices", "projected", "assembly", "2 threads", "projectn", "energy", "factoriz.", "solve", "asm/fac", "prj/asm",
             "speedup");
  for (const Times& t : all)
    fmt::print(
        "{:<12} {:>8} {:>8} {:>8.1f}% | {:>6.2f} ms {:>6.2f} ms {:>6.2f} ms {:>6.2f} ms {:>6.0f} ms {:>6.1f} ms | {:>6.1f}% "
        "{:>6.0f}% {:>6.2f}x\n",
        t.name, t.elements, t.vertices, 100.0 * t.projected / t.elements, 1e3 * t.assembly, 1e3 * t.assembly_two_threads_wall,
        1e3 * (t.assembly - t.unprojected), 1e3 * t.energy, 1e3 * t.factorization, 1e3 * t.solve,
        100 * t.assembly_over_factorization(), 100 * (t.assembly - t.unprojected) / t.assembly, t.parallel_speedup());
  for (const Verdict& v : verdicts)
    fmt::print("{}: {:.3f}, gate {} {:g} {}, goal {:g} {}\n", v.what, v.value, v.at_most ? "<=" : ">=", v.gate,
               v.holds() ? "holds" : "MISSED", v.goal, v.reaches_goal() ? "reached" : "not reached");
}

void write_json(const std::string& path, const std::string& material, const std::vector<Times>& all,
                const std::vector<Verdict>& verdicts) {
  nlohmann::json json{{"benchmark", "newton_step"}, {"material", material}, {"lane_width", HOLO_LANE_WIDTH}};
  for (const Times& t : all)
    json["cases"].push_back({{"name", t.name},
                             {"elements", t.elements},
                             {"vertices", t.vertices},
                             {"projected_elements", t.projected},
                             {"assembly_s", t.assembly},
                             {"assembly_unprojected_s", t.unprojected},
                             {"assembly_wall_s", t.assembly_wall},
                             {"assembly_two_threads_wall_s", t.assembly_two_threads_wall},
                             {"energy_s", t.energy},
                             {"factorization_s", t.factorization},
                             {"solve_s", t.solve}});
  for (const Verdict& v : verdicts)
    json["verdicts"].push_back(
        {{"what", v.what}, {"value", v.value}, {"gate", v.gate}, {"holds", v.holds()}, {"goal", v.goal}});
  write_json_file(path, json);
}

int run(int argc, char** argv) {
  namespace po = boost::program_options;
  std::string material = "neo_hookean_paper", json;
  int repetitions = 25;
  po::options_description description(
      "Times assembly, factorization and solve of a Newton iteration.\nExit code 3: a gate is missed.\nOptions");
  description.add_options()("material", po::value(&material)->default_value(material), "name of a plugin")(
      "repetitions", whole_number("repetitions", repetitions, 1), "turns of each, their median counts")(
      "json", po::value(&json), "write the results to this file");
  if (!read_options(argc, argv, description)) return 0;
  const auto plugin = PluginHost().get<MaterialPlugin>(material);
  fmt::print("material {}, Hessian: {}; {}\n", material, plugin->abi().kernels[HOLO_MATERIAL_HESSIAN],
             make_sparse_solver()->name());
  std::vector<Times> all;
  for (const Case& c : cases()) all.push_back(measure(c, plugin, repetitions));
  const std::vector<Verdict> verdicts = judge(all);
  print(all, verdicts);
  write_json(json, material, all, verdicts);
  for (const Verdict& v : verdicts)
    if (!v.holds()) return 3;
  return 0;
}

}  // namespace
}  // namespace holo::benchmark

int main(int argc, char** argv) {
  return holo::benchmark::run_program("benchmark_newton_step", argc, argv, holo::benchmark::run);
}
