#pragma once
// The batched operations of a joint, all from compiled graphs, and its registration.

#include <array>
#include <string>

#include "holo/diff/graph/emit.h"
#include "holo/diff/lanes/lanes.h"
#include "holo/plugin/detail/entry.h"
#include "holo/plugin/detail/joint_functions.h"
#include "holo/plugin/detail/read_constants.h"

namespace holo::plugin {

// The leaves of a joint's graphs, from one block of a batch.
template <class Function>
struct JointInput {
  const double* inputs[3];  // by `sizes`
  int sizes[3];
  const double *parameters[2], *weights;
  int first_parameters;

  template <int k>
  HOLO_INLINE LaneBlock leaf() const {
    using L = graph::Leaves<Function>;
    constexpr int width = LaneBlock::width;
    if constexpr (L::inputs.contains(k)) {
      if (k < sizes[0]) return LaneBlock::load(inputs[0] + k * width);
      if (k < sizes[0] + sizes[1]) return LaneBlock::load(inputs[1] + (k - sizes[0]) * width);
      return LaneBlock::load(inputs[2] + (k - sizes[0] - sizes[1]) * width);
    } else if constexpr (L::parameters.contains(k)) {
      constexpr int i = k - L::parameters.begin;
      return LaneBlock(i < first_parameters ? parameters[0][i] : parameters[1][i - first_parameters]);
    } else {
      return LaneBlock::load(weights + (k - L::weights.begin) * width);
    }
  }
};

template <class J>
HOLO_INLINE JointInput<JointEquationsFunction<J>> input_of(const holo_joint_batch& batch, std::uint64_t block,
                                                           JointEquationsFunction<J>) {
  constexpr int width = LaneBlock::width, m = coordinate_count<J>(), pose = int(HOLO_POSE_SIZE);
  return {{batch.pose_a + block * pose * width, batch.pose_b + block * pose * width,
           m == 0 ? nullptr : batch.coordinates + block * m * width},
          {pose, pose, m},
          {batch.frames, batch.constants},
          batch.weights == nullptr ? nullptr : batch.weights + block * HOLO_JOINT_EQUATION_COUNT * width,
          frame_pair_size};
}

template <class J>
HOLO_INLINE JointInput<JointMotionFunction<J>> input_of(const holo_joint_batch& batch, std::uint64_t block,
                                                        JointMotionFunction<J>) {
  constexpr int width = LaneBlock::width, m = coordinate_count<J>();
  return {{m == 0 ? nullptr : batch.coordinates + block * m * width, nullptr, nullptr},
          {m, 0, 0},
          {batch.constants, nullptr},
          batch.weights == nullptr ? nullptr : batch.weights + block * HOLO_POSE_SIZE * width,
          constant_count<J>()};
}

template <class J>
HOLO_INLINE JointInput<JointCoordinatesFunction<J>> input_of(const holo_joint_batch& batch, std::uint64_t block,
                                                             JointCoordinatesFunction<J>) {
  constexpr int width = LaneBlock::width, pose = int(HOLO_POSE_SIZE);
  return {{batch.pose_a + block * pose * width, batch.pose_b + block * pose * width, nullptr},
          {pose, pose, 0},
          {batch.frames, nullptr},
          nullptr,
          frame_pair_size};
}

struct JointOutput {
  double* to;
  template <int i>
  HOLO_INLINE void output(const LaneBlock& value) {
    value.store(to + i * LaneBlock::width);
  }
};

template <class Function, graph::Derivative derivative>
void run_joint(const holo_joint_batch* batch) noexcept {
  constexpr std::uint64_t size = std::uint64_t(graph::output_count<Function>(derivative)) * LaneBlock::width;
  for (std::uint64_t block = 0; block < batch->block_count; ++block) {
    JointOutput output{batch->output + block * size};
    graph::emit<graph::Compiled<Function, derivative>, LaneBlock>(input_of(*batch, block, Function{}), output);
  }
}

template <class Function, graph::Derivative derivative>
void add_operation(holo_joint& joint, holo_joint_operation operation) {
  using Compiled = graph::Compiled<Function, derivative>;
  static_assert(Compiled::compiled,
                "motion, constraint_equations and coordinates_of of a joint must be constexpr, and their graphs must not "
                "exceed graph_capacity");
  if constexpr (Compiled::compiled) {
    static const std::string kernel =
        std::string("compile-time graph, ").append(std::to_string(Compiled::program.counts.operations)).append(" operations");
    joint.operations[operation] = run_joint<Function, derivative>;
    joint.kernels[operation] = kernel.c_str();
  }
}

// The derivatives that do not vanish identically: those that the graphs have.
template <class J>
struct JointPatterns {
  static constexpr int n = JointEquationsFunction<J>::input_count;
  std::uint32_t jacobian[HOLO_JOINT_EQUATION_COUNT] = {};
  std::uint32_t hessian[n] = {};

  JointPatterns() {
    using graph::Derivative;
    constexpr const auto& first = graph::Compiled<JointEquationsFunction<J>, Derivative::jacobian>::program;
    constexpr const auto& second = graph::Compiled<JointEquationsFunction<J>, Derivative::hessian>::program;
    for (int i = 0; i < int(HOLO_JOINT_EQUATION_COUNT); ++i)
      for (int k = 0; k < n; ++k)
        if (first.outputs[i * n + k] != graph::zero) jacobian[i] |= 1u << k;
    for (int i = 0, entry = 0; i < n; ++i)
      for (int k = i; k < n; ++k, ++entry)
        if (second.outputs[entry] != graph::zero) {
          hessian[i] |= 1u << k;
          hessian[k] |= 1u << i;
        }
  }
};

// One entry for each number: a quaternion has four equal ones.
template <class J>
const holo_joint_coordinate* coordinate_table() {
  static const std::array<holo_joint_coordinate, HOLO_JOINT_COORDINATE_MAXIMUM> table = [] {
    std::array<holo_joint_coordinate, HOLO_JOINT_COORDINATE_MAXIMUM> result = {};
    std::size_t count = 0;
    if constexpr (requires { J::coordinates; })
      for (const Coordinate& coordinate : J::coordinates)
        for (int i = 0; i < coordinate.size(); ++i) result[count++] = {coordinate.name, std::uint32_t(coordinate.kind)};
    return result;
  }();
  return table.data();
}

template <class J>
int read_joint(const holo_parameter_reader* reader, double* constants, double* tangents, holo_error* error) noexcept {
  if constexpr (HasConstants<J>) {
    return read_constants<constant_count<J>()>(reader, constants, tangents, error, [](const auto& p) { return J::read(p); });
  } else {
    return 0;
  }
}

template <class J>
holo_joint make_joint(const char* name, const char* summary) {
  using graph::Derivative;
  using Equations = JointEquationsFunction<J>;
  using Motion = JointMotionFunction<J>;
  static const JointPatterns<J> patterns;
  holo_joint joint = {};
  joint.stamp = HOLO_STAMP;
  joint.name = name;
  joint.summary = summary;
  joint.documentation = joint_documentation<J>();
  joint.coordinate_count = std::uint32_t(coordinate_count<J>());
  joint.coordinates = coordinate_table<J>();
  joint.passive_equation_count = std::uint32_t(passive_equation_count<J>());
  joint.passive_axes = std::uint32_t(passive_axes<J>());
  joint.constant_count = std::uint32_t(constant_count<J>());
  joint.read = read_joint<J>;
  joint.jacobian_pattern = patterns.jacobian;
  joint.hessian_pattern = patterns.hessian;
  add_operation<Equations, Derivative::value>(joint, HOLO_JOINT_EQUATIONS);
  add_operation<Equations, Derivative::jacobian>(joint, HOLO_JOINT_JACOBIAN);
  add_operation<Equations, Derivative::hessian>(joint, HOLO_JOINT_HESSIAN);
  add_operation<Motion, Derivative::value>(joint, HOLO_JOINT_MOTION);
  if constexpr (coordinate_count<J>() > 0) {
    add_operation<Motion, Derivative::jacobian>(joint, HOLO_JOINT_MOTION_JACOBIAN);
    add_operation<Motion, Derivative::hessian>(joint, HOLO_JOINT_MOTION_HESSIAN);
    if constexpr (HasCoordinatesOf<J, double>)
      add_operation<JointCoordinatesFunction<J>, Derivative::value>(joint, HOLO_JOINT_COORDINATES);
  }
  return joint;
}

template <class J>
int enter_joint(const char* name, const char* summary, const holo_stamp* host, const holo_registrar* registrar,
                holo_error* error) noexcept {
  return guarded(error, name, [&] {
    if (!same_stamp(host, error)) return 1;
    if constexpr (check_joint<J>()) {
      static const holo_joint joint = make_joint<J>(name, summary);
      return registrar->add_joint(registrar->self, &joint, error);
    }
    return 1;
  });
}

}  // namespace holo::plugin
