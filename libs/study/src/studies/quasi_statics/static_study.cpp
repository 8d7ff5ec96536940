#include "studies/quasi_statics/static_study.h"

#include <fmt/format.h>

#include <algorithm>

#include "holo/core/numerics/parallel.h"
#include "holo/core/numerics/stopwatch.h"
#include "holo/sim/elastic/elastic_contents.h"
#include "studies/body_energies.h"
#include "studies/elastic_drawing/body_drawing.h"
#include "studies/elastic_drawing/element_field_drawing.h"
#include "studies/studies.h"

namespace holo {

namespace {

constexpr std::string_view static_kind = "quasi_statics";
constexpr double spacing = 1.6;  // of runs in the picture, over the extent of the bodies at the start

std::vector<const StaticMotion*> pointers_to(const std::vector<std::unique_ptr<StaticMotion>>& motions) {
  std::vector<const StaticMotion*> result;
  for (const auto& motion : motions) result.push_back(motion.get());
  return result;
}

std::string title_of(const StaticPlan& plan, const StaticRun& run) {
  std::string title = run.material < 0 ? "" : plan.materials[std::size_t(run.material)].name();
  if (run.test >= 0) title += (title.empty() ? "" : ", ") + plan.tests[std::size_t(run.test)].name;
  return title;
}

}  // namespace

QuasiStaticStudy::QuasiStaticStudy(StaticPlan plan, double frames_per_second)
    : plan_(std::move(plan)), runs_(plan_.runs()), steps_(plan_.scene.step_count()), frames_per_second_(frames_per_second) {
  const std::vector<ElasticSceneDefinition> scenes = static_scenes(plan_);
  motions_.resize(scenes.size());
  parallel_for(scenes.size(), 1, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) motions_[i] = std::make_unique<StaticMotion>(scenes[i], plan_.options);
  });
  for (const auto& motion : motions_)
    for (const DisplacementPattern& pattern : plan_.patterns) pattern.values(motion->model());
  make_scene();
}

// Runs stand side by side: materials along x, tests along y.
void QuasiStaticStudy::make_scene() {
  const ElasticModel& first = motions_.front()->model();
  const Eigen::Map<const Eigen::Matrix3Xd> points(first.start_positions().data(), 3, first.vertex_count());
  const Eigen::Vector3d extent = points.rowwise().maxCoeff() - points.rowwise().minCoeff();
  const double width = spacing * extent.maxCoeff(), depth = std::max(spacing * extent[1], width / 2);
  pattern_directions_ = pattern_directions(plan_.patterns, first);
  for (const PatternDirection& each : pattern_directions_) scene_.fields.push_back(each.field);
  for (ScalarField& field : drawn_element_fields(first)) scene_.fields.push_back(std::move(field));
  scene_.vectors = {{"displacement", "m", "from the position at the start of the scene"}};
  scene_.length = first.length();
  for (std::size_t i = 0; i < runs_.size(); ++i) {
    for (SceneBody& body : drawn_bodies(motions_[i]->model(), motions_[i]->scene().schedule)) {
      if (runs_.size() > 1) body.group = int(i);
      scene_.bodies.push_back(std::move(body));
    }
    if (runs_.size() == 1) continue;
    const double column = std::max(runs_[i].material, 0), row = std::max(runs_[i].test, 0);
    scene_.groups.push_back({title_of(plan_, runs_[i]), {column * width, row * depth, 0}});
  }
}

std::vector<Quantity> QuasiStaticStudy::columns() const { return static_columns(); }

std::vector<Quantity> QuasiStaticStudy::timing_columns() const {
  return {{"step", "1", "number of the step"}, {"wall_time", "s", "of all runs"}};
}

std::vector<ColumnPlot> QuasiStaticStudy::plots() const {
  std::vector<ColumnPlot> plots = {{"Elastic energy", "time", {"elastic_energy"}},
                                   {"Reaction force", "time", {"reaction_force"}},
                                   {"Reaction moment", "time", {"reaction_moment"}},
                                   {"Volume over that at rest", "time", {"volume_ratio"}},
                                   {"Smallest determinant of the deformation gradient", "time", {"minimum_determinant"}},
                                   {"Newton iterations", "time", {"iterations"}, false, true}};
  if (runs_.size() == 1) return plots;
  for (ColumnPlot& plot : plots) {
    plot.series_column = "run";
    for (const StaticRun& run : runs_) plot.names.push_back(title_of(plan_, run));
  }
  return plots;
}

std::vector<std::string> QuasiStaticStudy::kernels() const {
  std::vector<std::string> kernels;
  for (std::size_t i = 0; i < runs_.size(); ++i)
    if (runs_[i].test <= 0)
      for (const std::string& kernel : motions_[i]->model().kernel_names()) kernels.push_back(kernel);
  return kernels;
}

std::vector<std::string> QuasiStaticStudy::contents() const {
  std::vector<std::string> lines = elastic_contents(motions_.front()->model(), motions_.front()->scene().schedule);
  for (std::size_t i = 1; i < runs_.size(); ++i)
    if (runs_[i].material <= 0 && runs_[i].test >= 0 && plan_.tests[std::size_t(runs_[i].test)].mesh)
      for (const std::string& line : elastic_contents(motions_[i]->model(), motions_[i]->scene().schedule))
        lines.push_back(fmt::format("test '{}', {}", plan_.tests[std::size_t(runs_[i].test)].name, line));
  return lines;
}

std::vector<std::string> QuasiStaticStudy::notes() const {
  std::vector<std::string> notes = plan_.notes;
  for (const std::string& note : motions_.front()->model().notes()) notes.push_back(note);
  return notes;
}

void QuasiStaticStudy::begin(StudyOutput& output) {
  output.log("model", {{"vertices", std::int64_t{motions_.front()->model().vertex_count()}},
                       {"elements", std::int64_t{motions_.front()->model().element_count()}},
                       {"runs", std::int64_t(runs_.size())}});
  write(output);
}

StepResult QuasiStaticStudy::step(StudyOutput& output) {
  Stopwatch watch;
  std::vector<char> had_failed;
  for (const auto& motion : motions_) had_failed.push_back(motion->has_failed());
  parallel_for(motions_.size(), 1, [&](std::size_t begin, std::size_t end) {
    WorkspacePool<NewtonWorkspace>::Lease workspace(workspaces_);
    for (std::size_t i = begin; i < end; ++i) motions_[i]->step(*workspace);
  });
  ++steps_done_;
  for (std::size_t i = 0; i < motions_.size(); ++i)
    if (const int reference = reference_of(plan_, runs_, i); reference >= 0 && has_mesh_of_reference(plan_, runs_[i]))
      motions_[i]->compare(*motions_[std::size_t(reference)]);
  write(output);
  output.timings({double(steps_done_), watch.lap()});
  for (std::size_t i = 0; i < motions_.size(); ++i)
    if (motions_[i]->has_failed() && !had_failed[i])
      output.log("failure", {{"run", title_of(plan_, runs_[i])}, {"diagnosis", motions_[i]->diagnosis()}});
  // One motion that cannot go on ends the run; of several the others go on.
  if (motions_.size() == 1 && motions_.front()->has_failed()) {
    --steps_done_;
    return {true, motions_.front()->diagnosis()};
  }
  return {};
}

void QuasiStaticStudy::write(StudyOutput& output) {
  for (std::size_t i = 0; i < motions_.size(); ++i) output.row(static_row(i, *motions_[i]));
  write_frame(output);
}

void QuasiStaticStudy::write_frame(StudyOutput& output) {
  if (frames_per_second_ <= 0) return;
  frame_.step = steps_done_;
  frame_.time = double(steps_done_) * plan_.scene.time_step;
  frame_.positions.clear();
  frame_.fields.assign(pattern_directions_.size(), {});
  frame_.vectors.assign(1, {});
  std::vector<std::vector<float>> of_elements;
  std::vector<double> drawn;
  for (const auto& motion : motions_) {
    const ElasticModel& model = motion->model();
    assign_drawn(model, motion->state().positions, drawn);
    frame_.positions.insert(frame_.positions.end(), drawn.begin(), drawn.end());
    assign_drawn(model, motion->state().positions - model.start_positions(), drawn);
    frame_.vectors[0].insert(frame_.vectors[0].end(), drawn.begin(), drawn.end());
    append_element_fields(model, motion->state().positions, element_fields_, of_elements);
    for (std::size_t k = 0; k < pattern_directions_.size(); ++k)
      append_displacement(model, motion->state().positions, pattern_directions_[k].direction, frame_.fields[k]);
  }
  for (std::vector<float>& field : of_elements) frame_.fields.push_back(std::move(field));
  output.frame(frame_);
}

std::string QuasiStaticStudy::serialize() const {
  Archive archive(static_kind, 1);
  std::int64_t steps = steps_done_;
  archive.visit(steps, double(steps_));
  for (const auto& motion : motions_) motion->save(archive);
  return archive.take_bytes();
}

void QuasiStaticStudy::deserialize(std::string_view bytes) {
  Archive archive(static_kind, 1, bytes);
  archive.visit(steps_done_, double(steps_));
  for (const auto& motion : motions_) motion->load(archive);
  archive.require_end();
}

std::vector<Metric> QuasiStaticStudy::finish() { return static_results(plan_, pointers_to(motions_)); }

std::vector<Table> QuasiStaticStudy::tables() { return {static_table(plan_, pointers_to(motions_))}; }

std::vector<Diagnosis> QuasiStaticStudy::diagnoses() const {
  std::vector<Diagnosis> diagnoses;
  for (std::size_t i = 0; i < motions_.size(); ++i)
    if (motions_[i]->has_failed()) diagnoses.push_back({title_of(plan_, runs_[i]) + ": " + motions_[i]->diagnosis(), false});
  return diagnoses;
}

namespace {

StudyPlan read_quasi_statics(Configuration& experiment, const StudyContext& context) {
  StudyPlan result;
  const std::size_t problems = experiment.problem_count();
  const StaticPlan plan = read_static_plan(experiment, context);
  result.metrics = static_metrics(plan);
  result.metrics_are_known = experiment.problem_count() == problems;
  add_static_plugins(plan, result.plugins);
  result.build = [plan, frames = context.frames_per_second]() -> std::unique_ptr<Study> {
    return std::make_unique<QuasiStaticStudy>(plan, frames);
  };
  return result;
}

}  // namespace

StudyKind quasi_statics() {
  return {"equilibria of elastic bodies under growing loads, of several materials and tests side by side",
          "Each time step moves handles and loads and finds the minimum of the potential energy that follows from the one "
          "before, by line-search Newton; a step without one is divided.",
          element_mode_names(),
          {"none"},
          read_quasi_statics};
}

}  // namespace holo
