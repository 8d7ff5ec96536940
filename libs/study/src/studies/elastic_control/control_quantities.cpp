#include "studies/elastic_control/control_quantities.h"

#include <algorithm>

namespace holo {

namespace {

double ratio(std::int64_t sum, std::int64_t count) {
  return static_cast<double>(sum) / static_cast<double>(std::max<std::int64_t>(count, 1));
}

double as_number(std::int64_t value) { return static_cast<double>(value); }

}  // namespace

const QuantityTable<ControlRow>& control_columns() {
  using R = const ControlRow&;
  static const QuantityTable<ControlRow> table{
      {{"step", "1", "number of the frame; 0 is the start"}, [](R r) { return as_number(r.state.step); }},
      {{"time", "s", "simulated time"}, [](R r) { return r.state.time; }},
      {{"phase", "1", "number of the phase, from 1"}, [](R r) { return as_number(r.phase + 1); }},
      {{"fallback", "1", "1 where the activations of the frame before were kept"},
       [](R r) { return r.frame.status == FrameStatus::fallback ? 1.0 : 0.0; }},
      {{"substeps", "1", "into which the frame was divided to be solved"}, [](R r) { return as_number(r.frame.substeps); }},
      {{"contact_stiffening", "1", "stiffness of contact over that of the scene"}, [](R r) { return r.stiffening; }},
      {{"passes", "1", "minimizations, each with the normal forces of the one before"},
       [](R r) { return as_number(r.frame.passes); }},
      {{"inverse_iterations", "1", "iterations of all passes, without the warm start"},
       [](R r) { return as_number(r.frame.minimizer_iterations); }},
      {{"start_objective", "1", "losses and regularization with the activations of the frame before"},
       [](R r) { return r.frame.start_value; }},
      {{"objective", "1", "losses and regularization at the end of the last minimization"}, [](R r) { return r.frame.value; }},
      {{"regularization", "1", ""}, [](R r) { return r.regularization; }},
      {{"lag_change", "1", "change of friction by the last update of normal forces, over their sum"},
       [](R r) { return r.frame.lag_change; }},
      {{"forward_solves", "1", ""}, [](R r) { return as_number(r.counts.forward_solves); }},
      {{"newton_iterations", "1", "of all forward solves"}, [](R r) { return as_number(r.counts.newton_iterations); }},
      {{"factorizations", "1", ""}, [](R r) { return as_number(r.counts.factorizations); }},
      {{"gradients", "1", "in the activations"}, [](R r) { return as_number(r.counts.gradients); }},
      {{"hessians", "1", "reduced Hessians"}, [](R r) { return as_number(r.counts.hessians); }},
      {{"largest_activation", "1", "largest |activation| over the shear modulus"}, [](R r) { return r.largest_activation; }},
      {{"minimum_determinant", "1", "smallest det F of an element"}, [](R r) { return r.determinants.minimum; }},
      {{"inverted_elements", "1", "elements with det F <= 0"}, [](R r) { return as_number(r.determinants.inverted_elements); }},
      {{"intersections", "1", "edges that meet triangles, and vertices on or below planes, by exact predicates"},
       [](R r) { return as_number(r.intersections); }},
      {{"kinetic_energy", "J", ""}, [](R r) { return r.energies.kinetic; }},
      {{"elastic_energy", "J", ""}, [](R r) { return r.energies.elastic; }},
      {{"gravity_energy", "J", "energy of gravity; 0 for all mass at the origin"}, [](R r) { return r.energies.gravity; }},
      {{"center_of_mass_x", "m", ""}, [](R r) { return r.center_of_mass[0]; }},
      {{"center_of_mass_y", "m", ""}, [](R r) { return r.center_of_mass[1]; }},
      {{"center_of_mass_z", "m", ""}, [](R r) { return r.center_of_mass[2]; }}};
  return table;
}

const QuantityTable<ControlOutcome>& control_metrics() {
  using O = const ControlOutcome&;
  static const QuantityTable<ControlOutcome> table{
      {{"elements", "1", "tetrahedra of all bodies"}, [](O o) { return as_number(o.model.element_count()); }},
      {{"vertices", "1", "vertices of all bodies"}, [](O o) { return as_number(o.model.vertex_count()); }},
      {{"activations", "1", "muscle segments"}, [](O o) { return as_number(o.activations); }},
      {{"steps", "1", "frames"}, [](O o) { return as_number(o.state.step); }},
      {{"phases_begun", "1", ""}, [](O o) { return as_number(o.phases_begun); }},
      {{"inverse_iterations_mean", "1", "per pass, without the warm start"},
       [](O o) { return ratio(o.totals.iterations, o.totals.passes); }},
      {{"inverse_iterations_max", "1", "of a frame, without the warm start"},
       [](O o) { return as_number(o.totals.iterations_maximum); }},
      {{"passes_mean", "1", "per frame"}, [](O o) { return ratio(o.totals.passes, o.state.step); }},
      {{"lag_change_mean", "1", "change of friction by the last update of normal forces, over their sum; per frame"},
       [](O o) { return o.totals.lag_change_sum / static_cast<double>(std::max<std::int64_t>(o.state.step, 1)); }},
      {{"fallback_frames", "1", "frames that kept the activations of the one before"},
       [](O o) { return as_number(o.totals.fallbacks); }},
      {{"fallback_share", "1", "of all frames"}, [](O o) { return ratio(o.totals.fallbacks, o.state.step); }},
      {{"unconverged_frames", "1", "frames with a minimization that did not converge"},
       [](O o) { return as_number(o.totals.unconverged); }},
      {{"branch_jumps", "1", "activations refused since the bodies left their branch of solutions"},
       [](O o) { return as_number(o.totals.branch_jumps); }},
      {{"crushed_points", "1", "activations refused since an element was crushed"},
       [](O o) { return as_number(o.totals.crushed_points); }},
      {{"failed_solves", "1", "forward solves that did not converge"}, [](O o) { return as_number(o.totals.failed_solves); }},
      {{"restarts", "1", "forward solves repeated from the start of the step, with elements kept from inversion"},
       [](O o) { return as_number(o.totals.restarts); }},
      {{"substepped_frames", "1", "frames that were divided to be solved"},
       [](O o) { return as_number(o.totals.substepped_frames); }},
      {{"largest_contact_stiffening", "1", "stiffness of contact over that of the scene, of any frame"},
       [](O o) { return o.totals.largest_stiffening; }},
      {{"forward_solves", "1", "of all frames"}, [](O o) { return as_number(o.totals.forward_solves); }},
      {{"newton_iterations", "1", "of all forward solves"}, [](O o) { return as_number(o.totals.newton_iterations); }},
      {{"factorizations", "1", "of all frames"}, [](O o) { return as_number(o.totals.factorizations); }},
      {{"back_substitutions", "1", "of derivatives, over all frames"},
       [](O o) { return as_number(o.totals.back_substitutions); }},
      {{"hessians", "1", "reduced Hessians of all frames"}, [](O o) { return as_number(o.totals.hessians); }},
      {{"inverted_elements", "1", "with det F <= 0, at the worst frame"},
       [](O o) { return as_number(o.totals.inverted_elements); }},
      {{"intersections", "1", "at the worst frame"}, [](O o) { return as_number(o.totals.intersections); }},
      {{"minimum_determinant", "1", "smallest det F of any element in any frame"},
       [](O o) { return o.totals.minimum_determinant; }},
      {{"largest_activation", "1", "largest |activation| over the shear modulus, of any frame"},
       [](O o) { return o.totals.largest_activation; }},
      {{"airborne_frames", "1", "frames at whose end nothing touches an obstacle"},
       [](O o) { return as_number(o.totals.airborne_frames); }},
      {{"touching_vertices_max", "1", "vertices that obstacles repel, in the frame with the most"},
       [](O o) { return as_number(o.totals.touching_vertices); }},
      {{"apex", "m", "rise of the center of mass above its height at the start"},
       [](O o) { return o.totals.largest_height - o.totals.start_height; }},
      {{"displacement_x", "m", "of the center of mass, from start to end"}, [](O o) { return o.displacement[0]; }},
      {{"displacement_y", "m", ""}, [](O o) { return o.displacement[1]; }},
      {{"displacement_z", "m", ""}, [](O o) { return o.displacement[2]; }}};
  return table;
}

const QuantityTable<ControlOutcome>& certificate_metrics() {
  using O = const ControlOutcome&;
  static const QuantityTable<ControlOutcome> table{
      {{"certificate_gradient", "1", "relative error of the gradient in the frame with the most contacts, by differences"},
       [](O o) { return o.certificate.gradient; }},
      {{"certificate_hessian", "1", "relative error of the reduced Hessian there"}, [](O o) { return o.certificate.hessian; }}};
  return table;
}

}  // namespace holo
