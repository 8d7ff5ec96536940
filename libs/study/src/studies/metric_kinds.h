#pragma once
// Metrics that an experiment names itself: what kinds there are, how they are read, and the extremes that they are made of.

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
// `read` reads what a metric of that kind is asked for beside. The first kind after a problem, with nothing read.
using ReadMetric = std::function<void(Configuration& entry, const std::string& kind)>;
std::string read_metric_kind(Configuration& entry, const std::vector<Quantity>& kinds, const ReadMetric& read = {});
// The metric that it is: the kind's unit and documentation, and what is measured.
Quantity measured(const std::string& name, const std::string& kind, const std::vector<Quantity>& kinds, const std::string& of);

// The smallest and largest of some values, and where the smallest was. A NaN among them makes all of it NaN.
struct Extremes {
  double smallest = std::numeric_limits<double>::infinity(), largest = -std::numeric_limits<double>::infinity();
  double place_of_smallest = std::nan("");

  void add(double value, double place);
};

// Tables of numbers as bytes, for checkpoints: columns of one length each their own. Reading throws Error(input) when the bytes
// are none, or hold another number of columns.
std::string serialize_columns(std::vector<std::vector<double>> columns);
void deserialize_columns(std::string_view bytes, std::vector<std::vector<double>>& columns);

}  // namespace holo
