#pragma once
// Tables, cells and numbers as JSON, alike in a run's result and in its report.

#include <nlohmann/json_fwd.hpp>

#include "holo/study/table.h"

namespace holo {

// JSON has no NaN and no infinities: those are {"number": "NaN"}, "infinity" or "-infinity", so that no text is taken for one.
nlohmann::json number_to_json(double value);
double number_from_json(const nlohmann::json& text);

// A text, a number, or {"verdict": its name}.
nlohmann::json cell_to_json(const Cell& cell);

// Throws Error(internal) where a row has not one cell for each column.
nlohmann::json table_to_json(const Table& table);
// Throws Error(input), or an exception of the JSON's, for what is no table.
Table table_from_json(const nlohmann::json& text);

}  // namespace holo
