#include "studies/modal_reduction/falling_study.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "holo/core/numerics/parallel.h"
#include "holo/core/numerics/stopwatch.h"
#include "holo/sim/elastic/elastic_contents.h"
#include "studies/elastic_drawing/body_drawing.h"
#include "studies/elastic_drawing/element_field_drawing.h"

namespace holo {

namespace {

constexpr std::string_view falling_kind = "modal_reduction.motion";
constexpr double most_of_falling = 0x1p53;

// The scene of one of the bodies, with all that is around it.
ElasticSceneDefinition scene_of(const ElasticSceneDefinition& all, const ElasticBodyDefinition& body) {
  ElasticSceneDefinition scene = all;
  scene.bodies = {body};
  return scene;
}

double processor_seconds() { return read_clock(CLOCK_PROCESS_CPUTIME_ID); }

}  // namespace

FallingBodies::FallingBodies(FallingPlan plan, double frames_per_second)
    : plan_(std::move(plan)), frames_per_second_(frames_per_second) {
  for (const ElasticBodyDefinition& definition : plan_.scene.bodies) {
    require_smooth_material(definition);
    FallingBody& body = bodies_.emplace_back();
    body.scene = std::make_unique<ElasticScene>(scene_of(plan_.scene, definition));
    body.velocity = Eigen::Vector3d(definition.velocity.data());
    body.angular_velocity = Eigen::Vector3d(definition.angular_velocity.data());
    require_degrees_of_freedom(plan_.reduction, *body.scene);
    body.numbers.elements = body.scene->model->element_count();
  }
  make_scene();
}

std::vector<std::string> FallingBodies::kernels() const {
  std::vector<std::string> kernels;
  for (const FallingBody& body : bodies_)
    for (const std::string& kernel : body.scene->model->kernel_names()) kernels.push_back(kernel);
  return kernels;
}

std::vector<std::string> FallingBodies::contents() const {
  std::vector<std::string> contents;
  for (const FallingBody& body : bodies_)
    for (const std::string& line : elastic_contents(*body.scene->model, body.scene->schedule)) contents.push_back(line);
  return contents;
}

std::vector<std::string> FallingBodies::notes() const {
  std::vector<std::string> notes = {"Bodies do not collide with each other."};
  if (bodies_.size() < 2) notes.clear();
  for (const FallingBody& body : bodies_)
    for (const std::string& note : body.scene->model->notes()) notes.push_back(note);
  return notes;
}

void FallingBodies::begin(StudyOutput& output) {
  std::int64_t elements = 0;
  for (const FallingBody& body : bodies_) elements += body.scene->model->element_count();
  output.log("model", {{"bodies", std::int64_t(bodies_.size())}, {"elements", elements}});
  write_frame(output);
}

StepResult FallingBodies::step(StudyOutput& output) {
  if (steps_done_ < std::int64_t(bodies_.size())) return reduce(bodies_[std::size_t(steps_done_)], output);
  return move(output);
}

StepResult FallingBodies::reduce(FallingBody& body, StudyOutput& output) {
  const std::string name = body.scene->model->bodies().front().name;
  Stopwatch watch;
  try {
    const ModalSystem system = modal_system_of(*body.scene);
    const ModesAndDerivatives found = find_modes(system, plan_.reduction, body.numbers);
    body.basis = basis_of(system, found, plan_.reduction, plan_.order, body.numbers);
    if (!plan_.all_elements)
      body.cubature = trained_cubature(body.scene->model, system, found, body.basis, plan_, body.numbers);
    if (&body == &bodies_.front() && modes_.count() > 0) shown_shapes_ = modes_.drawn_shapes(found.modes.shapes);
    make_dynamics(body, system);
  } catch (const Error& error) {
    return {true, fmt::format("the body '{}' is not reduced: {}", name, error.what())};
  }
  body.numbers.time = watch.lap();
  body.is_reduced = true;
  body.state = body.dynamics->body().start(body.velocity, body.angular_velocity, plan_.scene.time_step);
  body.least_gap = INFINITY;
  observe(body);
  output.log("reduction", {{"body", name},
                           {"factorizations", body.numbers.factorizations},
                           {"solves", body.numbers.solves},
                           {"elements", body.numbers.elements},
                           {"training_error", body.numbers.training_error},
                           {"time", body.numbers.time}});
  ++steps_done_;
  output.timings({double(steps_done_), body.numbers.time, body.numbers.time});
  return {};
}

void FallingBodies::make_dynamics(FallingBody& body, const ModalSystem& system) {
  const ElasticScene& scene = *body.scene;
  const auto floating = std::make_shared<const FloatingBody>(system, body.basis, scene.contact);
  const auto elasticity =
      plan_.all_elements
          ? std::make_shared<const ReducedElasticity>(scene.model, system.positions(), body.basis)
          : std::make_shared<const ReducedElasticity>(scene.model, system.positions(), body.basis, body.cubature);
  FloatingOptions options;
  options.time_step = plan_.scene.time_step;
  options.gravity = Eigen::Vector3d(plan_.scene.gravity.data());
  options.mass_damping = scene.model->bodies().front().mass_damping;
  options.stiffness_damping = scene.model->bodies().front().stiffness_damping;
  options.tolerance = plan_.tolerance;
  options.max_iterations = plan_.max_iterations;
  body.dynamics = std::make_unique<FloatingDynamics>(floating, elasticity, options);
}

void FallingBodies::observe(FallingBody& body) const {
  const FloatingPose& pose = body.state.now;
  body.smallest_gap = body.dynamics->body().smallest_gap(pose);
  body.elastic_energy = body.dynamics->elasticity().energy(pose.amplitudes);
  const Eigen::VectorXd moved = body.basis * pose.amplitudes;
  const Eigen::Map<const Eigen::Matrix3Xd> of_vertices(moved.data(), 3, moved.size() / 3);
  body.deformation = of_vertices.colwise().norm().maxCoeff() / body.scene->model->length();
  body.least_gap = std::min(body.least_gap, body.smallest_gap);
  body.largest_deformation = std::max(body.largest_deformation, body.deformation);
  body.largest_energy = std::max(body.largest_energy, body.elastic_energy);
}

// The clocks run while bodies move, and not while they are observed and drawn.
StepResult FallingBodies::move(StudyOutput& output) {
  std::vector<FloatingState> before;
  for (const FallingBody& body : bodies_) before.push_back(body.state);
  const double wall = wall_seconds(), processor = processor_seconds();
  parallel_for(bodies_.size(), 1, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) bodies_[i].last = bodies_[i].dynamics->step(bodies_[i].state);
  });
  const double step_wall = wall_seconds() - wall, step_processor = processor_seconds() - processor;
  for (std::size_t i = 0; i < bodies_.size(); ++i) {
    if (bodies_[i].last.converged) continue;
    for (std::size_t k = 0; k < bodies_.size(); ++k) bodies_[k].state = before[k];
    return {true, fmt::format("the body '{}' did not find its next step: {}: {}. A smaller scene.time_step may help.",
                              bodies_[i].scene->model->bodies().front().name, to_string(bodies_[i].last.status),
                              bodies_[i].last.diagnosis)};
  }
  motion_time_ += step_wall;
  processor_time_ += step_processor;
  ++steps_done_;
  for (std::size_t i = 0; i < bodies_.size(); ++i) {
    bodies_[i].iterations += bodies_[i].last.iterations;
    bodies_[i].evaluations += bodies_[i].last.evaluations;
    observe(bodies_[i]);
    output.row(falling_row(i, double(motion_steps()) * plan_.scene.time_step, bodies_[i]));
  }
  output.timings({double(steps_done_), step_wall, step_processor});
  const auto frames_until = [&](std::int64_t step) {
    return std::floor(double(step) * plan_.scene.time_step * frames_per_second_ + 1e-9);
  };
  if (frames_until(motion_steps()) > frames_until(motion_steps() - 1)) write_frame(output);
  return {};
}

// Modes swing in a row in front of the bodies.
void FallingBodies::make_scene() {
  const ElasticModel& first = *bodies_.front().scene->model;
  scene_.fields = drawn_element_fields(first);
  Eigen::AlignedBox3d box;
  for (const FallingBody& body : bodies_) {
    const ElasticModel& model = *body.scene->model;
    for (SceneBody& drawn : drawn_bodies(model, body.scene->schedule)) {
      drawn.labeled = true;
      scene_.bodies.push_back(std::move(drawn));
    }
    for (int vertex = 0; vertex < model.vertex_count(); ++vertex)
      box.extend(Eigen::Vector3d(model.start_positions().segment<3>(3 * vertex)));
  }
  scene_.length = box.diagonal().norm();
  if (plan_.shown_modes == 0) return;
  const double floor = plan_.scene.contact.planes.empty() ? box.min()[2] : plan_.scene.contact.planes.front().point[2];
  const Eigen::Vector3d corner(box.min()[0], box.min()[1] - 1.6 * first.length(), floor + 0.1 * first.length());
  modes_ = SwingingModes(first, plan_.shown_modes, corner);
  modes_.add_to(scene_);
}

void FallingBodies::write_frame(StudyOutput& output) {
  if (frames_per_second_ <= 0) return;
  SceneFrame frame;
  frame.step = steps_done_;
  frame.time = double(motion_steps()) * plan_.scene.time_step;
  for (const FallingBody& body : bodies_) {
    const ElasticModel& model = *body.scene->model;
    const Eigen::VectorXd x =
        body.is_reduced ? body.dynamics->body().positions(body.state.now) : Eigen::VectorXd(model.start_positions());
    frame.positions.insert(frame.positions.end(), x.data(), x.data() + x.size());
    append_element_fields(model, x, element_fields_, frame.fields);
  }
  modes_.draw(shown_shapes_, frame.time, frame);
  for (std::vector<float>& field : frame.fields) field.resize(frame.positions.size() / 3, std::nanf(""));
  output.frame(frame);
}

void FallingRecord::visit(Archive& archive, std::size_t elements) {
  archive.visit(is_reduced, 1);
  if (!is_reduced) return;
  numbers.visit(archive);
  archive.visit_sized(basis);
  archive.visit(cubature.elements, double(elements));
  archive.visit_sized(cubature.weights);
  for (FloatingPose* pose : {&state.now, &state.before}) {
    archive.visit(pose->position);
    archive.visit(pose->rotation);
    archive.visit_sized(pose->amplitudes);
  }
  for (double* value : {&smallest_gap, &elastic_energy, &deformation, &least_gap, &largest_deformation, &largest_energy})
    archive.visit(*value);
  for (std::int64_t* count : {&iterations, &evaluations}) archive.visit(*count, most_of_falling);
}

// What is made of a record that was read.
void FallingBodies::restore(FallingBody& body) {
  if (!body.is_reduced) return;
  const Eigen::Index columns = plan_.reduction.columns;
  if (body.basis.rows() != 3 * body.scene->model->vertex_count() || body.basis.cols() != columns ||
      body.state.now.amplitudes.size() != columns || body.state.before.amplitudes.size() != columns)
    Archive::refuse("it has bases of another size");
  make_dynamics(body, modal_system_of(*body.scene));
}

std::string FallingBodies::serialize() const {
  Archive archive(falling_kind, 1);
  std::int64_t steps = steps_done_;
  archive.visit(steps, double(total_steps()));
  for (double time : {motion_time_, processor_time_}) archive.visit(time);
  Eigen::MatrixXd shapes = shown_shapes_;
  archive.visit_sized(shapes);
  for (const FallingBody& body : bodies_) {
    FallingRecord record = body;
    record.visit(archive, body.scene->model->packed_elements().size());
  }
  return archive.take_bytes();
}

void FallingBodies::deserialize(std::string_view bytes) {
  Archive archive(falling_kind, 1, bytes);
  archive.visit(steps_done_, double(total_steps()));
  for (double* time : {&motion_time_, &processor_time_}) archive.visit(*time);
  archive.visit_sized(shown_shapes_);
  if (shown_shapes_.size() > 0 && (shown_shapes_.rows() != modes_.rows() || shown_shapes_.cols() != modes_.count()))
    Archive::refuse("it has modes of another size");
  for (FallingBody& body : bodies_) body.visit(archive, body.scene->model->packed_elements().size());
  archive.require_end();
  for (FallingBody& body : bodies_) restore(body);
}

std::vector<Metric> FallingBodies::finish() {
  return falling_results(plan_, {bodies_, motion_steps(), plan_.scene.time_step, motion_time_, processor_time_});
}

std::vector<Table> FallingBodies::tables() {
  return falling_tables({bodies_, motion_steps(), plan_.scene.time_step, motion_time_, processor_time_});
}

}  // namespace holo
