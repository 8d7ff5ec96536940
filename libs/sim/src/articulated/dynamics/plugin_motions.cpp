#include "holo/sim/articulated/dynamics/plugin_motions.h"

#include <algorithm>
#include <type_traits>

#include "holo/core/plugins/joint_plugin.h"
#include "holo/diff/rotations.h"
#include "holo/diff/scalars/complex.h"

namespace holo::articulated {

namespace {

constexpr int plugin_motion_lanes = int(HOLO_LANE_WIDTH), motion_size = int(HOLO_POSE_SIZE);
constexpr int most_coordinates = int(HOLO_JOINT_COORDINATE_MAXIMUM);
constexpr int most_pairs = most_coordinates * (most_coordinates + 1) / 2;
constexpr int motion_blocks =
    (motion_size + plugin_motion_lanes - 1) / plugin_motion_lanes;  // whose lanes are the entries of a motion

// A motion, translation and quaternion, and its derivatives at one set of coordinates.
struct MotionDerivatives {
  double value[motion_size];
  double first[motion_size][most_coordinates];
  double second[motion_size][most_pairs];  // upper half by rows
};

// Lanes have equal coordinates; for the Hessians each has the weight 1 on another entry of the motion.
void run_plugin(const PluginJoint& joint, const double* coordinates, MotionDerivatives& result) {
  const holo_joint& type = joint.type->abi();
  const int m = int(type.coordinate_count), pairs = m * (m + 1) / 2;
  alignas(HOLO_BLOCK_ALIGNMENT) double q[motion_blocks * most_coordinates * plugin_motion_lanes],
      weights[motion_blocks * motion_size * plugin_motion_lanes] = {},
                                            output[motion_blocks * motion_size * most_pairs * plugin_motion_lanes];
  for (int block = 0; block < motion_blocks; ++block)
    for (int k = 0; k < m; ++k) std::fill_n(q + (block * m + k) * plugin_motion_lanes, plugin_motion_lanes, coordinates[k]);
  for (int entry = 0; entry < motion_size; ++entry)
    weights[((entry / plugin_motion_lanes) * motion_size + entry) * plugin_motion_lanes + entry % plugin_motion_lanes] = 1;
  holo_joint_batch batch = {sizeof(holo_joint_batch), 1, nullptr, joint.constants.data(), nullptr, nullptr, q, weights, output};
  type.operations[HOLO_JOINT_MOTION](&batch);
  for (int entry = 0; entry < motion_size; ++entry) result.value[entry] = output[entry * plugin_motion_lanes];
  type.operations[HOLO_JOINT_MOTION_JACOBIAN](&batch);
  for (int entry = 0; entry < motion_size; ++entry)
    for (int k = 0; k < m; ++k) result.first[entry][k] = output[(entry * m + k) * plugin_motion_lanes];
  batch.block_count = motion_blocks;
  type.operations[HOLO_JOINT_MOTION_HESSIAN](&batch);
  for (int entry = 0; entry < motion_size; ++entry)
    for (int pair = 0; pair < pairs; ++pair)
      result.second[entry][pair] =
          output[((entry / plugin_motion_lanes) * pairs + pair) * plugin_motion_lanes + entry % plugin_motion_lanes];
}

int upper_entry(int m, int k, int l) { return k <= l ? k * m - k * (k - 1) / 2 + l - k : upper_entry(m, l, k); }

// A number with the derivative `slope` along the direction of a complex step.
template <class S>
S with_slope(double value, double slope) {
  if constexpr (std::is_same_v<S, double>)
    return value;
  else
    return S::seed(value, slope);
}

template <class S>
double value_of(const S& x) {
  if constexpr (std::is_same_v<S, double>)
    return x;
  else
    return x.value();
}

template <class S>
double slope_of(const S& x) {
  if constexpr (std::is_same_v<S, double>)
    return 0;
  else
    return x.derivative();
}

template <class S>
Transform<S> transform_of(const S* entries) {
  return {{entries[0], entries[1], entries[2]}, {entries[3], entries[4], entries[5], entries[6]}};
}

template <class S>
Vector3<S> vector_part(const Quaternion<S>& q) {
  return {q.x, q.y, q.z};
}

// The motion at coordinates with complex steps: values and first derivatives to first order along these, from the real
// derivatives of one order more.
template <class S>
struct LiftedMotion {
  Transform<S> motion, first[most_coordinates];

  LiftedMotion(const MotionDerivatives& at, int m, const S* coordinates) {
    S value[motion_size], slope[most_coordinates][motion_size];
    for (int entry = 0; entry < motion_size; ++entry) {
      double along = 0;
      for (int l = 0; l < m; ++l) along += at.first[entry][l] * slope_of(coordinates[l]);
      value[entry] = with_slope<S>(at.value[entry], along);
      for (int k = 0; k < m; ++k) {
        double turn = 0;
        for (int l = 0; l < m; ++l) turn += at.second[entry][upper_entry(m, k, l)] * slope_of(coordinates[l]);
        slope[k][entry] = with_slope<S>(at.first[entry][k], turn);
      }
    }
    motion = transform_of(value);
    for (int k = 0; k < m; ++k) first[k] = transform_of(slope[k]);
  }
};

// dL/dq_k = xi_k L of L = (t, R(p)): the angular velocity 2 vec(p_k conj(p)) of a quaternion p of length 1, and the velocity
// t_k - omega x t of the point in the origin.
template <class S>
Twist<S> twist_of(const Transform<S>& motion, const Transform<S>& change) {
  const Vector3<S> angular = S(2.0) * vector_part(change.rotation * conjugate(motion.rotation));
  return {angular, change.translation - cross(angular, motion.translation)};
}

// The derivative of the twist of `k` by another coordinate `l`; `second` is that of the motion by both.
template <class S>
Twist<S> twist_derivative(const Transform<S>& motion, const Transform<S>& k, const Transform<S>& l,
                          const Transform<S>& second) {
  const Vector3<S> angular = S(2.0) * vector_part(k.rotation * conjugate(motion.rotation)),
                   change = S(2.0) * (vector_part(second.rotation * conjugate(motion.rotation)) +
                                      vector_part(k.rotation * conjugate(l.rotation)));
  return {change, second.translation - cross(change, motion.translation) - cross(angular, l.translation)};
}

}  // namespace

template <class S>
void PluginMotionMemory<S>::resize(const CharacterModel& model, std::size_t states) {
  joints_ = model.plugin_joints().size();
  coordinates_ = pairs_ = 0;
  for (const PluginJoint& joint : model.plugin_joints()) {
    const std::size_t m = joint.type->abi().coordinate_count;
    coordinates_ += m;
    pairs_ += m * (m + 1) / 2;
  }
  frames_.resize(states * joints_);
  twists_.resize(states * coordinates_);
  derivatives_.resize(states * pairs_);
}

template <class S>
PluginMotions<S> PluginMotionMemory<S>::view(std::size_t state) const {
  return {frames_.data() + state * joints_, twists_.data() + state * coordinates_, derivatives_.data() + state * pairs_};
}

template <class S>
void PluginMotionMemory<S>::evaluate(const CharacterModel& model, const S* coordinates, std::size_t state) {
  const CharacterData data = model.data();
  for (std::size_t j = 0; j < joints_; ++j) {
    const PluginJointData& joint = data.plugin_joints[j];
    const int m = joint.coordinate_count;
    const S* q = coordinates + joint.first;
    double real[most_coordinates];
    for (int k = 0; k < m; ++k) real[k] = value_of(q[k]);
    MotionDerivatives at;
    run_plugin(model.plugin_joints()[j], real, at);
    const LiftedMotion<S> lifted(at, m, q);
    frames_[state * joints_ + j] = {rotation_matrix(lifted.motion.rotation), lifted.motion.translation};
    Twist<S>* twists = twists_.data() + state * coordinates_ + joint.first_twist;
    Twist<S>* derivatives = derivatives_.data() + state * pairs_ + joint.first_derivative;
    for (int l = 0; l < m; ++l) {
      twists[l] = twist_of(lifted.motion, lifted.first[l]);
      for (int k = 0; k <= l; ++k) {
        S second[motion_size];
        for (int entry = 0; entry < motion_size; ++entry) second[entry] = S(at.second[entry][upper_entry(m, k, l)]);
        derivatives[l * (l + 1) / 2 + k] =
            twist_derivative(lifted.motion, lifted.first[k], lifted.first[l], transform_of(second));
      }
    }
  }
}

template class PluginMotionMemory<double>;
template class PluginMotionMemory<Complex<double>>;

}  // namespace holo::articulated
