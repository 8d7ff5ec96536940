#pragma once
// What plugins of all kinds have in common: the base classes of MaterialPlugin, JointPlugin, LossPlugin and of their
// references.
//
// A kind is a class derived from Plugin that names itself: `kind` for one of them and `plural` for several. It stands in the
// list of kinds of plugins/plugin_kinds.h.

#include <filesystem>
#include <memory>
#include <string>
#include <utility>

#include "holo/core/abi.h"

namespace holo {

class SharedLibrary;

// Hash of the library file's content, for provenance.
std::string content_hash_of_library(const std::filesystem::path& path);

// `ReferenceTable` is what NAME.reference.so, beside the plugin, registers: operations with 100 digits.
template <class ReferenceTable>
class PluginReference {
 public:
  PluginReference(std::shared_ptr<SharedLibrary> library, const ReferenceTable* table)
      : library_(std::move(library)), table_(table) {}

  const ReferenceTable& abi() const { return *table_; }

 private:
  std::shared_ptr<SharedLibrary> library_;
  const ReferenceTable* table_;
};

// `PluginTable` is what NAME.so registers. Immutable, shared between threads; keeps the library loaded.
template <class PluginTable, class PluginReferenceTable>
class Plugin {
 public:
  using Table = PluginTable;
  using ReferenceTable = PluginReferenceTable;
  using Reference = PluginReference<ReferenceTable>;

  Plugin(std::shared_ptr<SharedLibrary> library, const Table* table, std::filesystem::path path)
      : library_(std::move(library)), table_(table), path_(std::move(path)) {}

  const Table& abi() const { return *table_; }
  std::string name() const { return table_->name; }
  std::string summary() const { return table_->summary; }
  const std::filesystem::path& path() const { return path_; }
  std::string content_hash() const { return content_hash_of_library(path_); }

 private:
  std::shared_ptr<SharedLibrary> library_;
  const Table* table_;
  std::filesystem::path path_;
};

}  // namespace holo
