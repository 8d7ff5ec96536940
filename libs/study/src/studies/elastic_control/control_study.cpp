#include "studies/elastic_control/control_study.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>

#include "holo/sim/contact/contact_with_others.h"
#include "holo/sim/elastic/elastic_contents.h"

namespace holo {

namespace {

FrameControlOptions frame_options(const ControlDefinition& control, const std::vector<ControlledSegment>& segments,
                                  double unit) {
  FrameControlOptions options = control.frame;
  options.bounds = activation_bounds(segments, unit);
  return options;
}

// The velocity of the center of mass [m/s].
double vertical_velocity(const ElasticModel& model, const ElasticState& state) {
  double momentum = 0, mass = 0;
  for (int v = 0; v < model.vertex_count(); ++v) {
    const double m = model.masses()[static_cast<std::size_t>(v)];
    momentum += m * state.velocities[3 * v + 2];
    mass += m;
  }
  return momentum / mass;
}

// The counts of a frame: those after it less those before it.
InverseStepCounts difference(InverseStepCounts after, const InverseStepCounts& before) {
  for (int InverseStepCounts::*count :
       {&InverseStepCounts::forward_solves, &InverseStepCounts::failed_solves, &InverseStepCounts::newton_iterations,
        &InverseStepCounts::factorizations, &InverseStepCounts::back_substitutions, &InverseStepCounts::gradients,
        &InverseStepCounts::hessians, &InverseStepCounts::indefinite_points, &InverseStepCounts::restarts,
        &InverseStepCounts::crushed_points, &InverseStepCounts::branch_jumps})
    after.*count -= before.*count;
  return after;
}

}  // namespace

ElasticControl::ElasticControl(const ElasticSceneDefinition& scene, const ControlPlan& plan, const SignalStore& signals,
                               double frames_per_second)
    : elastic_scene_(scene),
      control_(plan.control),
      phases_(plan.phases),
      segments_(controlled_segments(model())),
      unit_(activation_unit(segments_)),
      scene_stiffness_(elastic_scene_.contact.barrier.stiffness),
      contact_(elastic_scene_.contact),
      intersections_(elastic_scene_.model, elastic_scene_.contact),
      losses_(elastic_scene_, plan, signals),
      motion_(model(), phases_),
      drawing_(model(), segments_),
      targets_(elastic_scene_.model, signals, elastic_scene_.integration.time_step),
      forces_(elastic_scene_),
      frames_per_second_(frames_per_second),
      state_(initial_state(model())),
      activations_(static_cast<Eigen::Index>(segments_.size())) {
  for (std::size_t i = 0; i < segments_.size(); ++i) activations_[static_cast<Eigen::Index>(i)] = segments_[i].start;
  targets_.add(plan.common.losses);
  for (std::size_t phase = 0; phase < phases_.size(); ++phase)
    targets_.add(plan.phase_losses[phase], static_cast<std::int64_t>(phase));
  make_solver();
  make_scene();
}

// Terms of contact have the stiffness that the scene has when they are made.
void ElasticControl::make_solver() {
  elastic_scene_.contact.barrier.stiffness = stiffening_.factor() * scene_stiffness_;
  FrameControlOptions options = frame_options(control_, segments_, unit_);
  options.objection = [this](const Eigen::VectorXd& positions, double time) { return objection_to(positions, time); };
  auto solver = std::make_unique<FrameSolver>(
      elastic_scene_, losses_.begin(state_, nullptr, {}, progress_),
      InverseStepOptions{
          .unit = unit_, .forward = {.linear_solver = control_.linear_solver}, .least_determinant = control_.least_volume},
      options);
  if (solver_) solver->inverse_step.continue_counts(solver_->inverse_step);
  solver_ = std::move(solver);
}

// Intersections at that time [s] that contact is to prevent.
std::string ElasticControl::objection_to(const Eigen::VectorXd& positions, double time) const {
  const FoundIntersections prevented = intersections_.prevented(intersections_.find(positions, time));
  if (prevented.count() == 0) return "";
  return fmt::format("{} intersections: {}", prevented.count(), intersections_.describe(prevented, positions, time));
}

// The frame that starts at the present state. Where it fails, or ends with surfaces almost in touch, contact is made stiffer,
// and the frame begins anew.
FrameResult ElasticControl::solve_frame() {
  const SceneContact& contact = elastic_scene_.contact;
  for (;;) {
    solver_->inverse_step.choose(losses_.begin(state_, before_ ? &*before_ : nullptr, activations_, progress_));
    FrameResult frame = solver_->frame_control.solve(state_, activations_);
    const bool failed = frame.status == FrameStatus::failed;
    if (!contact.surface) return frame;
    const double least_gap = ContactStiffening::least_gap * contact.barrier.distance;
    if (!failed && summarize_contact(contact, frame.end.positions, frame.end.time).smallest_gap >= least_gap) return frame;
    if (!stiffening_.stiffen()) {
      if (!failed) frame.diagnosis = "surfaces end the frame almost in touch";
      frame.status = FrameStatus::failed;
      return frame;
    }
    make_solver();
  }
}

PhaseObservation ElasticControl::observation() const {
  const SceneContact& contact = elastic_scene_.contact;
  const double distance = contact.barrier.distance;
  // A little farther than what `airborne` compares with.
  const ContactWithOthers others = contact_with_others(contact, state_.positions, state_.time, 2.5 * distance);
  return {others.smallest_gap, distance, others.touching_vertices, vertical_velocity(model(), state_)};
}

StepResult ElasticControl::give_up(const FrameResult& frame) const {
  return {true, fmt::format("frame {} (time {:.6g} s to {:.6g} s), phase '{}': no activations were found, and the step fails "
                            "with those of the frame before, in substeps and with stiffer contact, too: {}",
                            state_.step + 1, state_.time, state_.time + elastic_scene_.integration.time_step,
                            phases_[static_cast<std::size_t>(progress_.phase)].name, frame.diagnosis)};
}

std::vector<std::string> ElasticControl::contents() const {
  std::vector<std::string> contents = elastic_contents(model(), elastic_scene_.schedule);
  contents.push_back(fmt::format("{} activations, in units of {:.4g} Pa; {} phases", segments_.size(), unit_, phases_.size()));
  return contents;
}

void ElasticControl::begin(StudyOutput& output) {
  totals_.start_height = totals_.largest_height = center_of_mass(model(), state_)[2];
  totals_.minimum_determinant = determinants(model(), state_.positions).minimum;
  output.log("model", {{"vertices", std::int64_t{model().vertex_count()}},
                       {"elements", std::int64_t{model().element_count()}},
                       {"activations", std::int64_t{solver_->inverse_step.dimension()}},
                       {"activation_unit", unit_},
                       {"factorization", solver_->integrator.workspace().factorization().name()}});
  const ControlRow row = row_at_start();
  totals_.intersections = row.intersections;
  write_row(output, {{&state_, nullptr, nullptr}, {&activations_}}, row);
  write_frame(output, progress_);
}

// One frame: its phase's losses, the activations, the step with them; then the phase of the next frame.
StepResult ElasticControl::step(StudyOutput& output) {
  const auto begin = std::chrono::steady_clock::now();
  const InverseStepCounts counts_before = solver_->inverse_step.counts();
  const InverseStepTimes times_before = solver_->inverse_step.times();
  const FrameResult frame = solve_frame();
  log_frame(output, frame);
  // The state is that of the frame before: the checkpoint that follows holds the last good one.
  if (frame.status == FrameStatus::failed) return give_up(frame);
  const ElasticState start = state_;
  const Eigen::VectorXd activations_before = activations_;
  state_ = frame.end;
  activations_ = frame.activations;
  const PhaseObservation observed = observation();
  const ContactSummary contacts = summarize_contact(elastic_scene_.contact, state_.positions, state_.time);
  keep_if_most_contacts(start, activations_before, frame, contacts.touching_vertices);
  ControlRow row = row_at_start();
  row.frame = frame;
  row.counts = difference(solver_->inverse_step.counts(), counts_before);
  totals_.airborne_frames += observed.touching_vertices == 0;
  const ElasticSteps steps{{&state_, &start, before_ ? &*before_ : nullptr}, {&activations_, &activations_before}};
  row.regularization = losses_.regularization(steps);
  account(row);
  write_row(output, steps, row);
  before_ = start;
  const PhaseProgress ended = progress_;
  progress_ = progress_at(phases_, progress_, state_.step, observed);
  if (frame_is_due()) write_frame(output, ended);  // with the forces of the stiffness that the frame had
  if (stiffening_.observe(contacts.smallest_gap, observed.activation_distance)) make_solver();
  const InverseStepTimes& times = solver_->inverse_step.times();
  output.timings(
      {static_cast<double>(state_.step), std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count(),
       times.forward - times_before.forward, times.gradient - times_before.gradient, times.hessian - times_before.hessian});
  return {};
}

void ElasticControl::log_frame(StudyOutput& output, const FrameResult& frame) const {
  for (const FrameIteration& each : frame.iterations)
    output.log("inverse_iteration", {{"step", state_.step + 1},
                                     {"pass", std::int64_t{each.pass}},
                                     {"warm_start", each.is_warm_start},
                                     {"iteration", std::int64_t{each.iteration.iteration}},
                                     {"objective", each.iteration.value},
                                     {"projected_gradient", each.iteration.projected_gradient},
                                     {"step_length", each.iteration.step_length},
                                     {"shift", each.iteration.shift},
                                     {"evaluations", std::int64_t{each.iteration.evaluations}},
                                     {"at_bounds", std::int64_t{each.iteration.at_bounds}}});
  if (!frame.diagnosis.empty())
    output.log("frame_diagnosis", {{"step", state_.step + 1}, {"status", to_string(frame.status)}, {"text", frame.diagnosis}});
}

// For the certificate; of several frames with as many contacts the first.
void ElasticControl::keep_if_most_contacts(const ElasticState& start, const Eigen::VectorXd& activations_before,
                                           const FrameResult& frame, int touching) {
  const bool is_first = kept_.frame.activations.size() == 0;
  if (!is_first && (touching <= totals_.touching_vertices || frame.substeps > 1)) return;
  totals_.touching_vertices = touching;
  kept_ = {{start, activations_, frame.lag_positions}, before_, activations_before, progress_};
}

// Of the present state, with what a frame that needs no search has. The stiffness is that of the frame that ended here.
ControlRow ElasticControl::row_at_start() const {
  ControlRow row{.state = state_, .phase = progress_.phase};
  row.stiffening = stiffening_.factor();
  row.intersections = intersections_.find(state_.positions, state_.time).count();
  row.energies = energies(model(), elastic_scene_.gravity, state_);
  row.determinants = determinants(model(), state_.positions);
  row.center_of_mass = center_of_mass(model(), state_);
  for (std::size_t i = 0; i < segments_.size(); ++i)
    row.largest_activation = std::max(row.largest_activation,
                                      std::abs(activations_[static_cast<Eigen::Index>(i)]) / segments_[i].body->shear_modulus);
  return row;
}

void ElasticControl::account(const ControlRow& row) {
  totals_.passes += row.frame.passes;
  totals_.iterations += row.frame.minimizer_iterations;
  totals_.iterations_maximum = std::max<std::int64_t>(totals_.iterations_maximum, row.frame.minimizer_iterations);
  totals_.fallbacks += row.frame.status == FrameStatus::fallback;
  totals_.unconverged += !row.frame.converged;
  totals_.lag_change_sum += row.frame.lag_change;
  totals_.branch_jumps += row.counts.branch_jumps;
  totals_.crushed_points += row.counts.crushed_points;
  totals_.failed_solves += row.counts.failed_solves;
  totals_.restarts += row.counts.restarts;
  totals_.substepped_frames += row.frame.substeps > 1;
  totals_.intersections = std::max(totals_.intersections, row.intersections);
  totals_.largest_stiffening = std::max(totals_.largest_stiffening, row.stiffening);
  totals_.forward_solves += row.counts.forward_solves;
  totals_.newton_iterations += row.counts.newton_iterations;
  totals_.factorizations += row.counts.factorizations;
  totals_.back_substitutions += row.counts.back_substitutions;
  totals_.hessians += row.counts.hessians;
  totals_.inverted_elements = std::max<std::int64_t>(totals_.inverted_elements, row.determinants.inverted_elements);
  totals_.minimum_determinant = std::min(totals_.minimum_determinant, row.determinants.minimum);
  totals_.largest_activation = std::max(totals_.largest_activation, row.largest_activation);
  totals_.largest_height = std::max(totals_.largest_height, row.center_of_mass[2]);
}

void ElasticControl::write_row(StudyOutput& output, const ElasticSteps& steps, const ControlRow& row) {
  std::vector<double> values = row_of(control_columns(), row);
  motion_.observe(state_, row.phase, values);
  contact_.observe(state_, values);
  losses_.observe(steps, {row.phase, progress_.first_step}, values);
  values.insert(values.end(), activations_.begin(), activations_.end());
  output.row(values);
}

std::vector<Metric> ElasticControl::finish() {
  ControlOutcome outcome{model(), state_, totals_, static_cast<std::int64_t>(segments_.size()), progress_.phase + 1};
  const Vector3d start = center_of_mass(model(), initial_state(model())), end = center_of_mass(model(), state_);
  for (std::size_t i = 0; i < 3; ++i) outcome.displacement[i] = end[i] - start[i];
  std::vector<Metric> metrics = metrics_of(control_metrics(), outcome);
  if (control_.certificate) {
    StepLoss& loss =
        losses_.begin(kept_.frame.start, kept_.before ? &*kept_.before : nullptr, kept_.activations_before, kept_.progress);
    outcome.certificate = certify_derivatives(elastic_scene_, loss, kept_.frame, unit_);
    for (const Metric& metric : metrics_of(certificate_metrics(), outcome)) metrics.push_back(metric);
  }
  for (const Metric& metric : motion_.metrics()) metrics.push_back(metric);
  for (const Metric& metric : contact_.metrics()) metrics.push_back(metric);
  for (const Metric& metric : losses_.metrics()) metrics.push_back(metric);
  return metrics;
}

// More than one frame in fifty without activations of its own is no controlled motion.
std::vector<Diagnosis> ElasticControl::diagnoses() const {
  if (50 * totals_.fallbacks <= state_.step) return {};
  return {{fmt::format("{} of {} frames kept the activations of the frame before, since no better ones were found (log.jsonl, "
                       "event frame_diagnosis); at most 2 % are allowed. Give the phases targets that can be reached.",
                       totals_.fallbacks, state_.step),
           true}};
}

}  // namespace holo
