#include "plugins/plugin_tables.h"

#include <cstring>

#include "holo/core/plugins/plugin_host.h"

namespace holo {

const holo_stamp& host_stamp() {
  static constexpr holo_stamp stamp = HOLO_STAMP;
  return stamp;
}

void require(bool condition, const std::string& reason) {
  if (!condition) throw PluginRefusal{reason};
}

// Reads no more of a stamp than its own size says.
void require_same_stamp(const holo_stamp& stamp) {
  const holo_stamp& own = host_stamp();
  if (stamp.size == own.size) {
    require(std::memcmp(&stamp, &own, sizeof stamp) == 0, "it was built for another interface: it has " + to_string(stamp) +
                                                              "; this program has " + to_string(own) +
                                                              ". Build it anew against this program's headers and flags");
    return;
  }
  throw PluginRefusal{"it was built for another interface: its stamp has " + std::to_string(stamp.size) +
                      " bytes, this program's " + std::to_string(own.size) + " (" + to_string(own) +
                      "). Build it anew against this program's headers"};
}

void require_name(const char* found, const std::string& expected) {
  require(found != nullptr, "what it registers has no name (a null pointer)");
  require(found == expected, "it registers '" + std::string(found, strnlen(found, 200)) + "', but its file is called '" +
                                 expected + "': the two must be equal");
}

void require_texts(const char* summary, const char* documentation) {
  require(summary != nullptr && documentation != nullptr,
          "its summary or documentation is a null pointer; it may be empty text");
}

void require_function(bool is_there, const char* function) {
  require(is_there, "the required function '" + std::string(function) + "' is missing");
}

void require_operation(bool is_there, bool is_required, const char* kernel, const std::string& operation) {
  require(is_there || !is_required, "the required operation '" + operation + "' is missing");
  require(!is_there || kernel != nullptr,
          "the operation '" + operation + "' does not say what runs: its kernel is a null pointer");
}

std::string to_string(const holo_stamp& stamp) {
  std::string sizes;
  for (const std::uint32_t size :
       {stamp.material_size, stamp.reference_size, stamp.batch_size, stamp.joint_size, stamp.joint_reference_size,
        stamp.joint_batch_size, stamp.loss_size, stamp.loss_reference_size, stamp.loss_batch_size, stamp.loss_description_size,
        stamp.body_energy_size, stamp.body_energy_reference_size, stamp.body_energy_batch_size,
        stamp.body_energy_description_size, stamp.parameter_size, stamp.reader_size, stamp.registrar_size})
    sizes += (sizes.empty() ? "" : "/") + std::to_string(size);
  return "ABI " + std::to_string(stamp.abi_version) + ", " + std::to_string(stamp.lane_width) + " lanes, " +
         std::to_string(stamp.material_operation_count) + " material, " + std::to_string(stamp.joint_operation_count) +
         " joint, " + std::to_string(stamp.loss_operation_count) + " loss and " +
         std::to_string(stamp.body_energy_operation_count) + " body energy operations, structs of " + sizes + " bytes";
}

}  // namespace holo
