#pragma once
// The measured times, and their comparison with the gates.

#include <ostream>
#include <string>
#include <vector>

#include "element_gates.h"
#include "kernels.h"

namespace holo::benchmark {

struct Measurement {
  std::string material, kernel;
  std::string note;  // what runs, as the plugin says
  DerivativeKind quantity;
  Judgment judgment;
  bool is_floor;          // computes nothing: no difference
  double nanoseconds;     // per element, minimum over the repeats
  double ratio;           // to the fastest hand-written scalar coding (of stretches: in lanes); 0 where there is none
  double ratio_to_9x9;    // to the coding by 9x9 matrices, the A0 of the peers' table
  double ratio_to_lanes;  // to a closed form in the same lanes; 0 where there is none
  double difference;      // largest, to the plugin's result, over the largest entry of the element
};

enum class Verdict { not_judged, goal_reached, gate_holds, gate_missed };
Verdict verdict(const Measurement& measurement);  // by the fastest coding
Verdict verdict_to_9x9(const Measurement& measurement);
Verdict verdict_to_lanes(const Measurement& measurement);

void print_table(std::ostream& out, const std::vector<Measurement>& measurements);
void write_json(std::ostream& out, const std::vector<Measurement>& measurements, std::size_t elements, int repeats);

}  // namespace holo::benchmark
