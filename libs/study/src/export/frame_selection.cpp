#include "export/frame_selection.h"

#include <fmt/format.h>

#include <charconv>
#include <numeric>

#include "holo/core/error.h"

namespace holo {

namespace {

class FrameText {
 public:
  FrameText(const std::string& text, std::size_t count) : text_(text), count_(count) {}

  std::vector<std::size_t> frames() const {
    if (text_ == "all") return between(0, count_ - 1);
    const std::size_t colon = text_.find(':');
    if (colon == std::string::npos) {
      const std::size_t frame = number(text_);
      return between(frame, frame);
    }
    const std::size_t first = number(text_.substr(0, colon)), last = number(text_.substr(colon + 1));
    if (first > last)
      throw Error(Failure::input,
                  fmt::format("--frame {}: frame {} is after frame {}; write N:M with N <= M", text_, first, last));
    return between(first, last);
  }

 private:
  static std::vector<std::size_t> between(std::size_t first, std::size_t last) {
    std::vector<std::size_t> frames(last - first + 1);
    std::iota(frames.begin(), frames.end(), first);
    return frames;
  }

  std::size_t number(const std::string& word) const {
    if (word == "first") return 0;
    if (word == "last") return count_ - 1;
    std::size_t value = 0;
    const char *begin = word.data(), *end = begin + word.size();
    const auto [stop, problem] = std::from_chars(begin, end, value);
    const bool is_number = stop == end && problem != std::errc::invalid_argument;
    if (!is_number)
      throw Error(Failure::input, fmt::format("--frame {}: '{}' is no frame; write N, first, last, all, or N:M", text_, word));
    if (problem == std::errc::result_out_of_range || value >= count_)
      throw Error(Failure::input, fmt::format("--frame {}: the run has no frame {}; its {} frames are 0 to {}", text_, word,
                                              count_, count_ - 1));
    return value;
  }

  const std::string& text_;
  std::size_t count_;
};

}  // namespace

std::vector<std::size_t> selected_frames(const std::string& text, std::size_t count) { return FrameText(text, count).frames(); }

std::string padded_number(std::size_t frame, std::size_t count) {
  return fmt::format("{:0{}}", frame, fmt::formatted_size("{}", count - 1));
}

}  // namespace holo
