#include "characters/character_definition.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "holo/sim/articulated/dynamics/character_from_robot.h"
#include "holo/sim/articulated/dynamics/procedural_characters.h"

namespace holo {

using articulated::CharacterBuilder, articulated::CharacterModel, articulated::DegreeOfFreedom, articulated::DofKind;

namespace {

bool has_spring_of_its_own(const DegreeOfFreedom& dof) { return dof.kind != DofKind::rotation_vector; }

// A second spring k about c beside one about r is the spring of both stiffnesses about their weighted mean.
void add_spring(DegreeOfFreedom& dof, double stiffness, double center) {
  const double sum = dof.stiffness + stiffness;
  if (sum > 0) dof.spring_reference = (dof.stiffness * dof.spring_reference + stiffness * center) / sum;
  dof.stiffness = sum;
}

void change_joint(const JointChange& change, CharacterBuilder& builder) {
  DegreeOfFreedom& dof = builder.dof(builder.so_far().dof(change.joint));
  if (change.stiffness) dof.stiffness = *change.stiffness;
  if (change.rest) dof.spring_reference = *change.rest;
  if (change.damping) dof.damping = *change.damping;
  if (change.armature) dof.armature = *change.armature;
}

void adjust_joints(const CharacterDefinition& definition, CharacterBuilder& builder) {
  std::vector<double> start = builder.so_far().rest().coordinates;
  for (const JointValue& each : definition.pose) start[std::size_t(builder.so_far().dof(each.joint))] = each.value;
  for (const int number : builder.so_far().actuated()) {
    DegreeOfFreedom& dof = builder.dof(number);
    if (!has_spring_of_its_own(dof)) continue;
    add_spring(dof, definition.stiffness, start[std::size_t(number)]);
    dof.damping += definition.damping;
  }
  for (const JointChange& change : definition.joints) change_joint(change, builder);
}

}  // namespace

articulated::CharacterPose CharacterStart::before(double time_step) const {
  articulated::CharacterPose earlier = pose;
  for (std::size_t j = 0; j < velocity.size(); ++j) earlier.coordinates[j] -= time_step * velocity[j];
  return earlier;
}

std::shared_ptr<const CharacterModel> build_character(const CharacterDefinition& definition,
                                                      const articulated::CharacterAdjustment& adjust) {
  const articulated::CharacterAdjustment all = [&](CharacterBuilder& builder) {
    adjust_joints(definition, builder);
    if (adjust) adjust(builder);
  };
  const bool self_collision = definition.self_collision_weight > 0;
  articulated::JointReplacements joints;
  for (const JointReplacement& each : definition.plugin_joints) joints[each.joint] = each.plugin;
  const auto build = [&] {
    if (definition.robot)
      return articulated::character_from_robot(definition.robot->model, definition.robot->pose,
                                               {definition.base, self_collision, definition.limit_weight, all, {}, joints});
    const articulated::CharacterOptions options{definition.base, self_collision,       definition.limit_weight, 0, 0, all,
                                                joints,          definition.link_count};
    if (!definition.links.empty()) return build_linked_character(definition.type, definition.links, options);
    return articulated::procedural_character(definition.type, options);
  };
  return std::make_shared<const CharacterModel>(build());
}

CharacterStart start_of(const CharacterDefinition& definition, const CharacterModel& model) {
  CharacterStart start{model.rest(), std::vector<double>(std::size_t(model.dof_count()), 0.0)};
  for (const JointValue& each : definition.pose) start.pose.coordinates[std::size_t(model.dof(each.joint))] = each.value;
  for (const JointValue& each : definition.velocity) start.velocity[std::size_t(model.dof(each.joint))] = each.value;
  return start;
}

std::vector<StartProblem> problems_of_start(const CharacterDefinition& definition, const CharacterModel& model) {
  return problems_of_pose(model, start_of(definition, model).pose, definition.pose, definition.where, "starts");
}

std::vector<StartProblem> problems_of_pose(const CharacterModel& model, const articulated::CharacterPose& pose,
                                           const std::vector<JointValue>& values, const Location& where,
                                           const std::string& verb) {
  constexpr double rounding = 1e-9;
  std::vector<StartProblem> problems;
  const auto add = [&](int dof, double value, const std::string& limits) {
    const auto given =
        std::find_if(values.begin(), values.end(), [&](const JointValue& each) { return each.joint == model.dof_name(dof); });
    problems.push_back({given == values.end() ? where : given->where,
                        fmt::format("the joint '{}' {} at {:.6g}, outside of its limits {}; give it another coordinate under "
                                    "`pose`",
                                    model.dof_name(dof), verb, value, limits)});
  };
  for (int j = 0; j < model.dof_count(); ++j) {
    const DegreeOfFreedom& dof = model.dofs()[std::size_t(j)];
    const double value = pose.coordinates[std::size_t(j)];
    if (value < dof.lower - rounding || value > dof.upper + rounding)
      add(j, value, fmt::format("{:.6g} and {:.6g}", dof.lower, dof.upper));
  }
  const articulated::CharacterData data = model.data();
  for (int c = 0; c < data.chart_count; ++c) {
    const articulated::RotationChart& chart = data.charts[c];
    const double* w = pose.coordinates.data() + chart.first;
    const double angle = std::hypot(w[0], w[1], w[2]);
    if (angle > chart.cone + rounding)
      add(chart.first, angle, fmt::format("0 and {:.6g} of the length of its rotation vector", chart.cone));
  }
  return problems;
}

}  // namespace holo
