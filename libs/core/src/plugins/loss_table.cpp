#include "plugins/plugin_tables.h"

namespace holo {

void check(const holo_loss& loss, const std::string& name) {
  require_same_stamp(loss.stamp);
  require_name(loss.name, name);
  require_texts(loss.summary, loss.documentation);
  require_function(loss.create != nullptr, "create");
  require_function(loss.destroy != nullptr, "destroy");
  require_function(loss.describe != nullptr, "describe");
  require_function(loss.run != nullptr, "run");
}

void check(const holo_loss_reference& reference, const std::string& name) {
  require_same_stamp(reference.stamp);
  require_name(reference.name, name);
  require(
      reference.create != nullptr && reference.destroy != nullptr && reference.describe != nullptr && reference.run != nullptr,
      "a required function of its reference table is missing");
}

}  // namespace holo
