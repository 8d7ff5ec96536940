// Rows, plots, frames and tables of the study.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "holo/core/name_list.h"
#include "studies/articulated_dynamics/articulated_quantities.h"

namespace holo {

std::vector<Quantity> ArticulatedDynamics::columns() const {
  std::vector<Quantity> columns = quantities_of(articulated_columns());
  for (int c = 0; c < controls_.count(); ++c)
    columns.push_back({"torque." + controls_.joint(c), controls_.unit(c), "of the actuator, in the step that ended"});
  for (int j = 0; j < model_->dof_count(); ++j) {
    const bool is_slide = model_->dofs()[std::size_t(j)].is_length;
    columns.push_back({"coordinate." + model_->dof_name(j), is_slide ? "m" : "rad",
                       "of the degree of freedom; a base's rotation vector begins anew at 0 where it has become long"});
  }
  return columns;
}

std::vector<ColumnPlot> ArticulatedDynamics::plots() const {
  std::vector<ColumnPlot> plots = {
      {"Center of mass", "time", {"center_of_mass_x", "center_of_mass_y", "center_of_mass_z"}},
      {"Energies",
       "time",
       {"kinetic_energy", "gravity_energy", "spring_energy", "limit_energy", "contact_energy", "total_energy"}},
      {"Linear momentum", "time", {"linear_momentum_x", "linear_momentum_y", "linear_momentum_z"}},
      {"Angular momentum about the center of mass",
       "time",
       {"angular_momentum_x", "angular_momentum_y", "angular_momentum_z"}}};
  if (constants_.obstacle_count > 0) {
    plots.push_back({"Normal force of the contacts", "time", {"normal_force"}});
    plots.push_back({"Largest depth of a contact", "time", {"penetration"}});
    plots.push_back({"Contacts", "time", {"contacts"}, false, true});
  }
  const auto add_controls = [&](const std::string& unit, const char* title) {
    ColumnPlot plot{title, "time", {}};
    plot.own_names = true;
    for (int c = 0; c < controls_.count(); ++c)
      if (controls_.unit(c) == unit) plot.y.push_back("torque." + controls_.joint(c));
    if (!plot.y.empty()) plots.push_back(plot);
  };
  add_controls("N m", "Torques of actuators");
  add_controls("N", "Forces of actuators");
  plots.push_back({"Newton iterations", "time", {"iterations"}, false, true});
  return plots;
}

void ArticulatedDynamics::write_row(StudyOutput& output, const articulated::StepResult& result) {
  std::vector<double> row = row_of(articulated_columns(), {step_, time(), measures_, tally_, result});
  for (int c = 0; c < controls_.count(); ++c) row.push_back(controls_.torque(c, int(step_), previous_, current_));
  for (const double coordinate : current_.coordinates) row.push_back(coordinate);
  output.row(row);
}

// The first step at or after each multiple of the frames' interval, and the last step.
bool ArticulatedDynamics::frame_is_due() const {
  if (step_ == setup_.scene.step_count) return true;
  // The tolerance counts a step that ends at a multiple up to rounding as one that reached it.
  const auto frames_until = [&](double time) { return std::floor(time * setup_.frames_per_second + 1e-9); };
  return frames_until(time()) > frames_until(time() - setup_.scene.time_step);
}

void ArticulatedDynamics::draw_frame() {
  frame_.step = step_;
  frame_.time = time();
  drawing_.draw(current_, contacts_, frame_);
}

void ArticulatedDynamics::write_frame(StudyOutput& output) {
  totals_.last_frame = step_;
  if (setup_.frames_per_second <= 0) return;
  draw_frame();
  output.frame(frame_);
}

std::vector<std::string> ArticulatedDynamics::contents() const {
  std::vector<std::string> contents = {fmt::format(
      "character '{}': {} degrees of freedom, {} of them actuated, {:.6g} kg, {} contact points, {} pairs of self-collision",
      setup_.scene.character.definition.name(), model_->dof_count(), model_->actuated().size(), model_->total_mass(),
      model_->contact_points().size(), model_->sphere_pairs().size())};
  if (constants_.obstacle_count > 0)
    contents.push_back(
        fmt::format("contact: w_n = {:.6g} N/m^2, w_t = {:.6g} N s/m^3; {} points carry the weight {:.3g} m deep",
                    standing_.weights.normal, standing_.weights.tangential, standing_.points, standing_.penetration));
  return contents;
}

// All that the character lacks of its file is ignored by the experiment.
std::vector<std::string> ArticulatedDynamics::notes() const {
  const std::vector<std::string>& ignored = setup_.scene.character.definition.ignored;
  if (ignored.empty()) return {};
  return {"the character lacks elements of its file that the experiment ignores: " + joined(ignored)};
}

Table ArticulatedDynamics::joint_table(bool are_slides) const {
  const char* const unit = are_slides ? "m" : "rad";
  Table table{are_slides ? "Slides" : "Hinges and rotations",
              "At the start. Springs and dampers include those of targets.",
              {{"name", ""},
               {"start", unit},
               {"lower limit", unit},
               {"upper limit", unit},
               {"stiffness", are_slides ? "N/m" : "N m/rad"},
               {"damping", are_slides ? "N s/m" : "N m s/rad"},
               {"armature", are_slides ? "kg" : "kg m^2"},
               {"actuated", ""}},
              {}};
  const articulated::CharacterPose& start = setup_.scene.character.start.pose;
  const std::vector<int>& actuated = model_->actuated();
  for (int j = 0; j < model_->dof_count(); ++j) {
    const articulated::DegreeOfFreedom& dof = model_->dofs()[std::size_t(j)];
    if (dof.is_length != are_slides) continue;
    const auto limit = [](double value) { return std::isfinite(value) ? Cell(value) : Cell(std::string("none")); };
    const bool is_actuated = std::binary_search(actuated.begin(), actuated.end(), j);
    table.rows.push_back({model_->dof_name(j), start.coordinates[std::size_t(j)], limit(dof.lower), limit(dof.upper),
                          dof.stiffness, dof.damping, dof.armature, std::string(is_actuated ? "yes" : "no")});
  }
  return table;
}

std::vector<Table> ArticulatedDynamics::tables() {
  std::vector<Table> tables;
  for (const bool are_slides : {true, false})
    if (Table table = joint_table(are_slides); !table.rows.empty()) tables.push_back(std::move(table));
  return tables;
}

StudyPreview ArticulatedDynamics::preview() {
  draw_frame();
  StudyPreview preview{drawing_.scene(), frame_, tables(), notes()};
  Table contact{"Contact", "", {{"quantity", ""}, {"value", ""}, {"unit", ""}}, {}};
  const auto add = [&](const char* name, double value, const char* unit) {
    contact.rows.push_back({std::string(name), value, std::string(unit)});
  };
  add("mass", model_->total_mass(), "kg");
  add("points that carry the weight", standing_.points, "1");
  add("their depth at rest", standing_.penetration, "m");
  add("w_n", standing_.weights.normal, "N/m^2");
  add("w_t", standing_.weights.tangential, "N s/m^3");
  if (constants_.obstacle_count > 0) preview.tables.push_back(contact);
  return preview;
}

}  // namespace holo
