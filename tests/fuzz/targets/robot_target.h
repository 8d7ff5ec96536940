#pragma once
// What the targets of robots' files and of experiments share.

#include "fuzz/target.h"
#include "holo/core/plugins/plugin_host.h"
#include "holo/sim/articulated/robot_reader.h"
#include "holo/sim/mechanism/model/mechanism_files.h"

namespace holo::fuzz {

inline const PluginHost& plugins() {
  static const PluginHost host({HOLO_BINARY_DIR "/plugins"});
  return host;
}

// As an articulated model, and as a mechanism, with its loops open or closed.
inline void read_robot_file(const std::filesystem::path& path, const std::filesystem::path& loop_file = {}) {
  read_articulated(path, {.loop_file = loop_file});
  attempt([&] { read_mechanism(path, plugins(), {.loop_file = loop_file}); });
  attempt([&] { read_mechanism(path, plugins(), {.loop_file = loop_file, .close_loops = true}); });
}

}  // namespace holo::fuzz
