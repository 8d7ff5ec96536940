#pragma once
// The frames of a run that are exported.

#include <cstddef>
#include <string>
#include <vector>

namespace holo {

// The numbers of the frames that `text` names (ExportRequest::frames), ascending. Throws Error(input) for a text of another
// form, and for frames that the run of `count` > 0 frames does not have.
std::vector<std::size_t> selected_frames(const std::string& text, std::size_t count);

// "0007" for frame 7 of 2000: names of files in their order.
std::string padded_number(std::size_t frame, std::size_t count);

}  // namespace holo
