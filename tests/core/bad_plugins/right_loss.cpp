#include "loss_table.h"
#include "material_table.h"

// Nothing is wrong here.
PLUGIN_EXPORT int holo_plugin(const holo_stamp*, const holo_registrar* registrar, holo_error* error) {
  static const holo_loss loss = right_loss("right_loss");
  return registrar->add_loss(registrar->self, &loss, error);
}
