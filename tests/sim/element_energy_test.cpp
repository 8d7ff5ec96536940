// An energy of fibers that is not convex, on the elements of a material: joined before the projection, with an activation.
#include "holo/sim/dynamics/element_energy.h"

#include <gtest/gtest.h>

#include "algebra/symmetric.h"
#include "holo/core/error.h"
#include "holo/core/plugins/plugin_host.h"
#include "holo/sim/dynamics/elastic_term.h"
#include "holo/sim/elastic/element_fields.h"
#include "term_checks.h"

namespace holo::test {
namespace {

constexpr std::size_t W = HOLO_LANE_WIDTH;
constexpr double stiffness = 4e4, activation_of_fibers = -2;  // Pa, 1
const Eigen::Vector3d fiber = Eigen::Vector3d(2, -1, 2) / 3;

using Matrix9 = Eigen::Matrix<double, 9, 9>;
using Vector9 = Eigen::Matrix<double, 9, 1>;

Eigen::Matrix3d matrix_in_lane(const double* rows, std::size_t lane) {
  Eigen::Matrix3d F;
  for (int i = 0; i < 9; ++i) F(i / 3, i % 3) = rows[static_cast<std::size_t>(i) * W + lane];
  return F;
}

// Of psi = |F d|, with m = F d and n = m/|m|: P = n d^T, and d2psi = 1/|m| (I - n n^T) on the rows times d d^T on the columns.
Vector9 unit_stress(const Eigen::Matrix3d& F) {
  const Eigen::Vector3d n = (F * fiber).normalized();
  Vector9 P;
  for (int i = 0; i < 9; ++i) P[i] = n[i / 3] * fiber[i % 3];
  return P;
}

Matrix9 on_rows(const Eigen::Matrix3d& rows) {
  Matrix9 H;
  for (int i = 0; i < 9; ++i)
    for (int j = 0; j < 9; ++j) H(i, j) = rows(i / 3, j / 3) * fiber[i % 3] * fiber[j % 3];
  return H;
}

Matrix9 unit_hessian(const Eigen::Matrix3d& F) {
  const Eigen::Vector3d m = F * fiber, n = m.normalized();
  return on_rows((Eigen::Matrix3d::Identity() - n * n.transpose()) / m.norm());
}

// d/dt of unit_hessian at F + t dF.
Matrix9 unit_directional_hessian(const Eigen::Matrix3d& F, const Eigen::Matrix3d& dF) {
  const Eigen::Vector3d m = F * fiber, dm = dF * fiber, n = m.normalized();
  const double length = m.norm(), change = n.dot(dm);
  const Eigen::Vector3d dn = (dm - change * n) / length;
  return on_rows(-(change / (length * length)) * (Eigen::Matrix3d::Identity() - n * n.transpose()) -
                 (dn * n.transpose() + n * dn.transpose()) / length);
}

// psi = a w |F d| with the activation a: concave for a < 0.
class Fibers final : public ElementEnergy {
 public:
  Fibers(std::shared_ptr<const ElasticModel> model, double activation) : model_(std::move(model)), activation_(activation) {}
  std::string name(const ElasticBody& body) const override { return "fibers of '" + body.name + "'"; }
  bool acts_on(const ElasticBody&) const override { return true; }
  bool is_convex() const override { return false; }
  double energy(const ElementBlocks& blocks) const override {
    double total = 0;
    each(blocks, [&](std::size_t at, std::size_t lane, const Eigen::Matrix3d& F) {
      total += model_->volumes()[(blocks.first_block + at) * W + lane] * activation_ * stiffness * (F * fiber).norm();
    });
    return total;
  }
  void add_stress(const ElementBlocks& blocks, double* stress) const override { add_unit_stress(blocks, activation_, stress); }
  void add_hessian(const ElementBlocks& blocks, double* hessian) const override {
    each(blocks, [&](std::size_t at, std::size_t lane, const Eigen::Matrix3d& F) {
      add_upper(activation_ * stiffness * unit_hessian(F), hessian + at * 45 * W + lane);
    });
  }
  void add_directional_hessian(const ElementBlocks& blocks, const double* dF, double* hessian) const override {
    each(blocks, [&](std::size_t at, std::size_t lane, const Eigen::Matrix3d& F) {
      add_upper(activation_ * stiffness * unit_directional_hessian(F, matrix_in_lane(dF + at * 9 * W, lane)),
                hessian + at * 45 * W + lane);
    });
  }
  Eigen::Index parameter_count() const override { return 1; }
  Eigen::VectorXd parameters() const override { return Eigen::VectorXd::Constant(1, activation_); }
  void set_parameters(const Eigen::Ref<const Eigen::VectorXd>& values) override { activation_ = values[0]; }
  void add_parameter_stress(const ElementBlocks& blocks, const double* direction, double* stress) const override {
    add_unit_stress(blocks, direction[0], stress);
  }
  void add_parameter_stress_change(const ElementBlocks& blocks, const double* dF, const double* direction,
                                   double* stress) const override {
    each(blocks, [&](std::size_t at, std::size_t lane, const Eigen::Matrix3d& F) {
      const Vector9 P = direction[0] * stiffness * unit_hessian(F) * rows(dF + at * 9 * W, lane);
      for (int i = 0; i < 9; ++i) stress[(at * 9 + static_cast<std::size_t>(i)) * W + lane] += P[i];
    });
  }

 private:
  static Vector9 rows(const double* matrix, std::size_t lane) {
    Vector9 result;
    for (int i = 0; i < 9; ++i) result[i] = matrix[static_cast<std::size_t>(i) * W + lane];
    return result;
  }
  template <class Visit>
  static void each(const ElementBlocks& blocks, const Visit& visit) {
    for (std::size_t at = 0; at < blocks.count; ++at)
      for (std::size_t lane = 0; lane < W; ++lane) visit(at, lane, matrix_in_lane(blocks.F + at * 9 * W, lane));
  }
  static void add_upper(const Matrix9& H, double* entry) {
    for (int i = 0; i < 9; ++i)
      for (int j = i; j < 9; ++j, entry += W) *entry += H(i, j);
  }
  static void add_unit_stress(const ElementBlocks& blocks, double factor, double* stress) {
    each(blocks, [&](std::size_t at, std::size_t lane, const Eigen::Matrix3d& F) {
      const Vector9 P = factor * stiffness * unit_stress(F);
      for (int i = 0; i < 9; ++i) stress[(at * 9 + static_cast<std::size_t>(i)) * W + lane] += P[i];
    });
  }

  std::shared_ptr<const ElasticModel> model_;
  double activation_;
};

struct FiberBody {
  std::shared_ptr<const ElasticModel> model;
  std::unique_ptr<ElasticTerm> term, material;
  TermPoint at;
  static constexpr double time_step = 0.02;

  FiberBody() {
    static const PluginHost host({HOLO_BINARY_DIR "/plugins"});
    const auto plugin = host.get<MaterialPlugin>("stable_neo_hookean");
    ElasticBodyDefinition body;
    body.name = "body";
    body.mesh = box_source({0.5, 0.4, 0.3}, 24);
    body.material = std::shared_ptr<const holo_material>(plugin, &plugin->abi());
    body.coefficients = plugin->coefficients({{"youngs_modulus", 1e5}, {"poissons_ratio", 0.4}});
    ElasticModelDefinition definition;
    definition.bodies = {body};
    model = build(definition);
    material = std::make_unique<ElasticTerm>(model);
    term = std::make_unique<ElasticTerm>(model);
    term->add(std::make_unique<Fibers>(model, activation_of_fibers));
    at.start_positions = at.lagged_at = disturbed(model->start_positions(), 0.03, 1);
    at.start_velocities = Eigen::VectorXd::Zero(at.start_positions.size());
    at.x = disturbed(at.start_positions, 0.03, 3);
    at.parameters = term->parameters();
    at.apply(*term, time_step);
  }
};

TEST(ElementEnergy, DerivativesOfMaterialAndFibersAreThoseOfTheSum) {
  FiberBody body;
  const Eigen::VectorXd& x = body.at.x;
  const Eigen::VectorXd gradient = gradient_of(*body.term, x);
  EXPECT_GT((gradient - gradient_of(*body.material, x)).norm(), 0.01 * gradient.norm()) << "the fibers pull";
  for (std::size_t seed = 10; seed < 13; ++seed) {
    const Eigen::VectorXd d = random_columns(x.size(), 1, seed);
    const double slope = difference([&](double t) { return body.term->energy(x + t * d); }, 1e-3);
    EXPECT_NEAR(gradient.dot(d), slope, 1e-9 * gradient.norm() * d.norm());
    const Eigen::VectorXd change = difference([&](double t) { return gradient_of(*body.term, x + t * d); }, 1e-3);
    const Eigen::VectorXd product = hessian_of(*body.term, *body.model, x, Curvature::exact) * d;
    EXPECT_LT((product - change).norm(), 1e-10 * product.norm());
  }
}

// The oracle puts each element's 9x9 matrices together, and projects by Eigen.
TEST(ElementEnergy, NotConvexOnesAreProjectedTogetherWithTheMaterial) {
  FiberBody body;
  const Eigen::VectorXd& x = body.at.x;
  const Eigen::MatrixXd joined = hessian_of(*body.term, *body.model, x, Curvature::projected),
                        exact = hessian_of(*body.term, *body.model, x, Curvature::exact),
                        alone = hessian_of(*body.material, *body.model, x, Curvature::projected);
  const double scale = joined.norm();
  EXPECT_GT(symmetric_eigenvalues(joined)[0], -1e-12 * scale);
  EXPECT_LT(symmetric_eigenvalues(exact)[0], -1e-3 * scale) << "the sum is not convex";
  // The fibers' own Hessian is negative semidefinite: its projection is 0, and the sum of projections that of the material.
  EXPECT_GT((joined - alone).norm(), 0.01 * scale);

  AlignedArray F, dF;
  deformation_gradients(*body.model, x, F);
  const ElasticBody& elements = body.model->bodies()[0];
  for (std::size_t seed = 20; seed < 23; ++seed) {
    const Eigen::VectorXd d = random_columns(x.size(), 1, seed);
    deformation_gradients(*body.model, d, dF);
    double expected = 0;
    for (std::size_t packed = 0; packed < body.model->packed_elements().size(); ++packed) {
      const std::size_t block = packed / W, lane = packed % W;
      alignas(HOLO_BLOCK_ALIGNMENT) double upper[45 * W];
      holo_batch batch{};
      batch.size = sizeof(holo_batch);
      batch.block_count = 1;
      batch.deformation_gradient = F.data() + block * 9 * W;
      batch.coefficients = elements.coefficients.data();
      batch.output = upper;
      elements.material->operations[HOLO_MATERIAL_HESSIAN](&batch);
      Matrix9 H = activation_of_fibers * stiffness * unit_hessian(matrix_in_lane(F.data() + block * 9 * W, lane));
      Vector9 change;
      for (int i = 0, k = 0; i < 9; ++i) {
        change[i] = dF[(block * 9 + static_cast<std::size_t>(i)) * W + lane];
        for (int j = i; j < 9; ++j, ++k) {
          H(i, j) += upper[static_cast<std::size_t>(k) * W + lane];
          if (j > i) H(j, i) += upper[static_cast<std::size_t>(k) * W + lane];
        }
      }
      const SymmetricEigen eigen = symmetric_eigen(H);
      const Vector9 along = eigen.vectors.transpose() * change;
      expected += body.model->volumes()[packed] * along.cwiseAbs2().dot(eigen.values.cwiseMax(0));
    }
    EXPECT_NEAR(d.dot(joined * d) / expected, 1, 1e-11);
  }
}

TEST(ElementEnergy, ActivationIsAParameterOfTheElasticTerm) {
  FiberBody body;
  ASSERT_EQ(body.term->parameter_count(), 3) << "two coefficients, then the activation";
  EXPECT_EQ(body.at.parameters[2], activation_of_fibers);
  const Eigen::MatrixXd columns = parameter_gradient_of(*body.term, body.at.x);
  const Eigen::VectorXd slope = difference(
      [&](double t) {
        body.term->set_parameters(body.at.parameters + t * Eigen::Vector3d::UnitZ());
        return gradient_of(*body.term, body.at.x);
      },
      0.1);
  EXPECT_LT((columns.col(2) - slope).norm(), 1e-12 * slope.norm());
  EXPECT_LT(adjoint_hessian_error(*body.term, *body.model, body.at, FiberBody::time_step, 1e-3), 1e-9);
}

// An energy with parameters, a lag and a start whose derivatives its author forgot.
struct ForgetfulEnergy : ElementEnergy {
  std::string name(const ElasticBody&) const override { return "forgetful"; }
  bool acts_on(const ElasticBody&) const override { return true; }
  bool is_convex() const override { return true; }
  double energy(const ElementBlocks&) const override { return 0; }
  void add_stress(const ElementBlocks&, double*) const override {}
  void add_hessian(const ElementBlocks&, double*) const override {}
  void add_directional_hessian(const ElementBlocks&, const double*, double*) const override {}
  Eigen::Index parameter_count() const override { return 1; }
  Eigen::Index lag_count() const override { return 1; }
  bool depends_on_start() const override { return true; }
};

TEST(ElementEnergy, MissingDerivativesAreRefused) {
  FiberBody body;
  body.term->add(std::make_unique<ForgetfulEnergy>());
  const Eigen::VectorXd& x = body.at.x;
  const Eigen::MatrixXd parameters = Eigen::VectorXd::Unit(4, 3), none = Eigen::MatrixXd::Zero(4, 1),
                        lag = Eigen::MatrixXd::Zero(1, 1);
  Eigen::MatrixXd columns = Eigen::MatrixXd::Zero(x.size(), 4), result = Eigen::MatrixXd::Zero(1, 1);
  EXPECT_THROW(body.term->parameters(), Error);
  EXPECT_THROW(body.term->add_parameter_gradient(x, columns), Error);
  EXPECT_THROW(body.term->add_lag_gradient(x, Eigen::MatrixXd::Zero(1, 4), columns), Error);
  EXPECT_THROW(body.term->lag_derivative(x, parameters), Error);
  EXPECT_THROW(body.term->add_start_gradient(x, columns, columns, columns), Error);
  EXPECT_THROW(body.term->add_adjoint_hessian(x, x, {x, parameters}, result), Error);
  EXPECT_THROW(body.term->add_adjoint_hessian(x, x, {x, none, lag}, result), Error);
  EXPECT_THROW(body.term->add_adjoint_hessian(x, x, {x, none, TermDirections::none(), x}, result), Error);
  EXPECT_THROW(body.term->add_lag_curvature(x, x, x, parameters, result), Error);
}

}  // namespace
}  // namespace holo::test
