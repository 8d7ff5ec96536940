#pragma once
// Base classes of the kinds of plugins (MaterialPlugin, JointPlugin, LossPlugin, BodyEnergyPlugin) and of their references.
//
// A kind is a class derived from Plugin with two names, `kind` in the singular and `plural`. The list of kinds in
// plugins/plugin_kinds.h has an entry for it.

#include <filesystem>
#include <memory>
#include <string>
#include <utility>

#include "holo/core/abi.h"

namespace holo {

class SharedLibrary;

// The content_hash (holo/core/runs/run_folder.h) of the library's file, for provenance. Throws Error(input) if it cannot be
// read.
std::string content_hash_of_library(const std::filesystem::path& path);

// The second library NAME.reference.so of a plugin, with operations in 100 digits. `ReferenceTable` is the ABI's struct that it
// registers (holo_material_reference, ...). The object keeps the library loaded.
template <class ReferenceTable>
class PluginReference {
 public:
  PluginReference(std::shared_ptr<SharedLibrary> library, const ReferenceTable* table)
      : library_(std::move(library)), table_(table) {}

  const ReferenceTable& abi() const { return *table_; }  // valid as long as this object

 private:
  std::shared_ptr<SharedLibrary> library_;
  const ReferenceTable* table_;
};

// A plugin's library NAME.so. `PluginTable` is the ABI's struct that it registers (holo_material, ...). Immutable; several
// threads may use it. The object keeps the library loaded.
template <class PluginTable, class PluginReferenceTable>
class Plugin {
 public:
  using Table = PluginTable;
  using ReferenceTable = PluginReferenceTable;
  using Reference = PluginReference<ReferenceTable>;

  Plugin(std::shared_ptr<SharedLibrary> library, const Table* table, std::filesystem::path path)
      : library_(std::move(library)), table_(table), path_(std::move(path)) {}

  const Table& abi() const { return *table_; }                 // valid as long as this object
  std::string name() const { return table_->name; }            // "neo_hookean"
  std::string summary() const { return table_->summary; }      // one line, for `holo list`
  const std::filesystem::path& path() const { return path_; }  // of the library's file
  std::string content_hash() const { return content_hash_of_library(path_); }

 private:
  std::shared_ptr<SharedLibrary> library_;
  const Table* table_;
  std::filesystem::path path_;
};

}  // namespace holo
