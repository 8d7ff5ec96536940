#include "mesh/readers/vtk/attributes.h"

#include "mesh/readers/mesh_readers.h"

namespace holo {

void VtkAttributes::start_attributes(bool of_cells, std::int64_t count) {
  of_cells_ = of_cells;
  tuples_ = scanner_.integer("the count of values", 0, largest_index);
  if (tuples_ != count)
    scanner_.fail_in_column(scanner_.last(),
                            fmt::format("{} announces {} values; the file has {} {}", of_cells ? "CELL_DATA" : "POINT_DATA",
                                        tuples_, count, of_cells ? "cells" : "points"));
}

bool VtkAttributes::read_attribute(const std::string& keyword) {
  if (keyword == "FIELD") return read_field(true), true;
  if (keyword == "METADATA") return skip_metadata(), true;
  if (keyword == "LOOKUP_TABLE") return skip_lookup_table(), true;
  if (keyword == "COLOR_SCALARS") return skip_color_scalars(), true;
  struct Attribute {
    std::string_view keyword;
    std::int64_t components;  // 0: the file tells
  };
  constexpr Attribute attributes[] = {{"SCALARS", 1},    {"VECTORS", 3},      {"NORMALS", 3},
                                      {"TENSORS", 9},    {"TENSORS6", 6},     {"GLOBAL_IDS", 1},
                                      {"EDGE_FLAGS", 1}, {"PEDIGREE_IDS", 1}, {"TEXTURE_COORDINATES", 0}};
  for (const Attribute& attribute : attributes) {
    if (attribute.keyword != keyword) continue;
    const std::string name = decoded_vtk_name(scanner_.word("an array's name"));
    const std::size_t position = scanner_.last();
    std::int64_t components = attribute.components;
    if (components == 0) components = scanner_.integer("the count of components", 1, 3);
    const std::string type(scanner_.word("a number's type"));
    if (keyword == "SCALARS") {
      if (scanner_.more_on_line()) components = scanner_.integer("the count of components", 1, 1000);
      if (scanner_.peek_word() == "LOOKUP_TABLE") scanner_.word("LOOKUP_TABLE"), scanner_.word("a table's name");
    }
    read_array(name, position, components, tuples_, type, true);
    return true;
  }
  return false;
}

void VtkAttributes::read_field(bool kept) {
  scanner_.word("a field's name");
  const std::int64_t arrays = scanner_.integer("the count of arrays", 0, 1000000);
  for (std::int64_t array = 0; array < arrays; ++array) {
    if (scanner_.peek_word() == "METADATA") scanner_.word("METADATA"), skip_metadata();
    const std::string name = decoded_vtk_name(scanner_.word("an array's name"));
    const std::size_t position = scanner_.last();
    const std::int64_t components = scanner_.integer("the count of components", 0, kept ? 1000 : largest_index);
    const std::int64_t tuples = scanner_.integer("the count of tuples", 0, largest_index);
    if (kept && tuples != tuples_)
      scanner_.fail_in_column(position, fmt::format("the array {} has {} values; one for each of the {} {} is required",
                                                    shown(name), tuples, tuples_, of_cells_ ? "cells" : "points"));
    read_array(name, position, components, tuples, std::string(scanner_.word("a number's type")), kept && components > 0);
  }
}

void VtkAttributes::skip_metadata() {
  scanner_.rest_of_line();
  while (scanner_.remaining() > 0 && !scanner_.rest_of_line().empty()) continue;  // an empty line ends it
}

void VtkAttributes::read_array(const std::string& name, std::size_t position, std::int64_t components, std::int64_t tuples,
                               const std::string& type_name, bool kept) {
  const std::int64_t numbers = components * tuples;  // below 2^62
  const bool of_texts = type_name == "string" || type_name == "utf8_string";
  if (of_texts || type_name == "bit" || (!scanner_.binary() && !known_number_type(type_name)))
    return skip_array_without_numbers(of_texts, numbers);
  const VtkNumberType type = number_type(type_name);
  start_data();
  scanner_.expect_bytes(numbers, least_bytes(type) - (scanner_.binary() ? 0 : 1), "numbers of an array");
  if (!kept && scanner_.binary()) return scanner_.skip(static_cast<std::uint64_t>(numbers) * type.bytes, "an array");
  VtkArray array{name, of_cells_, is_integer(type), static_cast<int>(kept ? components : 1), {}, position};
  if (kept) array.values.reserve(static_cast<std::size_t>(numbers));
  for (std::int64_t i = 0; i < numbers; ++i) {
    const double value = scanner_.binary() ? real(type, "a value") : scanner_.any_number("a number of an array");
    if (!kept) continue;
    if (!std::isfinite(value))
      scanner_.fail_in_column(scanner_.last(),
                              fmt::format("the array {} has the value {}; finite numbers are required", shown(name), value));
    array.values.push_back(value);
  }
  if (kept) arrays_.push_back(std::move(array));
}

// Texts stand one on each line, bits and values of unknown types are words; in a binary file texts follow their lengths, and of
// the rest there are bits alone.
void VtkAttributes::skip_array_without_numbers(bool of_texts, std::int64_t numbers) {
  if (of_texts || scanner_.binary()) scanner_.rest_of_line();
  if (!of_texts && scanner_.binary()) return scanner_.skip(static_cast<std::uint64_t>((numbers + 7) / 8), "an array of bits");
  scanner_.expect_bytes(numbers, 1, "values of an array");
  for (std::int64_t i = 0; i < numbers; ++i) {
    if (!of_texts)
      scanner_.word("a value of an array");
    else if (scanner_.binary())
      skip_binary_text();
    else
      scanner_.rest_of_line();
  }
}

// The two highest bits of the length, which is big-endian, tell how many bytes it has: 8, 4, 2 or 1.
void VtkAttributes::skip_binary_text() {
  const auto first = scanner_.value<std::uint8_t>("the length of a text");
  std::uint64_t length = first & 0x3fu;
  for (int more = (8 >> (first >> 6)) - 1; more > 0; --more)
    length = length << 8 | scanner_.value<std::uint8_t>("the length of a text");
  scanner_.skip(length, "a text");
}

void VtkAttributes::skip_lookup_table() {
  scanner_.word("a table's name");
  const std::int64_t colors = scanner_.integer("the count of colors", 0, largest_index);
  start_data();
  if (scanner_.binary()) return scanner_.skip(static_cast<std::uint64_t>(4 * colors), "a table of colors");
  for (std::int64_t i = 0; i < 4 * colors; ++i) scanner_.any_number("a color");
}

void VtkAttributes::skip_color_scalars() {
  scanner_.word("an array's name");
  const std::int64_t values = scanner_.integer("the count of components", 1, 4);
  start_data();
  if (scanner_.binary()) return scanner_.skip(static_cast<std::uint64_t>(values * tuples_), "colors");
  for (std::int64_t i = 0; i < values * tuples_; ++i) scanner_.any_number("a color");
}

}  // namespace holo
