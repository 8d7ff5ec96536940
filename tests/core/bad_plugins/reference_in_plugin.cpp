#include "material_table.h"

// Registers a reference table in the plugin itself.
PLUGIN_EXPORT int holo_plugin(const holo_stamp*, const holo_registrar* registrar, holo_error* error) {
  static holo_material_reference reference = {};
  reference.stamp = HOLO_STAMP;
  reference.name = "reference_in_plugin";
  reference.energy = [](const double*, const double*) { return 0.0; };
  reference.stress = reference.hessian = [](const double*, const double*, double*) {};
  reference.directional_hessian = [](const double*, const double*, const double*, double*) {};
  reference.third_order_contraction = [](const double*, const double*, const double*, const double*, double*) {};
  reference.fourth_order_contraction = [](const double*, const double*, const double*, const double*, const double*, double*) {
  };
  reference.one_sided = [](const double*, const double*, uint32_t, uint32_t, double*) { return uint32_t{0}; };
  return registrar->add_material_reference(registrar->self, &reference, error);
}
