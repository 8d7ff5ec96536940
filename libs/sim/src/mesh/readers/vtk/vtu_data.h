#pragma once
// The numbers of a VTU file's data arrays: ASCII, base64 inline, or appended (raw or base64), plain or in zlib-compressed
// blocks.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "mesh/readers/mesh_scanner.h"

namespace pugi {
class xml_node;
}

namespace holo {

struct VtuEncoding {
  bool swap_bytes = false;
  std::size_t header_bytes = 4;  // of the numbers that stand before the data: 4 or 8
  bool compressed = false;
  std::string_view appended;  // after the underscore, to the end of the file
  bool appended_base64 = false;
};

class VtuData {
 public:
  // `scanner` is over the whole file, for messages.
  VtuData(const MeshScanner& scanner, const VtuEncoding& encoding) : scanner_(scanner), encoding_(encoding) {}

  // The array's numbers; fails, naming the array and its line, unless there are `count` of them.
  std::vector<double> reals(const pugi::xml_node& array, std::int64_t count) const;
  std::vector<std::int64_t> integers(const pugi::xml_node& array, std::int64_t count) const;

  // An attribute of an element; fails when it is missing or not an integer of the range.
  std::int64_t integer_attribute(const pugi::xml_node& node, const char* name, std::int64_t minimum,
                                 std::int64_t maximum) const;
  [[noreturn]] void fail(const pugi::xml_node& node, const std::string& text) const;

 private:
  template <class T>
  std::vector<T> numbers(const pugi::xml_node& array, std::int64_t count) const;
  std::string bytes(const pugi::xml_node& array, std::uint64_t size) const;

  const MeshScanner& scanner_;
  VtuEncoding encoding_;
};

}  // namespace holo
