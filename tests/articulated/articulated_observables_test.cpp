// Observables of characters for losses: values by hand formulas, derivatives against complex steps and differences.
#include "holo/sim/articulated/trajectory/articulated_observables.h"

#include "character_motion.h"
#include "trajectory_samples.h"

namespace holo::articulated::articulated_observables_tests {

using namespace test;
using Eigen::MatrixXd, Eigen::Vector3d, Eigen::VectorXd;
using Bound = ArticulatedObservables::Bound;
using Binding = ArticulatedObservables::Binding;

constexpr double time_step = 0.05;  // s

Vector3d vector(const Vector3<double>& v) { return {v[0], v[1], v[2]}; }

// Six states in motion, each with reference rotations of its own.
struct Motion {
  std::shared_ptr<const CharacterModel> model;
  std::vector<CharacterPose> poses;  // of the states -1 ... 4
  TrajectoryStates states;

  Motion(const std::string& name, BaseChart chart, unsigned seed = 1)
      : model(shared_character(name, chart)), states(*model, 4, model->rest()) {
    for (unsigned k = 0; k < 2; ++k) {
      const ThreePoses three = three_poses(*model, seed + k, 0.6, 0.1, true);
      for (const CharacterPose& pose : {three.newest, three.current, three.previous}) poses.push_back(pose);
    }
    for (int i = -1; i <= 4; ++i) states.set_pose(i, pose(i));
    states.update(-1, 4);
  }
  const CharacterPose& pose(int state) const { return poses[std::size_t(state + 1)]; }
  RigidFrame<double> frame(int state, int dof) const { return states.view(state).kinematics.frames[dof]; }
  // x_knot, x_knot-1, x_knot-2.
  VectorXd unknowns(int knot) const {
    const Eigen::Index n = model->dof_count();
    VectorXd x(3 * n);
    for (int back = 0; back < 3; ++back)
      x.segment(back * n, n) = Eigen::Map<const VectorXd>(states.coordinates(knot - back), n);
    return x;
  }
  void set_unknowns(int knot, const VectorXd& x) {
    const Eigen::Index n = model->dof_count();
    for (int back = 0; back < 3; ++back) Eigen::Map<VectorXd>(states.coordinates(knot - back), n) = x.segment(back * n, n);
    states.update(-1, 4);
  }
};

// With these each of the four entries of a quaternion is the largest one for some body.
const Vector3<double> half_turns[] = {{0.1, 0.2, 0.1}, {3, 0.3, -0.2}, {0.1, -3.1, 0.3}, {0.2, 0.1, 3.2}};

// All kinds that characters have, of all subjects, at all steps at which they have them.
Binding all_observables(const CharacterModel& model) {
  Binding binding;
  const auto add = [&](holo_observable_kind kind, const ArticulatedSubject& subject, int back) {
    const int size = int(holo_observable_size(kind));
    binding.observables.push_back({kind, subject, {0.1, -0.2, 0.3}, binding.size, size, back});
    binding.size += size;
  };
  ArticulatedSubject placed = articulated_subjects(model).back();
  placed.placement.origin = {0.1, 0.2, -0.1};
  for (int back = 0; back <= 2; ++back) {
    for (const ArticulatedSubject& subject : {articulated_subjects(model).front(), placed}) {
      add(HOLO_OBSERVABLE_CENTER_OF_MASS, subject, back);
      if (back < 2) add(HOLO_OBSERVABLE_MOMENTUM, subject, back);
    }
    add(HOLO_OBSERVABLE_POINT, placed, back);
    for (const Vector3<double>& turn : half_turns) {
      placed.placement.rotation = rotation_of_vector(turn);
      add(HOLO_OBSERVABLE_POSE, placed, back);
    }
    const ArticulatedSubject control{"", false, observed_controls(model).back()};
    add(HOLO_OBSERVABLE_CONTROL, control, back);
    if (back < 2) add(HOLO_OBSERVABLE_CONTROL_RATE, control, back);
  }
  return binding;
}

class ArticulatedObservablesOfCharacters : public testing::TestWithParam<std::pair<const char*, BaseChart>> {
 protected:
  Motion motion{GetParam().first, GetParam().second};
  const CharacterModel& model = *motion.model;
  const ArticulatedObservables observables{model, time_step};
  const Binding binding = all_observables(model);
};
INSTANTIATE_TEST_SUITE_P(Characters, ArticulatedObservablesOfCharacters,
                         testing::Values(std::pair("pendulum2", BaseChart::fixed), std::pair("hopper6", BaseChart::planar),
                                         std::pair("chain5", BaseChart::rotation_vector),
                                         std::pair("mammal18", BaseChart::euler),
                                         std::pair("mammal18", BaseChart::rotation_vector)),
                         [](const auto& info) { return info.param.first + std::to_string(info.index); });

// What the observable should be, of double states.
VectorXd by_hand(const Motion& motion, const Bound& bound, int state) {
  const CharacterModel& model = *motion.model;
  const ArticulatedSubject& subject = bound.subject;
  const auto center = [&](int i) -> Vector3d {
    if (subject.is_character) return center_of_mass(model, motion.pose(i));
    const SecondMoments& E = model.data().moments[subject.dof];
    return vector(motion.frame(i, subject.dof) * Vector3<double>{E(0, 3) / E(3, 3), E(1, 3) / E(3, 3), E(2, 3) / E(3, 3)});
  };
  const double mass = subject.is_character ? model.total_mass() : model.data().moments[std::max(subject.dof, 0)](3, 3);
  const std::size_t dof = std::size_t(std::max(subject.dof, 0));
  switch (bound.kind) {
    case HOLO_OBSERVABLE_POINT:
      return vector(motion.frame(state, subject.dof) * bound.point);
    case HOLO_OBSERVABLE_POSE: {
      const RigidFrame<double> frame = motion.frame(state, subject.dof) * subject.placement;
      Eigen::Matrix3d R;
      for (int r = 0; r < 3; ++r)
        for (int c = 0; c < 3; ++c) R(r, c) = frame.rotation(r, c);
      const Eigen::Quaterniond q(R);
      Eigen::Vector4d entries(q.w(), q.x(), q.y(), q.z());
      Eigen::Index largest;
      entries.cwiseAbs().maxCoeff(&largest);
      if (entries[largest] < 0) entries = -entries;
      VectorXd result(7);
      result << vector(frame.origin), entries;
      return result;
    }
    case HOLO_OBSERVABLE_CENTER_OF_MASS:
      return center(state);
    case HOLO_OBSERVABLE_MOMENTUM:
      return mass / time_step * (center(state) - center(state - 1));
    case HOLO_OBSERVABLE_CONTROL:
      return VectorXd::Constant(1, motion.pose(state).coordinates[dof]);
    default:
      return VectorXd::Constant(1, (motion.pose(state).coordinates[dof] - motion.pose(state - 1).coordinates[dof]) / time_step);
  }
}

TEST_P(ArticulatedObservablesOfCharacters, HaveTheValuesOfTheFormulas) {
  std::vector<double> z(std::size_t(binding.size) * HOLO_LANE_WIDTH);
  observables.values(binding, motion.states, 1, 4, z.data());
  for (const Bound& bound : binding.observables)
    for (int lane = 0; lane < int(HOLO_LANE_WIDTH); ++lane) {
      const int knot = std::min(1 + lane, 4);  // lanes beyond the last knot repeat it
      const VectorXd expected = by_hand(motion, bound, knot - bound.back);
      for (int k = 0; k < bound.size; ++k)
        EXPECT_NEAR(z[std::size_t(bound.first + k) * HOLO_LANE_WIDTH + std::size_t(lane)], expected[k],
                    1e-13 * (1 + expected.norm()))
            << to_string(bound.kind) << ", " << bound.back << " steps back, knot " << knot;
    }
}

// Rotations by rows and origins of all frames, derived by one coordinate of a state.
struct FrameDerivatives {
  std::vector<RigidFrame<ComplexStep>> frames;

  FrameDerivatives(const CharacterModel& model, const CharacterPose& pose, int j) {
    StateMemory<ComplexStep> state(model);
    state.set(model, pose);
    state.coordinates[std::size_t(j)] = ComplexStep::seed(pose.coordinates[std::size_t(j)], 1.0);
    state.update(model);
    frames = state.frames;
  }
  Vector3d derivative(int dof, const Vector3<double>& point) const {
    const Vector3<ComplexStep> moved = frames[std::size_t(dof)] * matrix_cast<ComplexStep>(point);
    return {moved[0].derivative(), moved[1].derivative(), moved[2].derivative()};
  }
};

// R(q) of a quaternion of any length, whose derivative by a change of q is to be that of the rotation.
template <class S>
Matrix3<S> rotation_of(const S& w, const S& x, const S& y, const S& z) {
  Matrix3<S> R;
  R(0, 0) = w * w + x * x - y * y - z * z, R(0, 1) = 2.0 * (x * y - w * z), R(0, 2) = 2.0 * (x * z + w * y);
  R(1, 0) = 2.0 * (x * y + w * z), R(1, 1) = w * w - x * x + y * y - z * z, R(1, 2) = 2.0 * (y * z - w * x);
  R(2, 0) = 2.0 * (x * z - w * y), R(2, 1) = 2.0 * (y * z + w * x), R(2, 2) = w * w - x * x - y * y + z * z;
  return R;
}

constexpr double column_tolerance = 2e-13;  // m or kg m

void expect_pose_column(const Motion& motion, const Bound& bound, const VectorXd& column, int state,
                        const FrameDerivatives& moved) {
  const RigidFrame<ComplexStep> frame =
      moved.frames[std::size_t(bound.subject.dof)] * frame_cast<ComplexStep>(bound.subject.placement);
  const VectorXd z = by_hand(motion, bound, state);
  ComplexStep q[4];
  for (int k = 0; k < 4; ++k) q[k] = ComplexStep::seed(z[3 + k], column[3 + k]);
  const Matrix3<ComplexStep> R = rotation_of(q[0], q[1], q[2], q[3]);
  for (int k = 0; k < 3; ++k) {
    EXPECT_NEAR(column[k], frame.origin[k].derivative(), column_tolerance);
    for (int c = 0; c < 3; ++c) EXPECT_NEAR(R(k, c).derivative(), frame.rotation(k, c).derivative(), column_tolerance);
  }
  EXPECT_NEAR(z.tail(4).dot(column.tail(4)), 0, column_tolerance);  // the length stays 1
}

// Mass times the velocity of the center of mass of the subject [kg m].
Vector3d moment_derivative(const CharacterModel& model, const ArticulatedSubject& subject, const FrameDerivatives& moved) {
  Vector3d sum = Vector3d::Zero();
  for (int k = 0; k < model.dof_count(); ++k) {
    const SecondMoments& E = model.data().moments[k];
    const double m = E(3, 3);
    if (m > 0 && (subject.is_character || subject.dof == k))
      sum += m * moved.derivative(k, {E(0, 3) / m, E(1, 3) / m, E(2, 3) / m});
  }
  return sum;
}

void expect_column(const Motion& motion, const Bound& bound, const VectorXd& column, int state, int j, double sign) {
  const CharacterModel& model = *motion.model;
  const ArticulatedSubject& subject = bound.subject;
  const FrameDerivatives moved(model, motion.pose(state), j);
  const double mass = subject.is_character ? model.total_mass() : model.data().moments[subject.dof](3, 3);
  SCOPED_TRACE(to_string(bound.kind) + " by " + model.dof_name(j));
  switch (bound.kind) {
    case HOLO_OBSERVABLE_POINT:
      EXPECT_LT((column - moved.derivative(subject.dof, bound.point)).norm(), column_tolerance);
      return;
    case HOLO_OBSERVABLE_POSE:
      return expect_pose_column(motion, bound, column, state, moved);
    case HOLO_OBSERVABLE_CENTER_OF_MASS:
      EXPECT_LT((column - moment_derivative(model, subject, moved) / mass).norm(), column_tolerance);
      return;
    case HOLO_OBSERVABLE_MOMENTUM:
      EXPECT_LT((column * time_step - sign * moment_derivative(model, subject, moved)).norm(), column_tolerance * mass);
      return;
    case HOLO_OBSERVABLE_CONTROL:
      EXPECT_EQ(column[0], j == subject.dof ? 1 : 0);
      return;
    default:
      EXPECT_EQ(column[0], j == subject.dof ? sign / time_step : 0);
  }
}

TEST_P(ArticulatedObservablesOfCharacters, HaveTheDerivativesOfComplexSteps) {
  const int n = model.dof_count();
  for (const int knot : {1, 3}) {
    MatrixXd J(binding.size, 3 * n);
    observables.jacobian(binding, motion.states, knot, J);
    for (const Bound& bound : binding.observables)
      for (int back = 0; back < 3; ++back)
        for (int j = 0; j < n; ++j) {
          const VectorXd column = J.block(bound.first, back * n + j, bound.size, 1);
          if (back < bound.back || back > bound.states_back())
            EXPECT_TRUE(column.isZero(0)) << to_string(bound.kind) << " depends on another state";
          else
            expect_column(motion, bound, column, knot - back, j, back == bound.back ? 1 : -1);
        }
  }
}

TEST_P(ArticulatedObservablesOfCharacters, HaveAdjointProductsInBothDirections) {
  const int n = model.dof_count(), knot = 2;
  const VectorXd dx = random_vector(3 * n, 5), gz = random_vector(binding.size, 6), before = random_vector(3 * n, 7);
  MatrixXd J(binding.size, 3 * n);
  observables.jacobian(binding, motion.states, knot, J);
  VectorXd dz = random_vector(binding.size, 8), gx = before;  // dz is set, gx added to
  observables.push_forward(binding, motion.states, knot, dx, dz);
  observables.pull_back(binding, motion.states, knot, gz, gx);
  EXPECT_LT((dz - J * dx).norm(), 1e-13 * dz.norm());
  EXPECT_LT((gx - before - J.transpose() * gz).norm(), 1e-13 * gx.norm());
  EXPECT_NEAR(gz.dot(dz), (gx - before).dot(dx), 1e-12 * gz.norm() * dz.norm());
}

// The difference of sixth order of the gradients; its error is that of rounding.
TEST_P(ArticulatedObservablesOfCharacters, HaveSecondDerivativesThatAreDifferencesOfTheFirst) {
  const int n = model.dof_count();
  constexpr double h = 0.01;
  for (const int knot : {1, 2}) {
    const VectorXd x = motion.unknowns(knot), dx = random_vector(3 * n, 11), gz = random_vector(binding.size, 12);
    VectorXd product = VectorXd::Constant(3 * n, 0.5), expected = product;  // which is added to
    observables.second_order(binding, motion.states, knot, gz, dx, product);
    const double weights[] = {45.0 / 60, -9.0 / 60, 1.0 / 60};
    for (int k = 1; k <= 3; ++k)
      for (const int sign : {-1, 1}) {
        motion.set_unknowns(knot, x + sign * k * h * dx);
        VectorXd gradient = VectorXd::Zero(3 * n);
        observables.pull_back(binding, motion.states, knot, gz, gradient);
        expected += sign * weights[k - 1] / h * gradient;
      }
    motion.set_unknowns(knot, x);
    EXPECT_LT((product - expected).norm(), 1e-11 * expected.norm());
  }
}

}  // namespace holo::articulated::articulated_observables_tests
