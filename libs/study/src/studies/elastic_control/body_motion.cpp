#include "studies/elastic_control/body_motion.h"

#include <fmt/format.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <limits>

#include "holo/sim/elastic/fitted_rotation.h"

namespace holo {

namespace {

constexpr double full_turn = 6.283185307179586;

const ElasticBody* first_with_muscles(const ElasticModel& model) {
  for (const ElasticBody& body : model.bodies())
    if (body.muscles) return &body;
  return &model.bodies().front();
}

}  // namespace

QuantityTable<BodyMotionTotals> body_motion_metrics(const std::vector<PhaseDefinition>& phases) {
  using T = const BodyMotionTotals&;
  QuantityTable<BodyMotionTotals> table = {
      {{"yaw", "rad", "turn of the controlled body about the vertical, at the end"}, [](T t) { return t.yaw; }},
      {{"tilt", "rad", "angle between its vertical axis and the vertical, at the end"}, [](T t) { return t.tilt; }},
      {{"largest_tilt", "rad", "of any frame"}, [](T t) { return t.largest_tilt; }},
      {{"turn_x", "rad", "sum of the controlled body's rotations from frame to frame, about x"}, [](T t) { return t.turn[0]; }},
      {{"turn_y", "rad", "about y"}, [](T t) { return t.turn[1]; }},
      {{"turn_z", "rad", "about z"}, [](T t) { return t.turn[2]; }}};
  if (phases.size() < 2) return table;
  for (std::size_t k = 0; k < phases.size(); ++k) {
    const std::string& name = phases[k].name;
    table.push_back({{name + "_yaw", "rad", "at the end of the phase"}, [k](T t) { return t.phase_yaw[k]; }});
    table.push_back({{name + "_tilt", "rad", "at the end of the phase"}, [k](T t) { return t.phase_tilt[k]; }});
    table.push_back({{name + "_rise", "m", "largest height of the center of mass in the phase, over that at the start"},
                     [k](T t) { return t.phase_rise[k]; }});
  }
  return table;
}

BodyMotion::BodyMotion(const ElasticModel& model, const std::vector<PhaseDefinition>& phases)
    : model_(model), body_(first_with_muscles(model)), metrics_(body_motion_metrics(phases)) {
  for (std::vector<double>* values : {&totals_.phase_yaw, &totals_.phase_tilt, &totals_.phase_rise})
    values->assign(phases.size(), std::numeric_limits<double>::quiet_NaN());
  totals_.start_height = height(initial_state(model));
}

std::vector<Quantity> BodyMotion::columns() {
  return {{"yaw", "rad", "turn of the controlled body about the vertical"},
          {"tilt", "rad", "angle between the controlled body's vertical axis and the vertical"}};
}

std::vector<ColumnPlot> BodyMotion::plots() { return {{"Attitude", "time", {"yaw", "tilt"}}}; }

double BodyMotion::height(const ElasticState& state) const {
  double sum = 0, mass = 0;
  for (int v = body_->first_vertex; v < body_->first_vertex + body_->vertex_count; ++v) {
    const double m = model_.masses()[static_cast<std::size_t>(v)];
    sum += m * state.positions[3 * v + 2];
    mass += m;
  }
  return sum / mass;
}

void BodyMotion::observe(const ElasticState& state, std::int64_t phase, std::vector<double>& row) {
  const Eigen::Matrix3d rotation = fitted_rotation(model_, *body_, state.positions);
  const Eigen::AngleAxisd frame_turn(rotation * rotation_.transpose());  // of less than half a turn
  totals_.turn += frame_turn.angle() * frame_turn.axis();
  rotation_ = rotation;
  const Attitude now = attitude(rotation);
  // The yaw is known up to full turns; within a frame it changes by less than half of one.
  totals_.yaw += std::remainder(now.yaw - totals_.yaw, full_turn);
  totals_.tilt = now.tilt;
  totals_.largest_tilt = std::max(totals_.largest_tilt, now.tilt);
  const auto k = static_cast<std::size_t>(phase);
  totals_.phase_yaw[k] = totals_.yaw;
  totals_.phase_tilt[k] = now.tilt;
  totals_.phase_rise[k] = std::fmax(totals_.phase_rise[k], height(state) - totals_.start_height);  // of NaN the other one
  row.push_back(totals_.yaw);
  row.push_back(now.tilt);
}

void BodyMotion::visit(Archive& archive) {
  for (double* value : {&totals_.yaw, &totals_.tilt, &totals_.largest_tilt}) archive.visit(*value);
  archive.visit(totals_.turn);
  archive.visit(rotation_);
  for (std::vector<double>* values : {&totals_.phase_yaw, &totals_.phase_tilt, &totals_.phase_rise}) archive.visit(*values);
}

}  // namespace holo
