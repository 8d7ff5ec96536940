#include "material_table.h"

// The reference table of right_material, of the right shape.
namespace {
double energy(const double*, const double*) { return 7.5; }
void two(const double*, const double*, double*) {}
void three(const double*, const double*, const double*, double*) {}
void four(const double*, const double*, const double*, const double*, double*) {}
void five(const double*, const double*, const double*, const double*, const double*, double*) {}
uint32_t one_sided(const double*, const double*, uint32_t, uint32_t, double*) { return 0; }
}  // namespace

PLUGIN_EXPORT int holo_plugin(const holo_stamp*, const holo_registrar* registrar, holo_error* error) {
  static const holo_material_reference reference = {HOLO_STAMP,
                                                    "right_material",
                                                    coefficient_count,
                                                    energy,
                                                    two,
                                                    two,
                                                    three,
                                                    four,
                                                    five,
                                                    two,
                                                    two,
                                                    one_sided,
                                                    two,
                                                    two,
                                                    two,
                                                    two,
                                                    two,
                                                    two,
                                                    two,
                                                    two};
  return registrar->add_material_reference(registrar->self, &reference, error);
}
