// Times of a model reduction of a clamped bar: one factorization, linear modes, their derivatives of first and second order, a
// basis of what matters of them, and a cubature (docs/model-reduction.md).
//
//   benchmark_modal_derivatives --elements 35000 --modes 10 --material neo_hookean

#include <fmt/core.h>

#include <cstdio>
#include <random>

#include "command_line.h"
#include "holo/core/numerics/parallel.h"
#include "holo/core/numerics/stopwatch.h"
#include "holo/core/plugins/plugin_host.h"
#include "holo/sim/mesh/shapes.h"
#include "holo/sim/reduction/cubature.h"
#include "holo/sim/reduction/reduced_basis.h"

namespace holo::benchmark {
namespace {

struct Options {
  int elements = 35000, modes = 10, columns = 30, cubature = 300, threads = 1;
  std::string material = "neo_hookean", plugins = HOLO_BINARY_DIR "/plugins";
};

std::shared_ptr<const ElasticModel> bar(const Options& options) {
  const PluginHost host({options.plugins});
  const auto plugin = host.get<MaterialPlugin>(options.material);
  ElasticModelDefinition definition;
  ElasticBodyDefinition body;
  body.name = "bar";
  body.mesh = [&] { return box_mesh({1.0, 0.25, 0.2}, options.elements); };
  body.material = std::shared_ptr<const holo_material>(plugin, &plugin->abi());
  body.coefficients = plugin->coefficients({{"youngs_modulus", 1e5}, {"poissons_ratio", 0.4}});
  definition.bodies.push_back(std::move(body));
  return std::make_shared<const ElasticModel>(definition);
}

std::vector<int> clamped_vertices(const ElasticModel& model) {
  const Eigen::VectorXd along = model.start_positions()(Eigen::seqN(0, model.vertex_count(), 3));
  const double least = along.minCoeff() + 1e-9;
  std::vector<int> result;
  for (int vertex = 0; vertex < model.vertex_count(); ++vertex)
    if (along[vertex] < least) result.push_back(vertex);
  return result;
}

// Amplitudes at which the bar moves by some hundredths of its length, more along columns that matter more.
Eigen::MatrixXd samples_of(const ElasticModel& model, const ReducedBasis& basis, int count) {
  std::mt19937 random(1);
  std::uniform_real_distribution<double> uniform(-1, 1);
  Eigen::MatrixXd result(basis.columns.cols(), count);
  for (Eigen::Index sample = 0; sample < count; ++sample)
    for (Eigen::Index k = 0; k < result.rows(); ++k)
      result(k, sample) = 0.05 * model.length() * uniform(random) * basis.singular_values[k] / basis.singular_values[0] /
                          basis.columns.col(k).cwiseAbs().maxCoeff();
  return result;
}

// Prints a line for each part with its time: the processor's of one thread, over one the clock's.
void run(const Options& options) {
  const ThreadLimit limit(options.threads);
  const auto model = bar(options);
  fmt::print("{} tetrahedra, {} vertices, {}, {} threads\n", model->element_count(), model->vertex_count(), options.material,
             options.threads);
  Stopwatch watch(options.threads == 1 ? thread_seconds : wall_seconds);
  const auto report = [&](const std::string& part) {
    fmt::print("{:<48} {:8.2f} s\n", part, watch.lap());
    std::fflush(stdout);
  };
  const ModalSystem system(model, model->start_positions(), {clamped_vertices(*model), false});
  report("assembly and factorization");
  const LinearModes modes = linear_modes(system, options.modes);
  report(fmt::format("{} modes, {} solves", options.modes, modes.solves));
  modal_derivatives(system, modes.shapes, 1);
  report(fmt::format("{} derivatives of first order", ModalDerivatives::pair_count(options.modes)));
  const ModalDerivatives derivatives = modal_derivatives(system, modes.shapes, 2);
  report(fmt::format("those and {} of second order", ModalDerivatives::triple_count(options.modes)));
  const ReducedBasis basis = reduced_basis(system, modes, derivatives, options.columns);
  report(fmt::format("basis of {} columns", options.columns));
  const Eigen::MatrixXd samples = samples_of(*model, basis, 100);
  const Eigen::VectorXd x = model->start_positions();
  const Cubature cubature = train_cubature(model, x, basis.columns, samples, {.max_elements = options.cubature});
  report(fmt::format("cubature of {} elements, training error {:.3f}", cubature.elements.size(), cubature.training_error));
  fmt::print("{} factorization(s) of K by {}; largest residual of a mode {:.1e}\n", system.factorizations(),
             system.solver_name(), modes.residuals.maxCoeff());
}

int run_command_line(int argc, char** argv) {
  namespace po = boost::program_options;
  Options options;
  po::options_description description("Times of a modal analysis. Options");
  description.add_options()("elements", whole_number("elements", options.elements, 6), "tetrahedra, about")(
      "modes", whole_number("modes", options.modes, 1), "linear modes")("columns", whole_number("columns", options.columns, 1),
                                                                        "columns of the reduced basis")(
      "cubature", whole_number("cubature", options.cubature, 1), "elements of the cubature at most")(
      "threads", whole_number("threads", options.threads, 0), "0: all of the machine")(
      "material", po::value(&options.material)->default_value(options.material), "a material plugin with moduli")(
      "plugins", po::value(&options.plugins)->default_value(options.plugins), "folder of plugins");
  if (read_options(argc, argv, description)) run(options);
  return 0;
}

}  // namespace
}  // namespace holo::benchmark

int main(int argc, char** argv) {
  return holo::benchmark::run_program("benchmark_modal_derivatives", argc, argv, holo::benchmark::run_command_line);
}
