#pragma once
// How the benchmarks take times, compare results and write them.

#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <fstream>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <vector>

#include "holo/core/error.h"
#include "holo/core/numerics/median.h"

namespace holo::benchmark {

// Processor time of this thread [s]: what its work takes on a machine that does nothing else, even if this one does.
inline double thread_seconds() {
  timespec now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return double(now.tv_sec) + 1e-9 * double(now.tv_nsec);
}
template <class Work>
double thread_seconds_of(Work&& work) {
  const double start = thread_seconds();
  work();
  return thread_seconds() - start;
}

inline double wall_seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}
template <class Work>
double wall_seconds_of(Work&& work) {
  const double start = wall_seconds();
  work();
  return wall_seconds() - start;
}

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
