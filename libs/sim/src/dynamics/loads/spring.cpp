// A spring from the center c of the vertices of a subset (the mean of their positions) to a point p in space,
// s(t) k/2 (|c - p| - L)^2 with the stiffness k [N/m] and the rest length L [m]. Each vertex gets an equal share of the force.
// The Hessian couples all pairs of the subset's vertices.
#include <Eigen/Geometry>

#include "dynamics/loads/load_types.h"
#include "dynamics/loads/loads.h"

namespace holo {
namespace {

class Spring final : public PotentialTerm {
 public:
  Spring(std::string name, std::vector<int> vertices, const Eigen::Vector3d& point, double stiffness, double rest_length,
         const LoadDefinition& load)
      : name_(std::move(name)),
        vertices_(std::move(vertices)),
        point_(point),
        stiffness_(stiffness),
        rest_length_(rest_length),
        load_(load) {}

  std::string name() const override { return name_; }
  void begin_step(const StepContext& context) override { share_ = load_.share_at(context.end_time); }
  double energy(const Eigen::VectorXd& x) override;
  void add_gradient(const Eigen::VectorXd& x, Eigen::VectorXd& gradient) override;
  void add_hessian(const Eigen::VectorXd& x, Curvature curvature, BlockAssembler& assembler) override;
  // Stiffness and rest length.
  Eigen::Index parameter_count() const override { return 2; }
  Eigen::VectorXd parameters() const override { return Eigen::Vector2d(stiffness_, rest_length_); }
  void set_parameters(const Eigen::Ref<const Eigen::VectorXd>& values) override {
    stiffness_ = values[0];
    rest_length_ = values[1];
  }
  void add_parameter_gradient(const Eigen::VectorXd& x, Eigen::Ref<Eigen::MatrixXd> columns) override;
  void add_adjoint_hessian(const Eigen::VectorXd& x, const Eigen::VectorXd& y, const TermDirections& directions,
                           Eigen::MatrixXd& result) override;

 private:
  // The spring at positions: c - p = length * normal. Without length the normal is 0.
  struct Shape {
    double length;
    Eigen::Vector3d normal;
  };
  Eigen::Vector3d center(const Eigen::Ref<const Eigen::VectorXd>& x) const {
    Eigen::Vector3d sum = Eigen::Vector3d::Zero();
    for (const int vertex : vertices_) sum += x.segment<3>(3 * vertex);
    return sum / static_cast<double>(vertices_.size());
  }
  Shape shape(const Eigen::VectorXd& x) const {
    const Eigen::Vector3d offset = center(x) - point_;
    const double length = offset.norm();
    return {length, length > 0 ? Eigen::Vector3d(offset / length) : Eigen::Vector3d::Zero()};
  }
  // The ratio L/|c - p|; without length that of a spring without rest length.
  double ratio(const Shape& spring) const { return spring.length > 0 ? rest_length_ / spring.length : 0; }
  void add_shares(const Eigen::Vector3d& force, Eigen::Ref<Eigen::VectorXd> gradient) const {
    for (const int vertex : vertices_) gradient.segment<3>(3 * vertex) += force / static_cast<double>(vertices_.size());
  }

  std::string name_;
  std::vector<int> vertices_;
  Eigen::Vector3d point_;  // [m]
  double stiffness_;       // [N/m]
  double rest_length_;     // [m]
  LoadDefinition load_;
  double share_ = 1;  // s
};

double Spring::energy(const Eigen::VectorXd& x) {
  const double extension = shape(x).length - rest_length_;
  return share_ * stiffness_ / 2 * extension * extension;
}

void Spring::add_gradient(const Eigen::VectorXd& x, Eigen::VectorXd& gradient) {
  const Shape spring = shape(x);
  add_shares(share_ * stiffness_ * (spring.length - rest_length_) * spring.normal, gradient);
}

// In c: k (1 - L/l) across the spring, which is negative for a compressed one, and k along it.
void Spring::add_hessian(const Eigen::VectorXd& x, Curvature curvature, BlockAssembler& assembler) {
  const Shape spring = shape(x);
  double across = 1 - ratio(spring);
  if (curvature == Curvature::projected) across = std::max(across, 0.0);
  const Eigen::Matrix3d along = spring.normal * spring.normal.transpose();
  const double factor = share_ * stiffness_ / static_cast<double>(vertices_.size() * vertices_.size());
  const Eigen::Matrix3d H = factor * (across * (Eigen::Matrix3d::Identity() - along) + along);
  std::array<double, 9> block;
  Eigen::Map<Eigen::Matrix3d>(block.data()) = H;
  for (std::size_t i = 0; i < vertices_.size(); ++i)
    for (std::size_t j = 0; j <= i; ++j) assembler.add_block(vertices_[i], vertices_[j], block);
}

void Spring::add_parameter_gradient(const Eigen::VectorXd& x, Eigen::Ref<Eigen::MatrixXd> columns) {
  const Shape spring = shape(x);
  add_shares(share_ * (spring.length - rest_length_) * spring.normal, columns.col(0));
  add_shares(-share_ * stiffness_ * spring.normal, columns.col(1));
}

// The residual in c is s k (l - L) n, with dl = n . dc and l dn = dc - n dl.
void Spring::add_adjoint_hessian(const Eigen::VectorXd& x, const Eigen::VectorXd& y, const TermDirections& directions,
                                 Eigen::MatrixXd& result) {
  const Shape spring = shape(x);
  if (spring.length == 0) return;  // the limit of a spring without rest length, which is quadratic
  const Eigen::Vector3d& n = spring.normal;
  const Eigen::Vector3d y_center = center(y);
  const Eigen::Index count = directions.positions.cols();
  const Eigen::RowVectorXd dk = directions.parameters.row(0), dL = directions.parameters.row(1);
  Eigen::Matrix3Xd dc(3, count);
  for (Eigen::Index i = 0; i < count; ++i) dc.col(i) = center(directions.positions.col(i));
  const Eigen::RowVectorXd dl = n.transpose() * dc;
  const Eigen::Matrix3Xd dn = (dc - n * dl) / spring.length;
  const double y_n = y_center.dot(n), extension = spring.length - rest_length_;
  const Eigen::RowVectorXd y_dn = y_center.transpose() * dn;
  // y . d2n[i, j] = -(y_dn_i dl_j + dl_i y_dn_j)/l - y_n dn_i . dn_j
  const Eigen::MatrixXd mixed = dl.transpose() * y_dn;
  const Eigen::MatrixXd second_of_n = -(mixed + mixed.transpose()) / spring.length - y_n * dn.transpose() * dn;
  // d2l[i, j] = l dn_i . dn_j; k, l - L and n are the factors of the residual.
  const Eigen::MatrixXd second_of_l = spring.length * dn.transpose() * dn;
  const Eigen::RowVectorXd d_extension = dl - dL;
  const Eigen::MatrixXd products =
      dk.transpose() * (d_extension * y_n + extension * y_dn) + stiffness_ * d_extension.transpose() * y_dn;
  result += share_ * (products + products.transpose() + stiffness_ * (second_of_l * y_n + extension * second_of_n));
}

LoadMaker read_spring(Configuration& parameters) {
  const Vector3d point = parameters.vector3("point", {.unit = "m", .documentation = "fixed end of the spring"});
  const double stiffness = parameters.number("stiffness", {.unit = "N/m", .minimum = 0, .minimum_excluded = true}),
               rest_length = parameters.number("rest_length", {.unit = "m", .minimum = 0, .default_value = 0.0});
  return [=](const ElasticModel&, const ElasticBody& body, const LoadDefinition& load) {
    return std::make_unique<Spring>("spring on '" + body.name + "'", loaded_vertices(body, load),
                                    Eigen::Vector3d(point[0], point[1], point[2]), stiffness, rest_length, load);
  };
}

}  // namespace

LoadType load_type::spring() { return {"spring from the center of the vertices to a point in space", read_spring}; }

}  // namespace holo
