#include "mesh/readers/gmsh/skipped_section.h"

#include "holo/core/error.h"
#include "mesh/readers/mesh_readers.h"

namespace holo {

namespace {

constexpr std::string_view blanks = " \t\r\n";

// "$EndNAME" stands there as a word.
bool is_mark(std::string_view bytes, std::size_t at, const std::string& mark) {
  const std::size_t end = at + mark.size();
  return bytes.substr(at, mark.size()) == mark && (end == bytes.size() || blanks.find(bytes[end]) != std::string_view::npos);
}

std::int64_t skip_tags(MeshScanner& scanner, const char* what) {
  const std::int64_t count = scanner.integer(what, 0, 1000);
  for (std::int64_t i = 0; i < count; ++i) scanner.any_number(what);
  return count;
}

// $ElementNodeData: tags as text, then binary rows of known lengths. Moves behind them.
void skip_data(MeshScanner& scanner) {
  const std::int64_t strings = scanner.integer("the count of string tags", 0, 1000);
  scanner.rest_of_line();
  for (std::int64_t i = 0; i < strings; ++i) scanner.rest_of_line();
  skip_tags(scanner, "a real tag");
  const std::int64_t integers = scanner.integer("the count of integer tags", 3, 1000);
  scanner.any_number("the time step");
  const std::int64_t components = scanner.integer("the count of components", 1, 1000);
  const std::int64_t rows = scanner.integer("the count of rows", 0, largest_index);
  for (std::int64_t i = 3; i < integers; ++i) scanner.any_number("an integer tag");
  scanner.rest_of_line();
  for (std::int64_t row = 0; row < rows; ++row) {
    scanner.value<std::int32_t>("a row's number");
    const auto nodes = scanner.value<std::int32_t>("the count of nodes");
    if (nodes < 0) scanner.fail("a negative count of nodes");
    scanner.skip(8 * static_cast<std::uint64_t>(nodes) * static_cast<std::uint64_t>(components), "values");
  }
}

// Behind the values of a binary section whose length is known, none where it is not, or where it is not as the format has it.
std::optional<std::size_t> end_of_data(MeshScanner scanner, const std::string& name) {
  if (!scanner.binary() || name != "ElementNodeData") return {};
  try {
    skip_data(scanner);
    scanner.at_end();  // over blanks
    return scanner.position();
  } catch (const Error&) {
    return {};  // nothing of it is used: the mark is looked for instead
  }
}

}  // namespace

std::optional<std::size_t> end_of_skipped_section(const MeshScanner& scanner, const std::string& name) {
  const std::string mark = "$End" + name;
  const std::string_view bytes = scanner.bytes();
  if (const auto end = end_of_data(scanner, name); end && is_mark(bytes, *end, mark)) return *end + mark.size();
  for (std::size_t at = bytes.find(mark, scanner.position()); at != std::string_view::npos; at = bytes.find(mark, at + 1)) {
    if (!is_mark(bytes, at, mark)) continue;
    if (!scanner.binary() && bytes[at - 1] != '\n') continue;  // text that names it within a line
    const std::size_t next = bytes.find_first_not_of(blanks, at + mark.size());
    if (scanner.binary() && next != std::string_view::npos && bytes[next] != '$') continue;  // among the values
    return at + mark.size();
  }
  return {};
}

}  // namespace holo
