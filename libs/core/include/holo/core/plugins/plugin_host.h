#pragma once
// Finds, loads and checks plugins. A plugin is the shared library NAME.so in a folder of the search path; it is loaded when it
// is asked for, with local symbols, and stays loaded while any object made from it lives.

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "holo/core/abi.h"
#include "holo/core/error.h"
#include "holo/core/plugins/material_plugin.h"

namespace holo {

class JointPlugin;
class JointReference;
class LossPlugin;
class LossReference;

struct PluginProblem {
  std::filesystem::path path;
  std::string reason;
};

class PluginHost {
 public:
  // `search_path`: folders, first match wins. Those of HOLO_PLUGIN_PATH and the build's or installation's own come after it.
  explicit PluginHost(std::vector<std::filesystem::path> search_path = {});

  const std::vector<std::filesystem::path>& search_path() const { return search_path_; }

  // Throws Error(input) with the search path and the nearest name when there is none; with what it is when it is of another
  // kind
  // ("'stvk' is a material, not a joint"); and with the library's path and the reason when it is refused: not a shared library,
  // no entry, another stamp (both are printed), a required operation missing, an exception inside, a name that is not the
  // file's. joint_plugin.h and loss_plugin.h declare what comes back.
  std::shared_ptr<const MaterialPlugin> material(const std::string& name) const;
  std::shared_ptr<const MaterialReference> material_reference(const std::string& name) const;
  std::shared_ptr<const JointPlugin> joint(const std::string& name) const;
  std::shared_ptr<const JointReference> joint_reference(const std::string& name) const;
  std::shared_ptr<const LossPlugin> loss(const std::string& name) const;
  std::shared_ptr<const LossReference> loss_reference(const std::string& name) const;

  // Names of the plugins of a kind on the path, sorted. Those that were refused, of whatever kind they would have been, go to
  // `problems` when it is given.
  std::vector<std::string> materials(std::vector<PluginProblem>* problems = nullptr) const;
  std::vector<std::string> joints(std::vector<PluginProblem>* problems = nullptr) const;
  std::vector<std::string> losses(std::vector<PluginProblem>* problems = nullptr) const;

 private:
  std::vector<std::filesystem::path> search_path_;
};

std::string to_string(const holo_stamp& stamp);  // "ABI 1, 8 lanes, 10 material, 7 joint and 5 loss operations, ..."

}  // namespace holo
