#pragma once
// The frames of a run in full precision: frames.bin, which grows by one record of fixed size for each frame. The report is made
// from it, and two runs are compared by it.
//
//   8 bytes "HOLOFRM1" | uint64 n | n bytes of JSON (the layout) | record | record ...
//   record: int64 step | double time | double positions[vertex][3] | float fields[field][vertex] | uint64 checksum
// All little-endian. A last record that is not whole (after a kill) is not counted.

#include <filesystem>
#include <string>

#include "holo/study/study.h"

namespace holo {

std::string frames_file_header(const FrameLayout& layout);
std::string frame_record(const FrameLayout& layout, const Frame& frame);

class FramesFile {
 public:
  // Throws Error(input) with the path and the reason when it cannot be read.
  explicit FramesFile(const std::filesystem::path& path);
  const FrameLayout& layout() const { return layout_; }
  std::size_t size() const { return count_; }  // frames
  Frame head(std::size_t index) const;         // step and time only
  Frame read(std::size_t index) const;         // throws Error(input) when its checksum is wrong

 private:
  std::filesystem::path path_;
  FrameLayout layout_;
  std::size_t header_size_ = 0, record_size_ = 0, count_ = 0;
};

}  // namespace holo
