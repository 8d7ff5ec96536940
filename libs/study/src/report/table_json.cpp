#include "report/table_json.h"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "holo/core/error.h"

namespace holo {

using nlohmann::json;

json number_to_json(double value) {
  if (std::isnan(value)) return {{"number", "NaN"}};
  if (std::isinf(value)) return {{"number", value > 0 ? "infinity" : "-infinity"}};
  return value;
}

double number_from_json(const json& text) {
  return text.is_number() ? text.get<double>() : std::stod(text.at("number").get<std::string>());
}

json cell_to_json(const Cell& cell) {
  if (const auto* text = std::get_if<std::string>(&cell)) return *text;
  if (const auto* value = std::get_if<double>(&cell)) return number_to_json(*value);
  if (const auto* link = std::get_if<PageLink>(&cell)) return {{"link", link->text}, {"page", link->page}};
  return {{"verdict", to_string(std::get<Verdict>(cell))}};
}

namespace {

Cell cell_from_json(const json& cell) {
  if (cell.is_string()) return cell.get<std::string>();
  if (cell.is_object() && cell.contains("link")) return PageLink{cell.at("link"), cell.at("page")};
  if (!cell.is_object() || !cell.contains("verdict")) return number_from_json(cell);
  for (Verdict verdict : {Verdict::none, Verdict::accepted, Verdict::missed, Verdict::reproduced, Verdict::differs,
                          Verdict::not_attempted, Verdict::interrupted, Verdict::failed})
    if (to_string(verdict) == cell.at("verdict")) return verdict;
  throw Error(Failure::input, fmt::format("'{}' is not a verdict", cell.dump()));
}

}  // namespace

json table_to_json(const Table& table) {
  json columns = json::array(), rows = json::array();
  for (const Column& column : table.columns) columns.push_back({{"title", column.title}, {"unit", column.unit}});
  for (std::size_t i = 0; i < table.rows.size(); ++i) {
    if (table.rows[i].size() != table.columns.size())
      throw Error(Failure::internal, fmt::format("table '{}': row {} has {} cells for {} columns", table.title, i,
                                                 table.rows[i].size(), table.columns.size()));
    json& cells = rows.emplace_back(json::array());
    for (const Cell& cell : table.rows[i]) cells.push_back(cell_to_json(cell));
  }
  return {{"title", table.title}, {"caption", table.caption}, {"columns", columns}, {"rows", rows}};
}

Table table_from_json(const json& text) {
  Table table{text.at("title"), text.at("caption"), {}, {}};
  for (const json& column : text.at("columns")) table.columns.push_back({column.at("title"), column.at("unit")});
  for (const json& row : text.at("rows")) {
    std::vector<Cell>& cells = table.rows.emplace_back();
    for (const json& cell : row) cells.push_back(cell_from_json(cell));
    if (cells.size() != table.columns.size())
      throw Error(Failure::input, fmt::format("the table '{}' has a row of {} cells for its {} columns", table.title,
                                              cells.size(), table.columns.size()));
  }
  return table;
}

}  // namespace holo
