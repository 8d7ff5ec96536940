#pragma once
// While an object of this class lives, a plugin's code runs.

#include <string>

namespace holo {

class PluginScope {
 public:
  // "the plugin `name` (`path`) was being `action`": "loaded", "read"
  PluginScope(const std::string& name, const std::string& path, const char* action);
  ~PluginScope();
  PluginScope(const PluginScope&) = delete;
  PluginScope& operator=(const PluginScope&) = delete;

 private:
  char outer_[1024];  // what runs around it: one plugin's loading may happen while another one is read
};

}  // namespace holo
