#pragma once
// Marks the time during which a plugin's code runs, for the messages of plugin_faults.h.

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
  char outer_[1024];  // text of the enclosing scope: a plugin may be loaded while another one is read
};

}  // namespace holo
