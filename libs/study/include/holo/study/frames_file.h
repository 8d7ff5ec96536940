#pragma once
// The frames of a run in full precision: frames.bin, which grows by one record for each frame. The report is made from it, and
// two runs are compared by it.
//
//   8 bytes "HOLOFRM2" | uint64 n | n bytes of JSON (the scene) | record | record ...
//   record: int64 step | double time | double positions[deformable vertex][3] | double poses[rigid body][7] |
//           double points[glyph point][3] | float fields[field][deformable vertex] | uint64 checksum
// Scenes with arrows at vertices have files of version 3, "HOLOFRM3", whose records differ in size:
//   record: uint64 its bytes, these 8 too | int64 step | ... | float fields[field][deformable vertex] |
//           for each list of arrows: uint32 count | (uint32 vertex | float vector[3])[count] | uint64 checksum of what is
//           before
// All little-endian. A last record that is not whole (after a kill) is not counted. Files of version 1, which began with
// "HOLOFRM1" and had no poses and points, are refused with what to do.

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "holo/study/scene.h"

namespace holo {

std::string frames_file_header(const Scene& scene);
std::string frame_record(const Scene& scene, const SceneFrame& frame);

class FramesFile {
 public:
  // Throws Error(input) with the path and the reason when it cannot be read.
  explicit FramesFile(const std::filesystem::path& path);
  const Scene& scene() const { return scene_; }
  std::size_t size() const { return ends_.size() - 1; }  // frames
  SceneFrame head(std::size_t index) const;              // step and time only
  SceneFrame read(std::size_t index) const;              // throws Error(input) when its checksum is wrong

 private:
  void find_records(std::ifstream& file, std::uint64_t file_size);

  std::filesystem::path path_;
  Scene scene_;
  std::vector<std::uint64_t> ends_;  // [frame] of the record in the file, after that of the header
};

}  // namespace holo
