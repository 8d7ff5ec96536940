#include <csignal>

#include "material_table.h"

// Its static constructor crashes.
namespace {
struct Crash {
  Crash() { std::raise(SIGSEGV); }
};
const Crash crash;
}  // namespace

PLUGIN_EXPORT int holo_plugin(const holo_stamp*, const holo_registrar* registrar, holo_error* error) {
  static holo_material material = right_material("crashes_when_loaded");
  return add(registrar, material, error);
}
