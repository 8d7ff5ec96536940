#include "dynamics/loads/circular_load.h"

#include <Eigen/Geometry>

#include "dynamics/loads/load_types.h"

namespace holo {
namespace {

class CircularLoad final : public PotentialTerm {
 public:
  // Forces of a moment of 1 N m, [3 * vertex of the subset] [1/m].
  CircularLoad(std::string name, std::vector<int> vertices, Eigen::VectorXd unit_forces, double moment,
               const LoadDefinition& load, const Eigen::VectorXd& start)
      : name_(std::move(name)),
        vertices_(std::move(vertices)),
        unit_forces_(std::move(unit_forces)),
        moment_(moment),
        load_(load),
        start_(start) {}

  std::string name() const override { return name_; }
  void begin_step(const StepContext& context) override { share_ = load_.share_at(context.end_time); }
  double energy(const Eigen::VectorXd& x) override {
    double work = 0;
    for (std::size_t i = 0; i < vertices_.size(); ++i)
      work += unit_force(i).dot(x.segment<3>(3 * vertices_[i]) - start_.segment<3>(3 * vertices_[i]));
    return -share_ * moment_ * work;
  }
  void add_gradient(const Eigen::VectorXd&, Eigen::VectorXd& gradient) override {
    for (std::size_t i = 0; i < vertices_.size(); ++i)
      gradient.segment<3>(3 * vertices_[i]) -= share_ * moment_ * unit_force(i);
  }
  void add_hessian(const Eigen::VectorXd&, Curvature, BlockAssembler&) override {}
  // The size of the moment.
  Eigen::Index parameter_count() const override { return 1; }
  Eigen::VectorXd parameters() const override { return Eigen::VectorXd::Constant(1, moment_); }
  void set_parameters(const Eigen::Ref<const Eigen::VectorXd>& values) override { moment_ = values[0]; }
  void add_parameter_gradient(const Eigen::VectorXd&, Eigen::Ref<Eigen::MatrixXd> columns) override {
    for (std::size_t i = 0; i < vertices_.size(); ++i) columns.col(0).segment<3>(3 * vertices_[i]) -= share_ * unit_force(i);
  }
  // The residual is linear in the parameter and does not depend on x.
  void add_adjoint_hessian(const Eigen::VectorXd&, const Eigen::VectorXd&, const TermDirections&, Eigen::MatrixXd&) override {}

 private:
  Eigen::Vector3d unit_force(std::size_t i) const { return unit_forces_.segment<3>(3 * static_cast<Eigen::Index>(i)); }

  std::string name_;
  std::vector<int> vertices_;
  Eigen::VectorXd unit_forces_;
  double moment_;  // [N m]
  LoadDefinition load_;
  Eigen::VectorXd start_;  // X [3 * vertex] [m]
  double share_ = 1;       // s
};

Eigen::VectorXd unit_forces(const ElasticModel& model, const std::vector<int>& vertices, const Eigen::Vector3d& axis,
                            const Eigen::Vector3d& center) {
  Eigen::VectorXd forces(3 * static_cast<Eigen::Index>(vertices.size()));
  double inertia = 0;
  for (std::size_t i = 0; i < vertices.size(); ++i) {
    const double mass = model.masses()[static_cast<std::size_t>(vertices[i])];
    const Eigen::Vector3d along = axis.cross(model.start_positions().segment<3>(3 * vertices[i]) - center);
    forces.segment<3>(3 * static_cast<Eigen::Index>(i)) = mass * along;
    inertia += mass * along.squaredNorm();
  }
  return inertia > 0 ? Eigen::VectorXd(forces / inertia) : Eigen::VectorXd();
}

}  // namespace

LoadMaker circular_load(const Vector3d& moment, const Vector3d& center) {
  return [moment, center](const ElasticModel& model, const ElasticBody& body,
                          const LoadDefinition& load) -> std::unique_ptr<PotentialTerm> {
    const Eigen::Vector3d M(moment.data()), c(center.data());
    std::vector<int> vertices = loaded_vertices(body, load);
    Eigen::VectorXd forces = unit_forces(model, vertices, M.normalized(), c);
    if (forces.size() == 0)
      throw_input_error(load.location,
                        "all vertices of the load are on its axis, so that no force has a moment about it; move "
                        "`center`, or choose other vertices");
    return std::make_unique<CircularLoad>("circular load on '" + body.name + "'", std::move(vertices), std::move(forces),
                                          M.norm(), load, model.start_positions());
  };
}

LoadType load_type::circular() {
  return {"forces along circles about an axis, in proportion to mass and distance from it", [](Configuration& parameters) {
            const Vector3d moment =
                parameters.vector3("moment", {.unit = "N m", .documentation = "sum about the axis, which has its direction"});
            const Vector3d center = parameters.vector3("center", {.unit = "m", .documentation = "on the axis, at the start"});
            if (!parameters.recording() && moment == Vector3d{0, 0, 0})
              parameters.problem(parameters.location("moment"), "a moment of 0 has no axis; give one that is not 0");
            return circular_load(moment, center);
          }};
}

}  // namespace holo
