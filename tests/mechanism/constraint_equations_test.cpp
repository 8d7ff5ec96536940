// The equations of every joint type in every role: their derivatives go where they belong, in the layout's units, and half
// turns that the equations allow are told. That the joints' own numbers are right to 1e-13 is tested in tests/plugin.
#include "holo/sim/mechanism/constraints/constraint_equations.h"

#include <gtest/gtest.h>

#include <random>

#include "oracle_mechanisms.h"

namespace holo {
namespace constraint_equations_tests {

using Eigen::Vector3d;

struct Kind {
  std::string type;
  JointRole role;
};
std::ostream& operator<<(std::ostream& out, const Kind& kind) { return out << kind.type << ' ' << to_string(kind.role); }

std::vector<Kind> all_kinds() {
  std::vector<Kind> kinds;
  for (const char* type : {"fixed", "revolute", "prismatic", "cylindrical", "universal", "spherical", "cartesian", "free"})
    for (const JointRole role : {JointRole::passive, JointRole::actuator, JointRole::configurable, JointRole::prescribed})
      if (role == JointRole::passive || std::string(type) != "fixed") kinds.push_back({type, role});
  return kinds;
}

// Two bodies, the first anywhere, with the joint between them.
struct Pair {
  std::shared_ptr<const MechanismLayout> layout;
  std::shared_ptr<const ConstraintEquations> equations;
  Eigen::MatrixXd states, controls, prescribed;
  Eigen::VectorXd parameters;

  explicit Pair(const Kind& kind) {
    MechanismBuilder builder(oracle::plugins());
    builder.body("a", {0.1, 0.2, -0.3});
    builder.body("b", {1.4, -0.5, 0.7});
    builder.joint("anywhere", "free", "world", "a", {0, 0, 0}, Eigen::Matrix3d::Identity());
    builder.joint("between", kind.type, "a", "b", {0.6, 0.3, 0.2}, axes_along({1, 2, -0.5}, {0.3, 0.1, 1}), kind.role);
    layout = std::make_shared<const MechanismLayout>(std::make_shared<const MechanismModel>(builder.build()));
    equations = std::make_shared<const ConstraintEquations>(layout);
    states = layout->rest_state();
    controls = layout->rest_controls();
    parameters = layout->rest_parameters();
    prescribed = Eigen::MatrixXd::Zero(layout->prescribed_count(), 1);
    if (kind.type == "spherical" && kind.role == JointRole::prescribed) prescribed(0) = 1;
    if (kind.type == "free" && kind.role == JointRole::prescribed) prescribed(3) = 1;
  }
  void scatter(unsigned seed) {
    std::mt19937 random(seed);
    std::uniform_real_distribution<double> change(-0.4, 0.4);
    for (Eigen::MatrixXd* matrix : {&states, &controls, &prescribed})
      for (double& value : matrix->reshaped()) value += change(random);
    for (double& value : parameters) value += change(random);
  }
  MechanismUnknowns at() const { return {states, controls, parameters, prescribed}; }
  Eigen::VectorXd residual() const {
    Eigen::MatrixXd all(Eigen::Index(layout->equations().size()), 1);
    equations->all_equations(at(), all);
    return all;
  }
  Eigen::MatrixXd jacobian() const { return equations->dense_jacobian(at(), 0); }  // against s, u, p
  // Of all unknowns in that order, one after the other, what `value` changes by.
  template <class Value>
  Eigen::MatrixXd differences(const Value& value) {
    constexpr double step = 1e-5;
    std::vector<Eigen::VectorXd> columns;
    const auto difference = [&](double& unknown) {
      const double here = unknown;
      unknown = here + step;
      const Eigen::VectorXd up = value();
      unknown = here - step;
      columns.push_back((up - value()) / (2 * step));
      unknown = here;
    };
    for (double& s : states.reshaped()) difference(s);
    for (double& u : controls.reshaped()) difference(u);
    for (double& p : parameters) difference(p);
    Eigen::MatrixXd result(columns[0].size(), Eigen::Index(columns.size()));
    for (Eigen::Index i = 0; i < result.cols(); ++i) result.col(i) = columns[std::size_t(i)];
    return result;
  }
};

class RowsOfEveryKind : public testing::TestWithParam<Kind> {};

TEST_P(RowsOfEveryKind, DerivativesAreWhereTheUnknownsAre) {
  Pair pair(GetParam());
  for (const unsigned seed : {1u, 2u}) {
    pair.scatter(seed);
    const Eigen::MatrixXd jacobian = pair.jacobian();
    EXPECT_LT((jacobian - pair.differences([&] { return pair.residual(); })).cwiseAbs().maxCoeff(), 1e-8);
    // The sparse ones are the same numbers.
    const EquationPatterns& patterns = pair.equations->patterns();
    Eigen::MatrixXd s(patterns.states.nonZeros(), 1), u(patterns.controls.nonZeros(), 1), p(patterns.parameters.nonZeros(), 1);
    pair.equations->jacobians(pair.at(), {s, u, p});
    const auto dense = [](Eigen::SparseMatrix<double> pattern, const Eigen::MatrixXd& values) {
      std::copy(values.data(), values.data() + values.size(), pattern.valuePtr());
      return Eigen::MatrixXd(pattern);
    };
    Eigen::MatrixXd sparse(jacobian.rows(), jacobian.cols());
    sparse << dense(patterns.states, s), dense(patterns.controls, u), dense(patterns.parameters, p);
    EXPECT_LT((sparse - jacobian).cwiseAbs().maxCoeff(), 1e-14);
    // The Hessian of a weighted sum of the equations, in the order p, u, s.
    Eigen::VectorXd weights(jacobian.rows());
    for (Eigen::Index i = 0; i < weights.size(); ++i) weights[i] = std::sin(1.0 + double(i));
    const Eigen::MatrixXd differences =
        pair.differences([&] { return Eigen::VectorXd(pair.jacobian().transpose() * weights); });
    Eigen::MatrixXd values = Eigen::MatrixXd::Zero(patterns.hessian.nonZeros(), 1);
    pair.equations->add_hessian(pair.at(), weights, values);
    const Eigen::MatrixXd upper = dense(patterns.hessian, values);
    const Eigen::Index ns = pair.states.size(), nu = pair.controls.size(), n = differences.rows(), np = n - ns - nu;
    const auto place = [&](Eigen::Index i) { return i < ns ? np + nu + i : i < ns + nu ? np + i - ns : i - ns - nu; };
    for (Eigen::Index i = 0; i < n; ++i)
      for (Eigen::Index j = 0; j < n; ++j)
        EXPECT_NEAR(upper(std::min(place(i), place(j)), std::max(place(i), place(j))), differences(i, j), 1e-8)
            << i << ' ' << j;
  }
}

// Half turns of the second body about the joint's axes: where the equations allow one that is no motion of the joint, it is
// told.
TEST_P(RowsOfEveryKind, HalfTurnsThatAreNoMotionAreTold) {
  const Kind& kind = GetParam();
  Pair pair(kind);
  EXPECT_TRUE(pair.equations->is_unflipped(pair.at(), 0));
  const bool is_passive = kind.role == JointRole::passive;
  const bool turns_about_x = is_passive && (kind.type == "revolute" || kind.type == "cylindrical");
  const bool turns_anyhow = is_passive && (kind.type == "universal" || kind.type == "spherical");
  const bool is_seen_by_rows = kind.type == "free";
  const MechanismJoint& joint = pair.layout->model().joints()[1];
  const double length = pair.layout->model().length();
  const Eigen::VectorXd rest = pair.states;
  for (int axis = 0; axis < 3; ++axis) {
    const Vector3d a = joint.axes.col(axis), from_point = length * rest.segment<3>(7) - joint.point;
    pair.states.block<3, 1>(7, 0) = (joint.point + 2 * a.dot(from_point) * a - from_point) / length;
    pair.states.block<4, 1>(10, 0) << 0, a;
    const double residual = pair.residual().cwiseAbs().maxCoeff();
    if (is_seen_by_rows) {
      EXPECT_GT(residual, 0.1) << "axis " << axis;
      continue;
    }
    EXPECT_LT(residual, 1e-14) << "axis " << axis;
    int flipped = -1;
    const bool is_motion = turns_anyhow || (turns_about_x && axis == 0);
    EXPECT_EQ(pair.equations->is_unflipped(pair.at(), 0, &flipped), is_motion) << "axis " << axis;
    EXPECT_EQ(flipped, is_motion ? -1 : 1);
  }
}

INSTANTIATE_TEST_SUITE_P(All, RowsOfEveryKind, testing::ValuesIn(all_kinds()), [](const auto& kind) {
  std::ostringstream name;
  name << kind.param.type << '_' << to_string(kind.param.role);
  return name.str();
});

}  // namespace constraint_equations_tests
}  // namespace holo
