#pragma once
// How the benchmarks take times, compare results and write them.

#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <fstream>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <vector>

#include "holo/core/error.h"
#include "holo/core/numerics/median.h"
#include "holo/core/numerics/stopwatch.h"

namespace holo::benchmark {

// The times [s] of codings that took turns, from turns[coding][turn]. Their ratios are the medians of the ratios to the first
// coding, turn by turn (median_ratio); one with another number of turns than the first is measured by itself.
inline std::vector<double> times_of_turns(const std::vector<std::vector<double>>& turns) {
  std::vector<double> times;
  const double first = median(turns.front());
  for (const std::vector<double>& of_coding : turns)
    times.push_back(of_coding.size() == turns.front().size() ? first * median_ratio(of_coding, turns.front())
                                                             : median(of_coding));
  return times;
}

// The processor time of all programs since the start of the machine [s]; -1 if the system does not state it.
inline double processor_seconds_of_all() {
  std::ifstream file("/proc/stat");
  std::string label;
  double user = 0, nice = 0, system = 0;
  if (!(file >> label >> user >> nice >> system) || label != "cpu") return -1;
  return (user + nice + system) / double(sysconf(_SC_CLK_TCK));
}

// The largest difference of an entry, over the largest entry of its item of the reference; an item has `entries` neighbors.
// Infinite where a value is NaN, or differs from an item of zeros.
inline double largest_difference(const double* values, std::span<const double> reference, std::size_t entries) {
  double worst = 0;
  for (std::size_t first = 0; first + entries <= reference.size(); first += entries) {
    double error = 0, size = 0;
    for (std::size_t k = first; k < first + entries; ++k) {
      const double d = std::abs(values[k] - reference[k]);
      error = std::max(error, std::isnan(d) ? HUGE_VAL : d);
      size = std::max(size, std::abs(reference[k]));
    }
    if (error > 0) worst = std::max(worst, error / size);
  }
  return worst;
}

// write(file); throws Error(environment) where that cannot be done. No file for an empty path.
template <class Write>
void write_file(const std::string& path, const Write& write) {
  if (path.empty()) return;
  std::ofstream file(path);
  write(file);
  if (!file.flush()) throw Error(Failure::environment, path + " cannot be written");
}
inline void write_json_file(const std::string& path, const nlohmann::json& document) {
  write_file(path, [&](std::ofstream& file) { file << document.dump(2) << '\n'; });
}

}  // namespace holo::benchmark
