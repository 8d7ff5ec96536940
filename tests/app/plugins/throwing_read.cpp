// Its `read` fails in the author's code; nothing thrown crosses the border, so it comes as an error.
#include <stdexcept>

#include "raw_material.h"

namespace {

int read(const holo_parameter_reader*, double*, double*, holo_error*) { throw std::runtime_error("no rubber today"); }

}  // namespace

HOLO_TEST_EXPORT int holo_plugin(const holo_stamp*, const holo_registrar* registrar, holo_error* error) {
  static holo_material material = raw::material("throwing_read", read);
  return registrar->add_material(registrar->self, &material, error);
}
