#include "plugins/plugin_tables.h"

namespace holo {

void check(const holo_body_energy& energy, const std::string& name) {
  require_same_stamp(energy.stamp);
  require_name(energy.name, name);
  require_texts(energy.summary, energy.documentation);
  require_function(energy.create != nullptr, "create");
  require_function(energy.destroy != nullptr, "destroy");
  require_function(energy.describe != nullptr, "describe");
  require_function(energy.quantities != nullptr, "quantities");
  require_function(energy.run != nullptr, "run");
}

void check(const holo_body_energy_reference& reference, const std::string& name) {
  require_same_stamp(reference.stamp);
  require_name(reference.name, name);
  require(reference.create != nullptr && reference.destroy != nullptr && reference.describe != nullptr &&
              reference.quantities != nullptr && reference.run != nullptr,
          "a required function of its reference table is missing");
}

}  // namespace holo
