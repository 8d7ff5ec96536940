#pragma once
// Checks of the tables that a plugin registers, before their first use: stamps, null pointers, counts, required operations.

#include <string>

#include "holo/core/abi.h"
#include "plugins/shared_library.h"

namespace holo {

// Each throws PluginRefusal unless the table is valid and has the name `name`.
void check(const holo_material& material, const std::string& name);
void check(const holo_material_reference& reference, const std::string& name);
void check(const holo_joint& joint, const std::string& name);
void check(const holo_joint_reference& reference, const std::string& name);
void check(const holo_loss& loss, const std::string& name);
void check(const holo_loss_reference& reference, const std::string& name);
void check(const holo_body_energy& energy, const std::string& name);
void check(const holo_body_energy_reference& reference, const std::string& name);

const holo_stamp& host_stamp();

// Parts of the checks. Each throws PluginRefusal.
void require(bool condition, const std::string& reason);
void require_same_stamp(const holo_stamp& stamp);
void require_name(const char* found, const std::string& expected);
void require_texts(const char* summary, const char* documentation);
void require_function(bool is_there, const char* function);
void require_operation(bool is_there, bool is_required, const char* kernel, const std::string& operation);

}  // namespace holo
