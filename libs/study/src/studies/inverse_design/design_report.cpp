// Columns, metrics, tables and pictures of the study `inverse_design`.
#include <fmt/format.h>

#include <cmath>
#include <numbers>

#include "holo/sim/mesh/mesh_description.h"
#include "holo/study/quantity_table.h"
#include "studies/inverse_design/design_study.h"

namespace holo {

namespace {

constexpr double design_amplitude = 0.06;  // largest displacement in the picture, over the body's length

double hertz(double omega_squared) { return std::sqrt(omega_squared) / (2 * std::numbers::pi); }

}  // namespace

std::vector<Quantity> InverseDesign::columns() const {
  return {{"iteration", "1", "of Newton's method"},
          {"objective", "1", "(omega^2 over that of the target - 1)^2, before the step"},
          {"projected_gradient", "1", "largest entry, of relative parameters, less what bounds keep back"},
          {"evaluations", "1", "of the objective"}};
}

std::vector<ColumnPlot> InverseDesign::plots() const {
  return {{"Objective by iteration", "iteration", {"objective"}, true},
          {"Gradient by iteration", "iteration", {"projected_gradient"}, true}};
}

std::vector<std::string> InverseDesign::contents() const {
  std::vector<std::string> lines;
  const auto describe = [&](const char* what, const OscillatingBody& body) {
    if (body.vibration)
      lines.push_back(fmt::format("{}: {}, {} vertices, {} tetrahedra, {:.6g} Hz", what, body.vibration->body().family->name(),
                                  body.vibration->reference().vertices.size(), body.vibration->reference().tetrahedra.size(),
                                  hertz(body.omega_squared)));
  };
  describe("designed body", designed_);
  describe("target", target_);
  return lines;
}

std::vector<Quantity> design_metrics(const DesignPlan& plan) {
  std::vector<Quantity> metrics = {
      {"iterations", "1", "of Newton's method"},
      {"evaluations", "1", "of the objective"},
      {"factorizations", "1", "of the stiffness matrix, by the design"},
      {"objective", "1", "(omega^2 over that of the target - 1)^2 at the end"},
      {"frequency", "Hz", "of the designed body, by its quotient"},
      {"target_frequency", "Hz", "of the target"},
      {"frequency_error", "1", "relative difference of the two"},
      {"hessian_difference", "1",
       "largest difference of the exact Hessian from differences of the gradient, at the start, over "
       "the largest entry"}};
  for (const DesignedParameter& parameter : plan.parameters) metrics.push_back({parameter.name, parameter.unit, "designed"});
  if (plan.model_points > 0) {
    metrics.push_back(
        {"model_frequency_error", "1", "largest, relative, of the model for the report's sliders between its nodes"});
    metrics.push_back({"model_displacement_error", "1", "largest of that model, over the largest displacement"});
  }
  if (plan.periods < 1) return metrics;
  metrics.push_back({"motion_frequency", "Hz", "of the largest peak of the spectrum of the designed body's motion"});
  if (!plan.target) return metrics;
  metrics.push_back({"target_motion_frequency", "Hz", "of the target's motion"});
  metrics.push_back({"motion_frequency_error", "1", "relative difference of the two"});
  return metrics;
}

std::vector<Metric> InverseDesign::finish() {
  const double own = hertz(designed_.omega_squared), wanted = hertz(target_omega_squared());
  std::vector<Metric> metrics = {{"iterations", double(iterations_)},
                                 {"evaluations", double(evaluations_)},
                                 {"factorizations", double(factorizations_)},
                                 {"objective", objective_},
                                 {"frequency", own},
                                 {"target_frequency", wanted},
                                 {"frequency_error", std::abs(own / wanted - 1)},
                                 {"hessian_difference", hessian_difference_}};
  for (std::size_t k = 0; k < plan_.parameters.size(); ++k)
    metrics.push_back({plan_.parameters[k].name, designed_.values[Eigen::Index(k)]});
  if (plan_.model_points > 0) {
    metrics.push_back({"model_frequency_error", model_frequency_error_});
    metrics.push_back({"model_displacement_error", model_displacement_error_});
  }
  if (plan_.periods < 1) return metrics;
  metrics.push_back({"motion_frequency", designed_.motion_frequency});
  if (!plan_.target) return metrics;
  metrics.push_back({"target_motion_frequency", target_.motion_frequency});
  metrics.push_back({"motion_frequency_error", std::abs(designed_.motion_frequency / target_.motion_frequency - 1)});
  return metrics;
}

std::vector<Table> InverseDesign::tables() {
  Table parameters{"Design", "", {{"parameter"}, {"at the start"}, {"designed"}, {"least"}, {"largest"}}, {}};
  for (std::size_t k = 0; k < plan_.parameters.size(); ++k) {
    const DesignedParameter& parameter = plan_.parameters[k];
    parameters.rows.push_back({fmt::format("{} [{}]", parameter.name, parameter.unit), parameter.start,
                               designed_.values[Eigen::Index(k)], parameter.minimum, parameter.maximum});
  }
  Table frequencies{"Frequencies",
                    "By the quotient, and by the largest peak of the spectrum of the motion",
                    {{"body"}, {"quotient", "Hz"}, {"motion", "Hz"}},
                    {}};
  frequencies.rows.push_back({std::string("designed"), hertz(designed_.omega_squared), designed_.motion_frequency});
  frequencies.rows.push_back({std::string("target"), hertz(target_omega_squared()), target_.motion_frequency});
  return {parameters, frequencies};
}

// The target stands beside the designed body, behind it.
void InverseDesign::make_scene() {
  const auto add = [&](const char* name, const OscillatingBody& body) {
    if (!body.vibration) return;
    const TetrahedralMesh mesh = body.vibration->mesh(body.vibration->parameters(body.values));
    SceneBody drawn{.name = name,
                    .vertex_count = std::int64_t(mesh.vertices.size()),
                    .tetrahedra = mesh.tetrahedra,
                    .triangles = boundary_triangles(mesh)};
    drawn.labeled = true;
    drawn.group = int(scene_.groups.size());
    scene_.bodies.push_back(std::move(drawn));
    scene_.length = std::max(scene_.groups.empty() ? 0.0 : scene_.length, bounding_box(mesh).diagonal());
    scene_.groups.push_back({name, {0, scene_.groups.empty() ? 0 : 0.6 * scene_.length, 0}});
  };
  add("designed", designed_);
  add("target", target_);
  scene_.fields = {{"displacement", "m", "from rest, before it is magnified", {}, 0}};
}

void InverseDesign::write_frame(StudyOutput& output, double time) {
  if (frames_per_second_ <= 0) return;
  SceneFrame frame;
  frame.step = motion_steps_;
  frame.time = time;
  frame.fields.resize(1);
  for (const OscillatingBody* body : {&designed_, &target_}) {
    if (!body->vibration) continue;
    const TetrahedralMesh mesh = body->vibration->mesh(body->vibration->parameters(body->values));
    const Eigen::VectorXd& at_rest = body->vibration->displacements();
    const Eigen::VectorXd u = body->motion ? body->motion->displacements() : Eigen::VectorXd::Zero(at_rest.size()).eval();
    // The motion swings to twice the displacement of rest.
    const double magnification = design_amplitude * bounding_box(mesh).diagonal() / (2 * at_rest.lpNorm<Eigen::Infinity>());
    for (std::size_t v = 0; v < mesh.vertices.size(); ++v) {
      for (std::size_t i = 0; i < 3; ++i)
        frame.positions.push_back(mesh.vertices[v][i] + magnification * u[Eigen::Index(3 * v + i)]);
      frame.fields[0].push_back(float(u.segment<3>(Eigen::Index(3 * v)).norm()));
    }
  }
  output.frame(frame);
}

}  // namespace holo
