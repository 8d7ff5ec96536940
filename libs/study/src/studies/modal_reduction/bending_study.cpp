#include "studies/modal_reduction/bending_study.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "holo/core/numerics/stopwatch.h"
#include "holo/sim/elastic/elastic_contents.h"
#include "studies/elastic_drawing/body_drawing.h"

namespace holo {

namespace {

constexpr std::string_view bending_kind = "modal_reduction.equilibrium";
constexpr double most_of_bending = 0x1p53;
constexpr double run_spacing = 1.8, basis_spacing = 1.0;  // of bodies in the picture, over their largest extent

std::vector<int> tip_vertices(const ElasticModel& model, const BendingPlan& plan) {
  for (const ElasticSubset& subset : model.bodies().front().subsets)
    if (subset.name == plan.tip) return subset.vertices;
  throw_input_error(plan.tip_location, fmt::format("the body has no subset '{}'", plan.tip));
}

Eigen::Vector3d mean_over(const std::vector<int>& vertices, const Eigen::VectorXd& u) {
  Eigen::Vector3d sum = Eigen::Vector3d::Zero();
  for (const int vertex : vertices) sum += u.segment<3>(3 * vertex);
  return sum / double(vertices.size());
}

std::string bending_title(const StaticPlan& plan, const StaticRun& run) {
  if (run.test >= 0) return plan.tests[std::size_t(run.test)].name;
  return run.material < 0 ? "" : plan.materials[std::size_t(run.material)].name();
}

}  // namespace

double BendingRun::mass_norm(const Eigen::VectorXd& u) const {
  double sum = 0;
  for (Eigen::Index v = 0; 3 * v < u.size(); ++v)
    sum += motion->model().masses()[std::size_t(v)] * u.segment<3>(3 * v).squaredNorm();
  return std::sqrt(sum);
}

BendingBases::BendingBases(BendingPlan plan, double frames_per_second)
    : plan_(std::move(plan)), frames_per_second_(frames_per_second) {
  const std::vector<StaticRun> runs = plan_.statics.runs();
  const std::vector<ElasticSceneDefinition> scenes = static_scenes(plan_.statics);
  for (std::size_t i = 0; i < runs.size(); ++i) {
    require_smooth_material(scenes[i].bodies.front());
    BendingRun& run = runs_.emplace_back();
    run.run = runs[i];
    run.title = bending_title(plan_.statics, runs[i]);
    run.motion = std::make_unique<StaticMotion>(scenes[i], plan_.statics.options);
    run.statics = std::make_unique<QuasiStatics>(run.motion->scene(), plan_.statics.options);
    run.tip = tip_vertices(run.motion->model(), plan_);
    require_degrees_of_freedom(plan_.reduction, run.motion->scene());
  }
  make_scene();
}

std::vector<std::string> BendingBases::kernels() const {
  std::vector<std::string> kernels;
  for (const BendingRun& run : runs_)
    for (const std::string& kernel : run.motion->model().kernel_names()) kernels.push_back(kernel);
  return kernels;
}

std::vector<std::string> BendingBases::contents() const {
  return elastic_contents(runs_.front().motion->model(), runs_.front().motion->scene().schedule);
}

std::vector<std::string> BendingBases::notes() const {
  std::vector<std::string> notes = plan_.statics.notes;
  for (const std::string& note : runs_.front().motion->model().notes()) notes.push_back(note);
  return notes;
}

StepResult BendingBases::step(StudyOutput& output) {
  if (steps_done_ < std::int64_t(runs_.size())) return reduce(runs_[std::size_t(steps_done_)], output);
  Stopwatch watch;
  ++steps_done_;
  for (std::size_t i = 0; i < runs_.size(); ++i) {
    const bool had_failed = runs_[i].motion->has_failed();
    load(runs_[i]);
    if (!runs_[i].motion->has_failed())
      output.row(bending_row(i, runs_[i]));
    else if (!had_failed)
      output.log("failure", {{"run", runs_[i].title}, {"diagnosis", runs_[i].motion->diagnosis()}});
  }
  write_frame(output);
  output.timings({double(steps_done_), watch.lap()});
  return {};
}

StepResult BendingBases::reduce(BendingRun& run, StudyOutput& output) {
  Stopwatch watch;
  try {
    const ElasticScene& scene = run.motion->scene();
    const ModalSystem system = modal_system_of(scene);
    const ModesAndDerivatives found = find_modes(system, plan_.reduction, run.numbers);
    run.bases[0].columns = linear_modes(system, plan_.reduction.columns).shapes;
    for (int order = 1; order <= 2; ++order)
      run.bases[std::size_t(order)].columns = basis_of(system, found, plan_.reduction, order, run.numbers);
    run.numbers.factorizations = system.factorizations();
    run.numbers.elements = scene.model->element_count();
  } catch (const Error& error) {
    return {true, fmt::format("the body of the run '{}' is not reduced: {}", run.title, error.what())};
  }
  for (BentBasis& basis : run.bases) basis.amplitudes = Eigen::VectorXd::Zero(plan_.reduction.columns);
  run.is_reduced = true;
  run.numbers.time = watch.lap();
  output.log("reduction", {{"run", run.title},
                           {"factorizations", run.numbers.factorizations},
                           {"solves", run.numbers.solves},
                           {"time", run.numbers.time}});
  ++steps_done_;
  output.timings({double(steps_done_), run.numbers.time});
  return {};
}

// The full body first; a basis begins at its own last equilibrium.
void BendingBases::load(BendingRun& run) {
  WorkspacePool<NewtonWorkspace>::Lease workspace(workspaces_);
  run.motion->step(*workspace);
  if (run.motion->has_failed()) return;
  run.statics->hold(run.motion->state());
  const ElasticModel& model = run.motion->model();
  run.tip_displacement = mean_over(run.tip, run.motion->state().positions - model.start_positions()).norm() / model.length();
  for (BentBasis& basis : run.bases) compare(run, basis);
  ++run.loads;
  run.unordered_loads += !(run.bases[0].error > run.bases[1].error && run.bases[1].error > run.bases[2].error);
}

void BendingBases::compare(BendingRun& run, BentBasis& basis) {
  const Eigen::VectorXd& start = run.motion->model().start_positions();
  ReducedEquilibrium reduced(run.statics->potential(), start, basis.columns);
  const DenseResult result = reduced.find(basis.amplitudes);
  basis.iterations += std::int64_t(result.iterations.size());
  basis.failures += !result.converged();
  const Eigen::VectorXd full = run.motion->state().positions - start;
  const Eigen::VectorXd difference = basis.columns * basis.amplitudes - full;
  basis.tip_error = mean_over(run.tip, difference).norm() / mean_over(run.tip, full).norm();
  basis.error = run.mass_norm(difference) / run.mass_norm(full);
}

// Runs stand along x, the full body and its bases along y.
void BendingBases::make_scene() {
  const ElasticModel& first = runs_.front().motion->model();
  const Eigen::Map<const Eigen::Matrix3Xd> points(first.start_positions().data(), 3, first.vertex_count());
  const double width = (points.rowwise().maxCoeff() - points.rowwise().minCoeff()).maxCoeff();
  scene_.length = first.length();
  scene_.fields = {{.name = "distance",
                    .unit = "m",
                    .documentation = "from where the vertex of the full body is",
                    .floor = 1e-9 * first.length()}};
  for (std::size_t i = 0; i < runs_.size(); ++i)
    for (std::size_t shape = 0; shape <= basis_count; ++shape) {
      for (SceneBody& body : drawn_bodies(runs_[i].motion->model(), runs_[i].motion->scene().schedule)) {
        body.group = int(scene_.groups.size());
        scene_.bodies.push_back(std::move(body));
      }
      const std::string name = shape == 0 ? "full" : basis_names[shape - 1];
      scene_.groups.push_back({runs_[i].title.empty() ? name : runs_[i].title + ", " + name,
                               {double(i) * run_spacing * width, double(shape) * basis_spacing * width, 0}});
    }
}

void BendingBases::write_frame(StudyOutput& output) {
  if (frames_per_second_ <= 0) return;
  SceneFrame frame;
  frame.step = steps_done_;
  frame.time = double(loads_done()) * plan_.statics.scene.time_step;
  frame.fields.resize(1);
  for (const BendingRun& run : runs_) {
    const Eigen::VectorXd full = run.motion->state().positions;
    for (std::size_t shape = 0; shape <= basis_count; ++shape) {
      Eigen::VectorXd x = full;
      if (shape > 0 && run.is_reduced)
        x = run.motion->model().start_positions() + run.bases[shape - 1].columns * run.bases[shape - 1].amplitudes;
      frame.positions.insert(frame.positions.end(), x.data(), x.data() + x.size());
      for (Eigen::Index v = 0; 3 * v < x.size(); ++v) frame.fields[0].push_back(float((x - full).segment<3>(3 * v).norm()));
    }
  }
  output.frame(frame);
}

void BendingRecord::visit(Archive& archive) {
  archive.visit(is_reduced, 1);
  if (!is_reduced) return;
  numbers.visit(archive);
  for (BentBasis& basis : bases) {
    archive.visit_sized(basis.columns);
    archive.visit_sized(basis.amplitudes);
    for (double* error : {&basis.tip_error, &basis.error}) archive.visit(*error);
    for (std::int64_t* count : {&basis.iterations, &basis.failures}) archive.visit(*count, most_of_bending);
  }
  for (std::int64_t* count : {&loads, &unordered_loads}) archive.visit(*count, most_of_bending);
  archive.visit(tip_displacement);
}

std::string BendingBases::serialize() const {
  Archive archive(bending_kind, 1);
  std::int64_t steps = steps_done_;
  archive.visit(steps, double(total_steps()));
  for (const BendingRun& run : runs_) {
    run.motion->save(archive);
    BendingRecord record = run;
    record.visit(archive);
  }
  return archive.take_bytes();
}

void BendingBases::deserialize(std::string_view bytes) {
  Archive archive(bending_kind, 1, bytes);
  archive.visit(steps_done_, double(total_steps()));
  for (BendingRun& run : runs_) {
    run.motion->load(archive);
    run.visit(archive);
    for (const BentBasis& basis : run.bases)
      if (run.is_reduced &&
          (basis.columns.rows() != 3 * run.motion->model().vertex_count() || basis.columns.cols() != plan_.reduction.columns ||
           basis.amplitudes.size() != basis.columns.cols()))
        Archive::refuse("it has bases of another size");
  }
  archive.require_end();
}

std::vector<Metric> BendingBases::finish() { return bending_results(runs_); }

std::vector<Table> BendingBases::tables() { return bending_tables(runs_); }

std::vector<Diagnosis> BendingBases::diagnoses() const {
  std::vector<Diagnosis> diagnoses;
  for (const BendingRun& run : runs_)
    if (run.motion->has_failed()) diagnoses.push_back({run.title + ": " + run.motion->diagnosis(), false});
  return diagnoses;
}

}  // namespace holo
