#pragma once
// Numbers of legacy VTK files, read alike from both kinds of file: words of an ASCII one, bytes of a binary one.

#include <fmt/format.h>

#include <cmath>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "mesh/readers/mesh_scanner.h"

namespace holo {

enum class VtkNumber { int8, uint8, int16, uint16, int32, uint32, int64, uint64, float32, float64 };

struct VtkNumberType {
  VtkNumber number;
  std::uint64_t bytes;
};

class VtkNumbers {
 protected:
  VtkNumbers(const std::string& file, std::string_view bytes) : scanner_(file, bytes) {}

  VtkNumberType read_type() { return number_type(std::string(scanner_.word("a number's type"))); }

  VtkNumberType number_type(const std::string& name) {
    if (const auto type = known_number_type(name)) return *type;
    scanner_.fail(
        fmt::format("the number type is {}; float, double, int, vtktypeint64 and the other integers are allowed", shown(name)));
  }

  static std::optional<VtkNumberType> known_number_type(const std::string& name) {
    constexpr std::pair<std::string_view, VtkNumberType> types[] = {
        {"float", {VtkNumber::float32, 4}},
        {"double", {VtkNumber::float64, 8}},
        {"int", {VtkNumber::int32, 4}},
        {"vtktypeint64", {VtkNumber::int64, 8}},
        {"vtkIdType", {VtkNumber::int32, 4}},
        {"vtkidtype", {VtkNumber::int32, 4}},
        {"vtktypeint32", {VtkNumber::int32, 4}},
        {"long", {VtkNumber::int64, 8}},
        {"unsigned_char", {VtkNumber::uint8, 1}},
        {"char", {VtkNumber::int8, 1}},
        {"signed_char", {VtkNumber::int8, 1}},
        {"short", {VtkNumber::int16, 2}},
        {"unsigned_short", {VtkNumber::uint16, 2}},
        {"unsigned_int", {VtkNumber::uint32, 4}},
        {"unsigned_long", {VtkNumber::uint64, 8}},
        {"vtktypeuint64", {VtkNumber::uint64, 8}},
    };
    for (const auto& [known, type] : types)
      if (known == name) return type;
    return {};
  }

  static bool is_integer(VtkNumberType type) { return type.number != VtkNumber::float32 && type.number != VtkNumber::float64; }

  void start_data() {
    if (scanner_.binary()) scanner_.rest_of_line();
  }
  std::uint64_t least_bytes(VtkNumberType type) const { return scanner_.binary() ? type.bytes : 2; }

  std::int64_t integer(VtkNumberType type, const char* what, std::int64_t minimum, std::int64_t maximum) {
    if (!scanner_.binary()) return scanner_.integer(what, minimum, maximum);
    const std::int64_t value = binary_integer(type, what);
    if (value < minimum || value > maximum)
      scanner_.fail(fmt::format("{} is {}, allowed are {} to {}", what, value, minimum, maximum));
    return value;
  }
  std::int64_t binary_integer(VtkNumberType type, const char* what) {
    switch (type.number) {
      case VtkNumber::int8:
        return scanner_.value<std::int8_t>(what);
      case VtkNumber::uint8:
        return scanner_.value<std::uint8_t>(what);
      case VtkNumber::int16:
        return scanner_.value<std::int16_t>(what);
      case VtkNumber::uint16:
        return scanner_.value<std::uint16_t>(what);
      case VtkNumber::int32:
        return scanner_.value<std::int32_t>(what);
      case VtkNumber::uint32:
        return scanner_.value<std::uint32_t>(what);
      case VtkNumber::int64:
        return scanner_.value<std::int64_t>(what);
      case VtkNumber::uint64:
        return static_cast<std::int64_t>(scanner_.value<std::uint64_t>(what));
      default:
        scanner_.fail(fmt::format("{} is stored as a floating-point number, an integer type is required", what));
    }
  }
  double real(VtkNumberType type, const char* what) {
    if (!scanner_.binary()) return scanner_.number(what);
    const double value = type.number == VtkNumber::float32   ? scanner_.value<float>(what)
                         : type.number == VtkNumber::float64 ? scanner_.value<double>(what)
                                                             : static_cast<double>(binary_integer(type, what));
    if (!std::isfinite(value)) scanner_.fail(fmt::format("{} is {}, a finite number is required", what, value));
    return value;
  }

  MeshScanner scanner_;
};

}  // namespace holo
