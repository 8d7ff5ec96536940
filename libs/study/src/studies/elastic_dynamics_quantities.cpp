#include "studies/elastic_dynamics_quantities.h"

#include <algorithm>

namespace holo {

namespace {

double energy_evaluations(const NewtonResult& newton) {
  int evaluations = 0;
  for (const NewtonIteration& iteration : newton.iterations) evaluations += iteration.energy_evaluations;
  return static_cast<double>(evaluations);
}

double steps_of(const ElasticOutcome& of) { return static_cast<double>(std::max<std::int64_t>(of.state.step, 1)); }

// Relative to the largest energy that the bodies had, which is 0 only where nothing moved.
double energy_drift(const ElasticTotals& totals) {
  double drift = totals.energies.total() - totals.start_energy;
  if (totals.largest_energy > 0) drift /= totals.largest_energy;
  return drift;
}

double number(std::int64_t value) { return static_cast<double>(value); }

}  // namespace

double maximum_speed(const Eigen::VectorXd& velocities) {
  double result = 0;
  for (Eigen::Index i = 0; i < velocities.size(); i += 3) result = std::max(result, velocities.segment<3>(i).norm());
  return result;
}

const QuantityTable<ElasticRow>& elastic_columns() {
  using R = const ElasticRow&;
  static const QuantityTable<ElasticRow> table{
      {{"step", "1", "number of the step; 0 is the start"}, [](R r) { return number(r.state.step); }},
      {{"time", "s", "simulated time"}, [](R r) { return r.state.time; }},
      {{"newton_iterations", "1", "iterations of the step's minimizer"},
       [](R r) { return static_cast<double>(r.result.newton.iterations.size()); }},
      {{"factorizations", "1", "factorizations of the step, those for its starting point included"},
       [](R r) { return number(r.result.newton.factorizations + r.result.start_factorizations); }},
      {{"back_substitutions", "1", "solves with these factorizations"},
       [](R r) { return number(r.result.newton.back_substitutions + r.result.start_factorizations); }},
      {{"energy_evaluations", "1", "energy evaluations of the line search"},
       [](R r) { return energy_evaluations(r.result.newton); }},
      {{"products", "1", "products of the Hessian with a vector, by newton_pcg"},
       [](R r) { return static_cast<double>(r.result.newton.products); }},
      {{"residual", "N", "Euclidean norm of the potential's gradient at free vertices, at the end of the step"},
       [](R r) { return r.result.residual; }},
      {{"kinetic_energy", "J", ""}, [](R r) { return r.result.energies.kinetic; }},
      {{"elastic_energy", "J", ""}, [](R r) { return r.result.energies.elastic; }},
      {{"gravity_energy", "J", "energy of gravity; 0 for all mass at the origin"},
       [](R r) { return r.result.energies.gravity; }},
      {{"total_energy", "J", "of motion, materials, gravity and bodies' energies"},
       [](R r) { return r.result.energies.total(); }},
      {{"minimum_determinant", "1", "smallest det F at a quadrature point"}, [](R r) { return r.result.minimum_determinant; }},
      {{"inverted_elements", "1", "elements with det F <= 0"}, [](R r) { return number(r.result.inverted_elements); }},
      {{"intersections", "1",
        "edges that meet triangles of the same or another body or an obstacle, and vertices below planes: exact"},
       [](R r) { return number(r.intersections); }},
      {{"projected_elements", "1",
        "elements whose Hessian was projected, in the step's worst assembly; 0 where exact Hessians sufficed"},
       [](R r) { return number(r.result.projected_elements); }},
      {{"singular_elements", "1", "elements without finite derivatives, over the step's assemblies"},
       [](R r) { return number(r.result.singular.total()); }},
      {{"nondifferentiable_elements", "1", "singular elements at a kink of the energy"},
       [](R r) { return number(r.result.singular.nondifferentiable); }},
      {{"maximum_speed", "m/s", "of a vertex"}, [](R r) { return maximum_speed(r.state.velocities); }},
      {{"center_of_mass_x", "m", ""}, [](R r) { return r.center_of_mass[0]; }},
      {{"center_of_mass_y", "m", ""}, [](R r) { return r.center_of_mass[1]; }},
      {{"center_of_mass_z", "m", ""}, [](R r) { return r.center_of_mass[2]; }}};
  return table;
}

const QuantityTable<ElasticOutcome>& elastic_metrics() {
  using O = const ElasticOutcome&;
  static const QuantityTable<ElasticOutcome> table{
      {{"elements", "1", "tetrahedra of all bodies"}, [](O o) { return number(o.model.element_count()); }},
      {{"vertices", "1", "vertices of all bodies"}, [](O o) { return number(o.model.vertex_count()); }},
      {{"steps", "1", "time steps"}, [](O o) { return number(o.state.step); }},
      {{"newton_iterations_mean", "1", "per step"}, [](O o) { return number(o.totals.newton_iterations) / steps_of(o); }},
      {{"newton_iterations_max", "1", "of a step"}, [](O o) { return number(o.totals.newton_iterations_maximum); }},
      {{"newton_iterations_total", "1", "of all steps"}, [](O o) { return number(o.totals.newton_iterations); }},
      {{"factorizations", "1", "of all steps"}, [](O o) { return number(o.totals.factorizations); }},
      {{"back_substitutions", "1", "of all steps"}, [](O o) { return number(o.totals.back_substitutions); }},
      {{"energy_evaluations", "1", "by the line searches of all steps"},
       [](O o) { return number(o.totals.energy_evaluations); }},
      {{"products", "1", "products of the Hessian with a vector, by newton_pcg in all steps"},
       [](O o) { return number(o.totals.products); }},
      {{"residual_max", "N", "largest norm of the potential's gradient at the end of a step"},
       [](O o) { return o.totals.largest_residual; }},
      {{"inverted_elements", "1", "with det F <= 0, at the worst step"},
       [](O o) { return number(o.totals.inverted_elements); }},
      {{"intersections", "1", "of surfaces with each other, themselves or obstacles, at the worst step"},
       [](O o) { return number(o.totals.intersections); }},
      {{"projected_elements_max", "1", "elements whose Hessian was projected, at the worst step"},
       [](O o) { return number(o.totals.projected_elements); }},
      {{"singular_elements", "1", "elements without finite derivatives, over all assemblies"},
       [](O o) { return number(o.totals.singular.total()); }},
      {{"nondifferentiable_elements", "1", "singular elements at a kink of the energy"},
       [](O o) { return number(o.totals.singular.nondifferentiable); }},
      {{"minimum_determinant", "1", "smallest det F of any element at any step"},
       [](O o) { return o.totals.minimum_determinant; }},
      {{"maximum_speed", "m/s", "of any vertex at any step"}, [](O o) { return o.totals.maximum_speed; }},
      {{"kinetic_energy", "J", "at the end"}, [](O o) { return o.totals.energies.kinetic; }},
      {{"elastic_energy", "J", "at the end"}, [](O o) { return o.totals.energies.elastic; }},
      {{"gravity_energy", "J", "at the end"}, [](O o) { return o.totals.energies.gravity; }},
      {{"total_energy", "J", "at the end"}, [](O o) { return o.totals.energies.total(); }},
      {{"energy_drift", "1", "total energy at the end less that at the start, over the largest kinetic plus elastic energy"},
       [](O o) { return energy_drift(o.totals); }}};
  return table;
}

}  // namespace holo
