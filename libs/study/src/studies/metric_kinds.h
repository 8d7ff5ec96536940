#pragma once
// Metrics that an experiment names itself: their kinds, readers, and the extremes from which they are computed.

#include <cmath>
#include <functional>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "holo/study/study.h"

namespace holo {

// `name` and `kind` of an entry. A name that is empty, or that one of `others` has, is a problem.
std::string read_metric_name(Configuration& entry, const std::vector<Quantity>& others);
// Reads the `kind` of an entry; `read` reads the other keys of that kind. After a problem, returns the first kind without a
// call of `read`.
using ReadMetric = std::function<void(Configuration& entry, const std::string& kind)>;
std::string read_metric_kind(Configuration& entry, const std::vector<Quantity>& kinds, const ReadMetric& read = {});
// The metric that it is: the kind's unit and documentation, and what is measured.
Quantity measured(const std::string& name, const std::string& kind, const std::vector<Quantity>& kinds, const std::string& of);

// The smallest and the largest of the added values, and the place of the smallest. A NaN makes all three NaN.
struct Extremes {
  double smallest = std::numeric_limits<double>::infinity(), largest = -std::numeric_limits<double>::infinity();
  double place_of_smallest = std::nan("");

  void add(double value, double place);
};

// Columns of numbers as bytes, for checkpoints; columns may differ in length. Reading throws Error(input) if the bytes are
// damaged or have another number of columns than `columns`.
std::string serialize_columns(std::vector<std::vector<double>> columns);
void deserialize_columns(std::string_view bytes, std::vector<std::vector<double>>& columns);

}  // namespace holo
