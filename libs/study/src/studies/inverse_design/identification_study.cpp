#include "studies/inverse_design/identification_study.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "holo/sim/elastic/elastic_contents.h"
#include "holo/sim/elastic/recorded_mesh.h"
#include "studies/elastic_drawing/body_drawing.h"

namespace holo {

namespace {

std::vector<std::string> names_of(const std::vector<DesignedParameter>& parameters) {
  std::vector<std::string> names;
  for (const DesignedParameter& parameter : parameters) names.push_back(parameter.name);
  return names;
}

// Of the file, or of the equilibrium of the scene with the recorded material; empty where losses are minimized.
Eigen::VectorXd recorded_positions(const IdentificationPlan& plan, const ElasticModel& model,
                                   const MaterialParameters& material) {
  if (!plan.losses.losses.empty()) return {};
  try {
    if (!plan.recorded_file.empty()) return read_recorded_positions(plan.recorded_file, model);
    ElasticSceneDefinition scene = plan.scene;
    const Eigen::Map<const Eigen::VectorXd> values(plan.recorded.data(), Eigen::Index(plan.recorded.size()));
    scene.bodies.front().coefficients = material.coefficients(values);
    const ElasticScene built(scene);
    QuasiStatics statics(built, {.newton = {.tolerance = 1e-13, .max_iterations = 1000}, .smallest_increment = 1e-4});
    ElasticState state = initial_state(*built.model);
    NewtonWorkspace workspace;
    while (state.step < built.integration.step_count)
      if (const QuasiStaticResult result = statics.step(state, workspace); result.newton.status != NewtonStatus::converged)
        throw Error(Failure::input, "the recorded deformation is no equilibrium: " + result.newton.diagnosis);
    return state.positions;
  } catch (const Error& error) {
    throw_input_error(plan.recorded_location, error.what());
  }
}

ElasticSceneDefinition followed(const SignalStore& signals, ElasticSceneDefinition scene) {
  follow_signals(signals, scene);
  return scene;
}

}  // namespace

Identification::Identification(IdentificationPlan plan, double frames_per_second)
    : plan_(std::move(plan)),
      frames_per_second_(frames_per_second),
      signals_(compute_signals(plan_.losses, plan_.scene)),
      scene_(followed(signals_, plan_.scene)),
      material_(
          std::make_unique<MaterialParameters>(plan_.scene.bodies.front().plugin, plan_.values, names_of(plan_.parameters))),
      recorded_(recorded_positions(plan_, *scene_.model, *material_)),
      loss_(make_loss()) {
  search_.found = Eigen::VectorXd::Ones(material_->count());
  make_drawing();
}

std::unique_ptr<StepLoss> Identification::make_loss() const {
  if (is_recorded()) return std::make_unique<RecordedPositions>(recorded_, scene_.model->length());
  auto losses = std::make_shared<LossSum<ElasticObservables>>(ElasticObservables(scene_.model));
  for (const NamedLoss& loss : plan_.losses.losses) losses->add(loss);
  ElasticState end = initial_state(*scene_.model);
  end.step = scene_.integration.step_count;
  end.time = double(end.step) * scene_.integration.time_step;
  LossData data;
  data.signals = signals_.values();
  data.time_step = scene_.integration.time_step;
  return std::make_unique<EquilibriumLosses>(losses, data, end);
}

void Identification::make_drawing() {
  drawing_.length = scene_.model->length();
  for (const char* name : {"found", "recorded"}) {
    if (!is_recorded() && drawing_.groups.size() == 1) break;
    for (SceneBody& body : drawn_bodies(*scene_.model, scene_.schedule)) {
      body.group = int(drawing_.groups.size());
      drawing_.bodies.push_back(std::move(body));
    }
    drawing_.groups.push_back({name, {0, drawing_.groups.empty() ? 0 : 0.7 * drawing_.length, 0}});
  }
  if (is_recorded()) drawing_.fields = {{"distance", "m", "from the recorded position", {}, 1e-12}};
}

StepResult Identification::step(StudyOutput& output) {
  const Eigen::VectorXd unit = material_->start();
  EquilibriumDesign design(scene_, *loss_, *material_, unit);
  Eigen::VectorXd& u = search_.found;
  if (!design.begin(u)) return {true, "the scene has no equilibrium with the material at the start: " + design.diagnosis()};
  write_frame(output, 0, design.x());
  DenseBounds bounds{unit, unit};
  for (Eigen::Index k = 0; k < unit.size(); ++k) {
    const double ends[] = {plan_.parameters[std::size_t(k)].minimum / unit[k],
                           plan_.parameters[std::size_t(k)].maximum / unit[k]};
    bounds.lower[k] = std::min(ends[0], ends[1]);
    bounds.upper[k] = std::max(ends[0], ends[1]);
  }
  const DenseResult result = search_.run(design, bounds, plan_.options, output);
  Eigen::VectorXd gradient;
  design.gradient(u, gradient);  // the equilibrium at u, whichever trial was the last
  if (is_recorded()) search_.distance = (design.x() - recorded_).lpNorm<Eigen::Infinity>() / scene_.model->length();
  write_frame(output, 1, design.x());
  output.log("identification",
             {{"status", to_string(result.status)}, {"iterations", search_.iterations}, {"objective", search_.objective}});
  if (!result.converged()) return {true, "the parameters were not found: " + result.diagnosis};
  ++search_.steps_done;
  return {};
}

void Identification::write_frame(StudyOutput& output, int step, const Eigen::VectorXd& positions) {
  if (frames_per_second_ <= 0) return;
  SceneFrame frame;
  frame.step = step;
  frame.time = step;
  frame.fields.resize(drawing_.fields.size());
  for (const Eigen::VectorXd* x : {&positions, &std::as_const(recorded_)}) {
    if (x->size() == 0) continue;
    std::vector<double> drawn;
    assign_drawn(*scene_.model, *x, drawn);
    frame.positions.insert(frame.positions.end(), drawn.begin(), drawn.end());
    if (!is_recorded()) continue;
    std::vector<float> distances;
    for (Eigen::Index v = 0; v < x->size() / 3; ++v)
      distances.push_back(float((x->segment<3>(3 * v) - recorded_.segment<3>(3 * v)).norm()));
    spread_over_drawn(*scene_.model, distances);
    frame.fields[0].insert(frame.fields[0].end(), distances.begin(), distances.end());
  }
  output.frame(frame);
}

std::vector<Quantity> Identification::columns() const {
  return EquilibriumSearch::columns(is_recorded() ? "mean squared distance over twice the squared length, before the step"
                                                  : "sum of the losses, before the step",
                                    "largest entry, of relative parameters, less what bounds keep back");
}

std::vector<std::string> Identification::contents() const { return elastic_contents(*scene_.model, scene_.schedule); }

std::vector<Quantity> identification_metrics(const IdentificationPlan& plan) {
  std::vector<Quantity> metrics = EquilibriumSearch::metric_quantities();
  if (plan.losses.losses.empty())
    metrics.push_back({"distance", "1", "largest distance from a recorded coordinate, over the scene's length"});
  for (const DesignedParameter& parameter : plan.parameters) {
    metrics.push_back({parameter.name, "its own", "found"});
    if (!plan.recorded.empty())
      metrics.push_back({parameter.name + "_error", "1", "relative difference from the recorded one"});
  }
  return metrics;
}

std::vector<Metric> Identification::finish() {
  std::vector<Metric> metrics = search_.metrics();
  const Eigen::VectorXd found = search_.found.cwiseProduct(material_->start());
  if (is_recorded()) metrics.push_back({"distance", search_.distance});
  for (std::size_t k = 0; k < plan_.parameters.size(); ++k) {
    const double value = found[Eigen::Index(k)];
    metrics.push_back({plan_.parameters[k].name, value});
    if (!plan_.recorded.empty())
      metrics.push_back({plan_.parameters[k].name + "_error", std::abs(value / plan_.recorded[k] - 1)});
  }
  return metrics;
}

std::vector<Table> Identification::tables() {
  Table table{"Parameters", "", {{"parameter"}, {"at the start"}, {"found"}}, {}};
  if (!plan_.recorded.empty()) table.columns.push_back({"recorded"});
  const Eigen::VectorXd found = search_.found.cwiseProduct(material_->start());
  for (std::size_t k = 0; k < plan_.parameters.size(); ++k) {
    table.rows.push_back({plan_.parameters[k].name, plan_.parameters[k].start, found[Eigen::Index(k)]});
    if (!plan_.recorded.empty()) table.rows.back().push_back(plan_.recorded[k]);
  }
  return {table};
}

}  // namespace holo
