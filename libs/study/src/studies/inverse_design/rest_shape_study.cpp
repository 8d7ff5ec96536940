#include "studies/inverse_design/rest_shape_study.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace holo {

namespace {

Eigen::VectorXd positions_of(const TetrahedralMesh& mesh) {
  Eigen::VectorXd x(3 * Eigen::Index(mesh.vertices.size()));
  for (std::size_t v = 0; v < mesh.vertices.size(); ++v)
    for (std::size_t i = 0; i < 3; ++i) x[Eigen::Index(3 * v + i)] = mesh.vertices[v][i];
  return x;
}

double largest_distance(const Eigen::VectorXd& x, const Eigen::VectorXd& y) {
  double largest = 0;
  for (Eigen::Index v = 0; v < x.size() / 3; ++v)
    largest = std::max(largest, (x.segment<3>(3 * v) - y.segment<3>(3 * v)).norm());
  return largest;
}

}  // namespace

RestShape::RestShape(RestShapePlan plan, double frames_per_second)
    : plan_(std::move(plan)), frames_per_second_(frames_per_second), units_(Eigen::Index(plan_.parameters.size())) {
  std::vector<double> start;
  for (std::size_t k = 0; k < plan_.parameters.size(); ++k) {
    const DesignedParameter& parameter = plan_.parameters[k];
    units_[Eigen::Index(k)] = parameter.maximum - parameter.minimum;
    start.push_back(parameter.start);
  }
  search_.found = unknowns(start);
  target_ = target_positions();
  try {
    const TetrahedralMesh mesh =
        placed_mesh(*plan_.body.family, plan_.body.family->reference_mesh(plan_.body.parameters, plan_.body.elements),
                    plan_.body.parameters);
    length_ = bounding_box(mesh).diagonal();
    loss_ = std::make_unique<RecordedPositions>(target_, length_);
    design_ = std::make_unique<RestShapeDesign>(plan_.body, *loss_, units_);
    make_drawing(mesh);
  } catch (const Error& error) {
    throw_input_error(plan_.body_location, error.what());
  }
}

Eigen::VectorXd RestShape::unknowns(const std::vector<double>& values) const {
  return Eigen::Map<const Eigen::VectorXd>(values.data(), Eigen::Index(values.size())).cwiseQuotient(units_);
}

// The vertices are those of the designed body: the reference mesh is that of its start.
Eigen::VectorXd RestShape::target_positions() const {
  try {
    RecordedPositions none(Eigen::VectorXd::Zero(3), 1);
    RestShapeDesign other(plan_.body, none, units_);
    const Eigen::VectorXd u = unknowns(plan_.target);
    const std::string inverted = inverted_element(*plan_.body.family, other.reference(), [&] {
      std::vector<double> all = plan_.body.parameters;
      for (std::size_t k = 0; k < plan_.target.size(); ++k) all[std::size_t(plan_.body.free[k])] = plan_.target[k];
      return all;
    }());
    if (!inverted.empty()) throw Error(Failure::input, inverted);
    if (!plan_.is_sagged) return positions_of(other.rest_mesh(u));
    if (!other.begin(u)) throw Error(Failure::input, "the target's body has no equilibrium: " + other.diagnosis());
    return other.x();
  } catch (const Error& error) {
    throw_input_error(plan_.target_location, error.what());
  }
}

StepResult RestShape::step(StudyOutput& output) {
  const Eigen::VectorXd& u = search_.found;
  if (!design_->begin(u))
    return {true, "the body has no equilibrium with its rest shape at the start: " + design_->diagnosis()};
  write_frame(output, 0, u, design_->x());
  DenseBounds bounds{u, u};
  for (Eigen::Index k = 0; k < u.size(); ++k) {
    bounds.lower[k] = plan_.parameters[std::size_t(k)].minimum / units_[k];
    bounds.upper[k] = plan_.parameters[std::size_t(k)].maximum / units_[k];
  }
  const DenseResult result = search_.run(*design_, bounds, plan_.options, output);
  Eigen::VectorXd gradient;
  design_->gradient(u, gradient);
  search_.distance = largest_distance(design_->x(), target_) / length_;
  write_frame(output, 1, u, design_->x());
  output.log("design",
             {{"status", to_string(result.status)}, {"iterations", search_.iterations}, {"objective", search_.objective}});
  if (!result.converged())
    return {true, fmt::format("the rest shape was not found: {} {}", result.diagnosis, design_->diagnosis())};
  ++search_.steps_done;
  return {};
}

void RestShape::make_drawing(const TetrahedralMesh& mesh) {
  drawing_.length = length_;
  for (const char* name : {"rest", "hanging", "target"}) {
    SceneBody body{.name = name,
                   .vertex_count = std::int64_t(mesh.vertices.size()),
                   .tetrahedra = mesh.tetrahedra,
                   .triangles = boundary_triangles(mesh)};
    body.group = int(drawing_.groups.size());
    drawing_.bodies.push_back(std::move(body));
    drawing_.groups.push_back({name, {0, 0.35 * length_ * double(drawing_.groups.size()), 0}});
  }
  drawing_.fields = {{"distance", "m", "from the target's vertex", {}, 1e-12}};
}

void RestShape::write_frame(StudyOutput& output, int step, const Eigen::VectorXd& u, const Eigen::VectorXd& x) {
  if (frames_per_second_ <= 0) return;
  const Eigen::VectorXd rest = positions_of(design_->rest_mesh(u));
  SceneFrame frame;
  frame.step = step;
  frame.time = step;
  frame.fields.resize(1);
  for (const Eigen::VectorXd* positions : {&rest, &x, &std::as_const(target_)}) {
    frame.positions.insert(frame.positions.end(), positions->begin(), positions->end());
    for (Eigen::Index v = 0; v < positions->size() / 3; ++v)
      frame.fields[0].push_back(float((positions->segment<3>(3 * v) - target_.segment<3>(3 * v)).norm()));
  }
  output.frame(frame);
}

std::vector<Quantity> RestShape::columns() const {
  return EquilibriumSearch::columns("mean squared distance over twice the squared length, before the step",
                                    "largest entry, of parameters over their ranges, less what bounds keep back");
}

std::vector<std::string> RestShape::contents() const {
  return {fmt::format("body: {}, {} vertices, {} tetrahedra, {}", plan_.body.family->name(),
                      design_->reference().vertices.size(), design_->reference().tetrahedra.size(),
                      plan_.body.body.material->name)};
}

std::vector<Quantity> rest_shape_metrics(const RestShapePlan& plan) {
  std::vector<Quantity> metrics = EquilibriumSearch::metric_quantities();
  metrics.push_back({"distance", "1", "largest distance of a vertex from the target, over the body's diagonal"});
  for (const DesignedParameter& parameter : plan.parameters) {
    metrics.push_back({parameter.name, parameter.unit, "found"});
    if (plan.is_sagged)
      metrics.push_back({parameter.name + "_error", "1", "difference from the target's, over the range of the parameter"});
  }
  return metrics;
}

std::vector<Metric> RestShape::finish() {
  std::vector<Metric> metrics = search_.metrics();
  metrics.push_back({"distance", search_.distance});
  for (std::size_t k = 0; k < plan_.parameters.size(); ++k) {
    const double found = search_.found[Eigen::Index(k)] * units_[Eigen::Index(k)];
    metrics.push_back({plan_.parameters[k].name, found});
    if (plan_.is_sagged)
      metrics.push_back({plan_.parameters[k].name + "_error", std::abs(found - plan_.target[k]) / units_[Eigen::Index(k)]});
  }
  return metrics;
}

std::vector<Table> RestShape::tables() {
  Table table{"Rest shape",
              "",
              {{"parameter"}, {"at the start"}, {"found"}, {plan_.is_sagged ? "of the target" : "of the given shape"}},
              {}};
  for (std::size_t k = 0; k < plan_.parameters.size(); ++k)
    table.rows.push_back({fmt::format("{} [{}]", plan_.parameters[k].name, plan_.parameters[k].unit), plan_.parameters[k].start,
                          search_.found[Eigen::Index(k)] * units_[Eigen::Index(k)], plan_.target[k]});
  return {table};
}

}  // namespace holo
