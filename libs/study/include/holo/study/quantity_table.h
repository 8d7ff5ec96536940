#pragma once
// Quantities with the functions that give their values: the columns or the metrics of a study, each in one entry.

#include <cmath>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "holo/study/study.h"

namespace holo {

// The value of one quantity as a function of `Source`: what the study knows at a step, or at its end.
template <class Source>
struct TabledQuantity {
  Quantity quantity;
  std::function<double(const Source&)> value;  // in the quantity's unit
};

// Its order is that of the columns in metrics.csv, or of the metrics in result.json.
template <class Source>
using QuantityTable = std::vector<TabledQuantity<Source>>;

template <class Source>
std::vector<Quantity> quantities_of(const QuantityTable<Source>& table) {
  std::vector<Quantity> result;
  result.reserve(table.size());
  for (const TabledQuantity<Source>& entry : table) result.push_back(entry.quantity);
  return result;
}

// One row of the table's columns.
template <class Source>
std::vector<double> row_of(const QuantityTable<Source>& table, const Source& source) {
  std::vector<double> row;
  row.reserve(table.size());
  for (const TabledQuantity<Source>& entry : table) row.push_back(entry.value(source));
  return row;
}

template <class Source>
std::vector<Metric> metrics_of(const QuantityTable<Source>& table, const Source& source) {
  std::vector<Metric> metrics;
  metrics.reserve(table.size());
  for (const TabledQuantity<Source>& entry : table) metrics.push_back({entry.quantity.name, entry.value(source)});
  return metrics;
}

// The largest value of all items; NaN where there is none, or one of them is NaN: no bound holds then.
template <class Items, class Value>
double largest_value(const Items& items, const Value& value) {
  double largest = std::numeric_limits<double>::quiet_NaN();
  for (const auto& item : items) {
    const double of_item = static_cast<double>(value(item));
    if (std::isnan(of_item)) return of_item;
    if (!(of_item <= largest)) largest = of_item;
  }
  return largest;
}

}  // namespace holo
