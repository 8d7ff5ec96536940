#pragma once
// The results of the benchmark, their comparison with the gates, and their output.

#include <ostream>
#include <string>
#include <vector>

#include "holo/comparison/robot_table.h"

namespace holo::benchmark {

struct Gate {
  std::string robot, what;
  double measured = 0, allowed = 0, goal = 0;
  bool at_least = false;  // else at most
  bool holds() const { return at_least ? measured >= allowed : measured <= allowed; }
  bool reached() const { return at_least ? measured >= goal : measured <= goal; }
};

struct Results {
  std::vector<comparison::MeasuredRobot> robots;
  std::vector<comparison::MeasuredBaseline> baselines;
  std::vector<Gate> gates;
  std::string options;        // of the command line
  unsigned processors = 0;    // of the machine
  double other_seconds = -1;  // that other programs used meanwhile, of all processors; -1: unknown
  double wall_seconds = 0;
};

// The gates of the measured robots; for the longest and the shortest biker also their ratio.
std::vector<Gate> gates_of(const Results& results);

void write_page(std::ostream& out, const Results& results);
void write_json(std::ostream& out, const Results& results);

}  // namespace holo::benchmark
