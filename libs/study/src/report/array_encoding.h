#pragma once
// Encoding of arrays in the page: differences that are mostly small, their bytes sorted by significance, gzip, base64. The
// page's twin is viewer/src/array_decoding.js.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace holo::report {

// 16-bit codes of the numbers in [minimum, maximum]; code 65535 is a missing value.
struct Quantization {
  static constexpr double steps = 65534;
  static constexpr std::uint16_t missing = 65535;
  double minimum = 0;
  double maximum = 0;

  std::uint16_t code(double value) const;  // `value` not finite: missing
};

// codes [frame][entry]: second difference along the frames (modulo 2^16).
std::string encode_animation(const std::vector<std::uint16_t>& codes, std::size_t entries);

// First difference along the array (modulo 2^32).
std::string encode_indices(const std::vector<std::uint32_t>& indices);

std::string base64(std::string_view bytes);
std::string gzip(std::string_view bytes);

}  // namespace holo::report
