// The knots of the initial and the optimized motion: their columns in metrics.csv, and their frames.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "holo/core/plugins/loss_plugin.h"
#include "holo/study/quantity_table.h"
#include "studies/robot_design/coordinate_units.h"
#include "studies/robot_design/robot_design_study.h"

namespace holo {

namespace {

// The columns' values of one motion at all knots.
struct ShownMotion {
  std::vector<Eigen::MatrixXd> measures;  // of each loss
  Eigen::MatrixXd controls;               // SI
  Eigen::VectorXd singular_values;
};

// A row of metrics.csv: the same knot of both motions.
struct DesignKnot {
  int number;
  double time;  // [s]
  const ShownMotion &initial, &optimized;
};

// One quantity of both motions: NAME_initial and NAME_optimized.
template <class Value>
void add_pair(QuantityTable<DesignKnot>& table, const std::string& name, const std::string& unit,
              const std::array<std::string, 2>& documentation, Value value) {
  table.push_back(
      {{name + "_initial", unit, documentation[0]}, [value](const DesignKnot& at) { return value(at.initial, at.number); }});
  table.push_back({{name + "_optimized", unit, documentation[1]},
                   [value](const DesignKnot& at) { return value(at.optimized, at.number); }});
}

QuantityTable<DesignKnot> columns_of(const RobotDesignPlan& plan) {
  QuantityTable<DesignKnot> table = {
      {{"knot", "1", "number of the knot, from 0"}, [](const DesignKnot& at) { return double(at.number); }},
      {{"time", "s", ""}, [](const DesignKnot& at) { return at.time; }}};
  for (std::size_t i = 0; i < plan.losses().size(); ++i) {
    const NamedLoss& loss = plan.losses()[i];
    const holo_loss_description& d = loss.instance->description();
    for (std::uint32_t j = 0; j < d.measure_count; ++j)
      add_pair(table, fmt::format("{}_{}", loss.name, d.measures[j].name), d.measures[j].unit, {loss.name, loss.name},
               [i, j](const ShownMotion& motion, int k) { return motion.measures[i](Eigen::Index(j), k); });
  }
  const std::vector<std::string> units = control_units(*plan.layout);
  for (std::size_t i = 0; i < units.size(); ++i)
    add_pair(table, "control_" + plan.layout->control_names()[i], units[i],
             {"control in the initial motion", "control in the optimized motion"},
             [i](const ShownMotion& motion, int k) { return motion.controls(Eigen::Index(i), k); });
  add_pair(table, "smallest_singular_value", "1",
           {"of the equations' Jacobian in the poses, rows of length 1; initial motion", "the same of the optimized motion"},
           [](const ShownMotion& motion, int k) { return motion.singular_values[k]; });
  return table;
}

// The position at which a target is drawn; in tasks without the target its last position, or its first one.
Eigen::Vector3d shown(const Eigen::MatrixXd& target, Eigen::Index knot) {
  const auto has_value = [&](Eigen::Index k) { return !target.col(k).hasNaN(); };
  Eigen::Index k = knot;
  while (k >= 0 && !has_value(k)) --k;
  for (k = std::max<Eigen::Index>(k, 0); !has_value(k);) ++k;
  return target.col(k);
}

}  // namespace

std::vector<Quantity> RobotDesign::columns() const { return quantities_of(columns_of(plan_)); }

void RobotDesign::write_knots(StudyOutput& output) {
  const auto shown_motion = [&](const StagedPoint& point) {
    ShownMotion motion;
    for (std::size_t i = 0; i < plan_.losses().size(); ++i)
      motion.measures.push_back(attempt_.problem().losses().measures(
          i, {point.states, point.controls, point.rates, point.parameters}, attempt_.problem().data()));
    motion.controls = all_controls(*attempt_.motion.layout, point.states, point.controls);
    motion.singular_values = smallest_singular_values(
        *attempt_.motion.equations, {point.states, point.controls, point.parameters, attempt_.problem().prescribed()}, true);
    return motion;
  };
  const ShownMotion before = shown_motion(initial()), after = shown_motion(optimized());
  const QuantityTable<DesignKnot> table = columns_of(plan_);
  SceneFrame frame;
  for (int k = 0; k < plan_.knot_count; ++k) {
    output.row(row_of(table, {k, plan_.time_step * k, before, after}));
    if (!drawing_) continue;
    std::vector<Eigen::Vector3d> targets;
    for (const int signal : points_among(*plan_.signals))
      targets.push_back(shown(attempt_.problem().data().signals[std::size_t(signal)], k));
    frame.step = k;
    frame.time = plan_.time_step * k;
    drawing_->draw(initial().states.col(k), optimized().states.col(k), targets, frame);
    output.frame(frame);
  }
}

}  // namespace holo
