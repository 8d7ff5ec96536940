#pragma once
// The common part of every plugin's entry function: the comparison of stamps, and exceptions as errors of the ABI.

#include <cstddef>
#include <cstdio>
#include <cstring>
#include <exception>
#include <string>

#include "holo/core/abi.h"

#define HOLO_EXPORT __attribute__((visibility("default")))

namespace holo::plugin {

// Writes the message, cut to the size of the error. Returns 1.
inline int fail(holo_error* error, const std::string& message) {
  if (error != nullptr && error->size > offsetof(holo_error, message)) {
    const std::size_t room = error->size - offsetof(holo_error, message);
    std::snprintf(error->message, room < sizeof(error->message) ? room : sizeof(error->message), "%s", message.c_str());
  }
  return 1;
}

// Returns what the function returns. An exception becomes the error "WHAT: message", and the result 1.
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

// Every plugin compiles this text: concatenated strings would take ten times as long to compile.
inline std::string describe(const holo_stamp& stamp) {
  char text[640];
  if (stamp.size != sizeof(holo_stamp)) {
    std::snprintf(text, sizeof text, "ABI %u, stamp of %u bytes", stamp.abi_version, stamp.size);
    return text;
  }
  int end = std::snprintf(text, sizeof text,
                          "ABI %u, %u lanes, %u material, %u joint, %u loss and %u body energy operations, structs of",
                          stamp.abi_version, stamp.lane_width, stamp.material_operation_count, stamp.joint_operation_count,
                          stamp.loss_operation_count, stamp.body_energy_operation_count);
  for (const std::uint32_t size :
       {stamp.size, stamp.material_size, stamp.reference_size, stamp.batch_size, stamp.joint_size, stamp.joint_reference_size,
        stamp.joint_batch_size, stamp.loss_size, stamp.loss_reference_size, stamp.loss_batch_size, stamp.loss_description_size,
        stamp.body_energy_size, stamp.body_energy_reference_size, stamp.body_energy_batch_size,
        stamp.body_energy_description_size, stamp.parameter_size, stamp.reader_size, stamp.registrar_size})
    end += std::snprintf(text + end, sizeof text - std::size_t(end), " %u", size);
  std::snprintf(text + end, sizeof text - std::size_t(end), " bytes");
  return text;
}

// Whether the host was compiled with the same ABI; if not, the error states both stamps.
inline bool same_stamp(const holo_stamp* host, holo_error* error) {
  const holo_stamp own = HOLO_STAMP;
  if (host->size == own.size && std::memcmp(host, &own, sizeof(own)) == 0) return true;
  char text[sizeof error->message];
  std::snprintf(
      text, sizeof text,
      "this plugin was compiled against another Holomorph or for another instruction set. Plugin: %s. Host: %s. Compile "
      "the plugin again with the host's package and flags.",
      describe(own).c_str(), describe(*host).c_str());
  fail(error, text);
  return false;
}

}  // namespace holo::plugin
