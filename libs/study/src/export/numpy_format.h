#pragma once
// Arrays in NumPy's format, version 1.0: a header, and the values as they are in memory, little-endian.

#include <cstddef>
#include <string>
#include <vector>

namespace holo {

// The header of an array. `type`: "<f8", "<f4", "<i8", "<i4" or "<U12".
std::string npy_header(const std::string& type, const std::vector<std::size_t>& shape);

// A list of texts as an array of Unicode texts of one length, header included. Bytes that are no UTF-8 become U+FFFD.
std::string npy_texts(const std::vector<std::string>& texts);

}  // namespace holo
