#include "studies/articulated_dynamics/articulated_quantities.h"

#include <algorithm>
#include <limits>

namespace holo {

namespace {

constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

// A difference from conservation over the largest value; none without a step of free flight.
double relative_drift(const ArticulatedTotals& totals, double error, double scale) {
  if (totals.flight_steps < 1) return not_a_number;
  return scale > 0 ? error / scale : error;
}

double over_standing_depth(const ArticulatedOutcome& of, double depth) {
  return of.standing.penetration > 0 ? depth / of.standing.penetration : not_a_number;
}

}  // namespace

double total_energy(const articulated::CharacterMeasures& m, const ContactTally& contacts) {
  return m.kinetic_energy + m.gravity_energy + m.spring_energy + m.limit_energy + m.self_collision_energy + contacts.energy;
}

const QuantityTable<ArticulatedRow>& articulated_columns() {
  using R = const ArticulatedRow&;
  static const QuantityTable<ArticulatedRow> table{
      {{"step", "1", "number of the step; 0 is the start"}, [](R r) { return double(r.step); }},
      {{"time", "s", "simulated time"}, [](R r) { return r.time; }},
      {{"iterations", "1", "Newton iterations of the step"}, [](R r) { return double(r.result.iterations); }},
      {{"residual", "N or N m", "largest entry of the residual after the step"}, [](R r) { return r.result.residual; }},
      {{"center_of_mass_x", "m", ""}, [](R r) { return r.measures.center_of_mass.x(); }},
      {{"center_of_mass_y", "m", ""}, [](R r) { return r.measures.center_of_mass.y(); }},
      {{"center_of_mass_z", "m", ""}, [](R r) { return r.measures.center_of_mass.z(); }},
      {{"linear_momentum_x", "kg m/s", ""}, [](R r) { return r.measures.linear_momentum.x(); }},
      {{"linear_momentum_y", "kg m/s", ""}, [](R r) { return r.measures.linear_momentum.y(); }},
      {{"linear_momentum_z", "kg m/s", ""}, [](R r) { return r.measures.linear_momentum.z(); }},
      {{"angular_momentum_x", "kg m^2/s", "about the center of mass"}, [](R r) { return r.measures.angular_momentum.x(); }},
      {{"angular_momentum_y", "kg m^2/s", "about the center of mass"}, [](R r) { return r.measures.angular_momentum.y(); }},
      {{"angular_momentum_z", "kg m^2/s", "about the center of mass"}, [](R r) { return r.measures.angular_momentum.z(); }},
      {{"kinetic_energy", "J", "with that of rotors"}, [](R r) { return r.measures.kinetic_energy; }},
      {{"gravity_energy", "J", "0 for all mass at the origin"}, [](R r) { return r.measures.gravity_energy; }},
      {{"spring_energy", "J", "of joints, without those of targets"}, [](R r) { return r.measures.spring_energy; }},
      {{"limit_energy", "J", "of joints beyond their limits"}, [](R r) { return r.measures.limit_energy; }},
      {{"contact_energy", "J", "of the normal forces of obstacles and of self-collision"},
       [](R r) { return r.contacts.energy + r.measures.self_collision_energy; }},
      {{"total_energy", "J", "sum of these"}, [](R r) { return total_energy(r.measures, r.contacts); }},
      {{"contacts", "1", "contact points that touch an obstacle"}, [](R r) { return double(r.contacts.count); }},
      {{"penetration", "m", "largest depth of a contact point"}, [](R r) { return r.contacts.largest_depth; }},
      {{"normal_force", "N", "sum of the normal forces of obstacles"}, [](R r) { return r.contacts.normal_force; }},
      {{"friction_ratio", "1", "largest tangential over normal force of a contact"},
       [](R r) { return r.contacts.friction_ratio; }}};
  return table;
}

const QuantityTable<ArticulatedOutcome>& articulated_metrics() {
  using O = const ArticulatedOutcome&;
  static const QuantityTable<ArticulatedOutcome> table{
      {{"steps", "1", "time steps"}, [](O o) { return double(o.step); }},
      {{"mass", "kg", "of the character"}, [](O o) { return o.mass; }},
      {{"iterations_mean", "1", "Newton iterations per step"},
       [](O o) { return double(o.totals.iterations) / double(std::max<std::int64_t>(o.step, 1)); }},
      {{"iterations_max", "1", "of a step"}, [](O o) { return double(o.totals.iterations_maximum); }},
      {{"rounding_steps", "1", "steps whose residual is above the tolerance and as small as rounding errors let it be"},
       [](O o) { return double(o.totals.rounding_steps); }},
      {{"residual_maximum", "N or N m", "largest entry of the residual after any step"},
       [](O o) { return o.totals.largest_residual; }},
      {{"first_contact", "s", "time of the first contact; NaN: none"},
       [](O o) { return o.totals.first_contact < 0 ? not_a_number : o.totals.first_contact; }},
      {{"flight_steps", "1", "time steps before the first contact"},
       [](O o) { return double(std::max<std::int64_t>(o.totals.flight_steps, 0)); }},
      {{"momentum_drift", "1",
        "before the first contact: largest difference of the linear momentum from that of its start and gravity, over the "
        "largest momentum"},
       [](O o) { return relative_drift(o.totals, o.totals.momentum_error, o.totals.momentum_scale); }},
      {{"angular_momentum_drift", "1",
        "before the first contact: largest change of the angular momentum about the center of mass, over the largest sum of "
        "the "
        "lengths of those of the bodies and the linear momentum times the radius of gyration"},
       [](O o) { return relative_drift(o.totals, o.totals.angular_momentum_error, o.totals.angular_momentum_scale); }},
      {{"standing_penetration", "m", "depth of the points that carry the weight: sqrt(weight/(points w_n))"},
       [](O o) { return o.standing.penetration; }},
      {{"penetration_maximum", "m", "largest depth of a contact point over all steps"},
       [](O o) { return o.totals.largest_depth; }},
      {{"penetration_factor", "1", "the same over the standing penetration"},
       [](O o) { return over_standing_depth(o, o.totals.largest_depth); }},
      {{"final_penetration_factor", "1", "of the last pose"},
       [](O o) { return over_standing_depth(o, o.contacts.largest_depth); }},
      {{"normal_force_maximum", "N", "largest sum of the normal forces"}, [](O o) { return o.totals.largest_force; }},
      {{"normal_force", "N", "sum of the normal forces at the end"}, [](O o) { return o.contacts.normal_force; }},
      {{"contacts", "1", "contact points that touch an obstacle at the end"}, [](O o) { return double(o.contacts.count); }},
      {{"friction_ratio_maximum", "1", "largest tangential over normal force of a contact"},
       [](O o) { return o.totals.largest_friction_ratio; }},
      {{"center_of_mass_x", "m", "at the end"}, [](O o) { return o.measures.center_of_mass.x(); }},
      {{"center_of_mass_y", "m", "at the end"}, [](O o) { return o.measures.center_of_mass.y(); }},
      {{"center_of_mass_z", "m", "at the end"}, [](O o) { return o.measures.center_of_mass.z(); }},
      {{"center_of_mass_lowest", "m", "smallest z of the center of mass"}, [](O o) { return o.totals.lowest_center; }},
      {{"kinetic_energy", "J", "at the end"}, [](O o) { return o.measures.kinetic_energy; }},
      {{"total_energy", "J", "at the end"}, [](O o) { return total_energy(o.measures, o.contacts); }},
      {{"energy_gain", "J", "largest total energy less that at the start"},
       [](O o) { return o.totals.largest_energy - o.totals.start_energy; }}};
  return table;
}

}  // namespace holo
