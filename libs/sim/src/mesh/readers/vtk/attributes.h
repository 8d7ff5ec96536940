#pragma once
// The attributes of a legacy VTK file, behind CELL_DATA and POINT_DATA, and arrays of fields.

#include <cstdint>
#include <string>
#include <vector>

#include "mesh/readers/vtk/arrays.h"
#include "mesh/readers/vtk/numbers.h"

namespace holo {

class VtkAttributes : protected VtkNumbers {
 protected:
  VtkAttributes(const std::string& file, std::string_view bytes) : VtkNumbers(file, bytes) {}

  // CELL_DATA or POINT_DATA: `count` is the file's number of cells or points, which the section must state.
  void start_attributes(bool of_cells, std::int64_t count);
  // The scanner stands behind a keyword; false where it names no attribute.
  bool read_attribute(const std::string& keyword);
  // FIELD: behind the keyword. Arrays are kept where `kept`, within attributes.
  void read_field(bool kept);
  void skip_metadata();

  std::vector<VtkArray> arrays_;

 private:
  // The array's values; kept as an array of this name, unless its type is none of numbers. An unknown type is skipped where
  // the values are words, in an ASCII file.
  void read_array(const std::string& name, std::size_t position, std::int64_t components, std::int64_t tuples,
                  const std::string& type, bool kept);
  void skip_array_without_numbers(bool of_texts, std::int64_t numbers);
  void skip_binary_text();
  void skip_lookup_table();
  void skip_color_scalars();

  bool of_cells_ = true;
  std::int64_t tuples_ = 0;
};

}  // namespace holo
