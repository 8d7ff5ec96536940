#pragma once
// The kinds of plugins. A new kind is a class derived from Plugin in this list, its tables in the ABI with their functions in
// holo_registrar, and the checks of these tables (plugins/plugin_tables.h).

#include <array>
#include <cstddef>
#include <string>
#include <variant>

#include "holo/core/plugins/body_energy_plugin.h"
#include "holo/core/plugins/joint_plugin.h"
#include "holo/core/plugins/loss_plugin.h"
#include "holo/core/plugins/material_plugin.h"

namespace holo {

template <class... Kind>
struct KindList {
  // The table of a library: one of the kinds' tables.
  using Table = std::variant<const typename Kind::Table*...>;
  using ReferenceTable = std::variant<const typename Kind::ReferenceTable*...>;
  static constexpr std::array<const char*, sizeof...(Kind)> names = {Kind::kind...}, plurals = {Kind::plural...};
};

// In the order of holo_registrar.
using PluginKinds = KindList<MaterialPlugin, JointPlugin, LossPlugin, BodyEnergyPlugin>;
using PluginTable = PluginKinds::Table;
using ReferenceTable = PluginKinds::ReferenceTable;

// The index of the kind called `name`, which must exist.
inline std::size_t number_of_kind(const std::string& name) {
  std::size_t number = 0;
  while (PluginKinds::names[number] != name) ++number;
  return number;
}

}  // namespace holo
