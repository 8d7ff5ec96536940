// What an `elastic_control` run shows and stores: columns, diagrams, the scene, its frames and checkpoints.

#include <cmath>
#include <numeric>

#include "studies/elastic_control/control_study.h"
#include "studies/elastic_drawing/body_drawing.h"

namespace holo {

namespace {

constexpr std::string_view elastic_control_kind = "elastic_control";
constexpr int elastic_control_version = 3;
constexpr double largest_control_integer = 0x1p53;  // that an archive holds exactly

std::string activation_column(const ControlledSegment& segment) { return "activation." + segment.name; }

void visit_totals(Archive& archive, ControlTotals& totals) {
  for (std::int64_t* count :
       {&totals.passes, &totals.iterations, &totals.iterations_maximum, &totals.fallbacks, &totals.unconverged,
        &totals.branch_jumps, &totals.crushed_points, &totals.failed_solves, &totals.forward_solves, &totals.newton_iterations,
        &totals.factorizations, &totals.back_substitutions, &totals.hessians, &totals.inverted_elements,
        &totals.airborne_frames, &totals.touching_vertices, &totals.restarts, &totals.substepped_frames, &totals.intersections})
    archive.visit(*count, largest_control_integer);
  for (double* value : {&totals.minimum_determinant, &totals.largest_activation, &totals.start_height, &totals.largest_height,
                        &totals.lag_change_sum, &totals.largest_stiffening})
    archive.visit(*value);
  archive.visit(totals.last_frame, largest_control_integer, -1);
}

void visit_progress(Archive& archive, PhaseProgress& progress, std::size_t phases) {
  archive.visit(progress.phase, static_cast<double>(phases) - 1);
  archive.visit(progress.first_step, largest_control_integer);
}

// [entry], of a size that the reader does not know.
void visit_vector(Archive& archive, Eigen::VectorXd& values, Eigen::Index most) {
  Eigen::Index size = values.size();
  archive.visit(size, static_cast<double>(most));
  values.resize(size);
  archive.visit(values);
}

}  // namespace

std::vector<Quantity> ElasticControl::columns() const {
  std::vector<Quantity> columns = quantities_of(control_columns());
  for (const Quantity& column : BodyMotion::columns()) columns.push_back(column);
  for (const Quantity& column : contact_.columns()) columns.push_back(column);
  for (const Quantity& column : losses_.columns()) columns.push_back(column);
  for (const ControlledSegment& each : segments_)
    columns.push_back({activation_column(each), "Pa", "activation of a muscle segment; it contracts where this is positive"});
  return columns;
}

std::vector<Quantity> ElasticControl::timing_columns() const {
  return {{"step", "1", "number of the frame"},
          {"wall_time", "s", "spent on it"},
          {"forward_time", "s", "of it, forward solves, with the deep ones of derivatives"},
          {"gradient_time", "s", "of it, gradients in the activations"},
          {"hessian_time", "s", "of it, reduced Hessians"}};
}

std::vector<ColumnPlot> ElasticControl::plots() const {
  std::vector<ColumnPlot> plots = {
      {"Objective of each frame", "time", {"start_objective", "objective", "regularization"}, true},
      {"Iterations of the minimizations", "time", {"inverse_iterations", "passes"}, false, true},
      {"Forward solves and their Newton iterations", "time", {"forward_solves", "newton_iterations"}, false, true},
      {"Phase", "time", {"phase"}, false, true},
      {"Center of mass", "time", {"center_of_mass_x", "center_of_mass_y", "center_of_mass_z"}},
      {"Inverted elements and intersections", "time", {"inverted_elements", "intersections"}, false, true},
      {"Largest activation over the shear modulus", "time", {"largest_activation"}},
      {"Smallest determinant of the deformation gradient", "time", {"minimum_determinant"}},
      {"Energies", "time", {"kinetic_energy", "elastic_energy", "gravity_energy"}}};
  // The segments of a muscle together: names end with the number of the piece.
  std::string last;
  for (const ControlledSegment& each : segments_) {
    const std::string muscle = each.name.substr(0, each.name.rfind('.'));
    if (muscle != last) {
      ColumnPlot& plot = plots.emplace_back();
      plot.title = "Activations of " + muscle;
      plot.x = "time";
      plot.own_names = true;
    }
    last = muscle;
    plots.back().y.push_back(activation_column(each));
  }
  for (const ColumnPlot& plot : BodyMotion::plots()) plots.push_back(plot);
  for (const ColumnPlot& plot : contact_.plots()) plots.push_back(plot);
  for (const ColumnPlot& plot : losses_.plots()) plots.push_back(plot);
  ColumnPlot times{"Time of each frame", "step", {"wall_time", "forward_time", "gradient_time", "hessian_time"}};
  times.timings = true;
  plots.push_back(times);
  return plots;
}

void ElasticControl::make_scene() {
  scene_.length = model().length();
  scene_.vectors = {{"displacement", "m", "from the position at the start of the scene"}, {"velocity", "m/s", ""}};
  scene_.bodies = drawn_bodies(model(), elastic_scene_.schedule);
  for (SceneBody& obstacle : contact_.drawn_obstacles(model())) scene_.bodies.push_back(std::move(obstacle));
  drawing_.add_to(scene_);
  targets_.add_to(scene_);
  forces_.add_to(scene_);
}

// The first frame at or after each multiple of the interval of pictures, and the last one.
bool ElasticControl::frame_is_due() const {
  if (state_.step == elastic_scene_.integration.step_count) return true;
  // The tolerance counts a frame that ends at a multiple up to rounding as one that reached it.
  const auto pictures_until = [&](double time) { return std::floor(time * frames_per_second_ + 1e-9); };
  return pictures_until(state_.time) >
         pictures_until(static_cast<double>(state_.step - 1) * elastic_scene_.integration.time_step);
}

void ElasticControl::write_frame(StudyOutput& output, const PhaseProgress& progress) {
  totals_.last_frame = state_.step;
  if (frames_per_second_ <= 0) return;
  drawn_ = {.step = state_.step, .time = state_.time};
  assign_drawn(model(), state_.positions, drawn_.positions);
  drawn_.poses = contact_.poses(state_.time);
  const Eigen::VectorXd displacements = state_.positions - model().start_positions();
  drawn_.vectors.resize(2);
  assign_drawn(model(), displacements, drawn_.vectors[0]);
  assign_drawn(model(), state_.velocities, drawn_.vectors[1]);
  drawing_.draw(state_.positions, activations_, drawn_);
  for (std::vector<float>& field : drawn_.fields) spread_over_drawn(model(), field);
  targets_.draw(targets_.at(state_, progress.phase, progress.first_step), drawn_);
  forces_.draw(before_ ? &*before_ : nullptr, state_, drawn_);
  output.frame(drawn_);
}

void ElasticControl::visit(Archive& archive, std::optional<ElasticState>& state) const {
  std::string bytes = state ? holo::serialize(*state) : std::string();
  archive.visit(bytes, largest_control_integer);
  if (!archive.is_reading()) return;
  state.reset();
  if (!bytes.empty()) state = holo::deserialize(model(), bytes);
}

void ElasticControl::visit(Archive& archive) {
  visit_totals(archive, totals_);
  std::optional<ElasticState> state = state_, kept;
  visit(archive, state);
  if (!state) Archive::refuse("there is no state");
  state_ = std::move(*state);
  visit(archive, before_);
  archive.visit(activations_);
  visit_progress(archive, progress_, phases_.size());
  motion_.visit(archive);
  contact_.visit(archive);
  stiffening_.visit(archive);
  losses_.visit(archive);
  // The frame with the most contacts; none before the first frame.
  if (kept_.frame.activations.size() > 0) kept = kept_.frame.start;
  visit(archive, kept);
  if (kept) kept_.frame.start = std::move(*kept);
  visit(archive, kept_.before);
  visit_vector(archive, kept_.frame.activations, activations_.size());
  visit_vector(archive, kept_.activations_before, activations_.size());
  visit_vector(archive, kept_.frame.lag_positions, state_.positions.size());
  visit_progress(archive, kept_.progress, phases_.size());
}

std::string ElasticControl::serialize() const {
  Archive archive(elastic_control_kind, elastic_control_version);
  const_cast<ElasticControl*>(this)->visit(archive);  // which reads nothing into it
  return archive.take_bytes();
}

void ElasticControl::deserialize(std::string_view bytes) {
  Archive archive(elastic_control_kind, elastic_control_version, bytes);
  visit(archive);
  archive.require_end();
  make_solver();
}

}  // namespace holo
