#include "loss_table.h"
#include "material_table.h"

// Lacks a required function.
PLUGIN_EXPORT int holo_plugin(const holo_stamp*, const holo_registrar* registrar, holo_error* error) {
  static holo_loss loss = right_loss("loss_missing_run");
  loss.run = nullptr;
  return registrar->add_loss(registrar->self, &loss, error);
}
