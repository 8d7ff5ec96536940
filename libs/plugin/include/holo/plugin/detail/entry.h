#pragma once
// What every plugin's entry does first: compare stamps, and turn exceptions into the ABI's error.

#include <cstddef>
#include <cstdio>
#include <cstring>
#include <exception>
#include <string>

#include "holo/core/abi.h"

#define HOLO_EXPORT __attribute__((visibility("default")))

namespace holo::plugin {

inline int fail(holo_error* error, const std::string& message) {
  if (error != nullptr && error->size > offsetof(holo_error, message)) {
    const std::size_t room = error->size - offsetof(holo_error, message);
    std::snprintf(error->message, room < sizeof(error->message) ? room : sizeof(error->message), "%s", message.c_str());
  }
  return 1;
}

// Runs the function, which returns 0 or fails; no exception leaves.
template <class Function>
int guarded(holo_error* error, const char* what, Function&& function) noexcept {
  try {
    return function();
  } catch (const std::exception& exception) {
    return fail(error, std::string(what) + ": " + exception.what());
  } catch (...) {
    return fail(error, std::string(what) + ": an exception of an unknown type");
  }
}

inline std::string describe(const holo_stamp& stamp) {
  std::string text = "ABI ";
  text += std::to_string(stamp.abi_version);
  if (stamp.size != sizeof(holo_stamp)) return text.append(", stamp of ").append(std::to_string(stamp.size)).append(" bytes");
  text.append(", ").append(std::to_string(stamp.lane_width)).append(" lanes, ");
  text.append(std::to_string(stamp.material_operation_count)).append(" material, ");
  text.append(std::to_string(stamp.joint_operation_count)).append(" joint and ");
  text.append(std::to_string(stamp.loss_operation_count)).append(" loss operations, structs of");
  for (std::uint32_t size :
       {stamp.size, stamp.material_size, stamp.reference_size, stamp.batch_size, stamp.joint_size, stamp.joint_reference_size,
        stamp.joint_batch_size, stamp.loss_size, stamp.loss_reference_size, stamp.loss_batch_size, stamp.loss_description_size,
        stamp.parameter_size, stamp.reader_size, stamp.registrar_size})
    text.append(" ").append(std::to_string(size));
  return text.append(" bytes");
}

inline bool same_stamp(const holo_stamp* host, holo_error* error) {
  const holo_stamp own = HOLO_STAMP;
  if (host->size == own.size && std::memcmp(host, &own, sizeof(own)) == 0) return true;
  fail(error, "this plugin was compiled against another Holomorph or for another instruction set. Plugin: " + describe(own) +
                  ". Host: " + describe(*host) + ". Compile the plugin again with the host's package and flags.");
  return false;
}

}  // namespace holo::plugin
