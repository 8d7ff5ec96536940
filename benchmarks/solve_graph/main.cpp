// How long the Hessian of a graph with 64 inputs and a 200x200 solve takes by the tape, against a hand-written second-order
// adjoint with the same matrix library, in one run. Both take turns; the smallest thread CPU time counts. One thread.

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "command_line.h"
#include "graph.h"
#include "holo/core/numerics/median.h"
#include "holo/core/numerics/parallel.h"
#include "measuring.h"

namespace holo::benchmark {
namespace {

constexpr double gate = 2.0, goal = 1.2, allowed_difference = 1e-11;

// 0: the gate holds; 1: the two differ; 3: the gate is missed.
int run(int argc, char** argv) {
  int repeats = 200;
  std::string json;
  boost::program_options::options_description description(
      "Times the Hessian of a graph with a solve, by tape and by hand.\nExit code 1: the two differ; 3: the gate is "
      "missed.\nOptions");
  description.add_options()("repeats", whole_number("repeats", repeats, 1), "turns of each, their median counts")(
      "json", boost::program_options::value(&json), "write the results to this file");
  if (!read_options(argc, argv, description)) return 0;
  const ThreadLimit one_thread(1);
  const Network network = random_network();
  TapedNetwork taped(network);
  const std::vector<double> p = solve_graph_point();
  Derivatives by_hand, by_tape;
  std::vector<double> hand_turns, tape_turns;
  for (int r = 0; r < repeats; ++r) {
    hand_turns.push_back(seconds_of(thread_seconds, [&] { hand_written_hessian(network, p, by_hand); }));
    tape_turns.push_back(seconds_of(thread_seconds, [&] { taped.hessian(p, by_tape); }));
  }
  const double hand_seconds = median(hand_turns), tape_seconds = median(tape_turns);
  const double ratio = median_ratio(tape_turns, hand_turns);
  const double error = std::max(largest_difference(by_tape.hessian.data(), by_hand.hessian, by_hand.hessian.size()),
                                largest_difference(by_tape.gradient.data(), by_hand.gradient, by_hand.gradient.size()));
  const char* verdict = ratio <= goal ? "goal reached" : ratio <= gate ? "gate holds" : "GATE MISSED";
  std::printf(
      "%s, %s\nHessian of %d inputs through a %d x %d solve: gate %.2f, goal %.2f of a hand-written adjoint\n\n"
      "  hand-written second-order adjoint %8.1f us\n  tape in lanes                     %8.1f us   %.3f %s\n"
      "  largest difference                %8.1e\n",
      HOLO_BENCHMARK_COMPILER, HOLO_BENCHMARK_FLAGS, inputs, nodes, nodes, gate, goal, 1e6 * hand_seconds, 1e6 * tape_seconds,
      ratio, verdict, error);
  write_json_file(json, {{"benchmark", "solve_graph"},
                         {"compiler", HOLO_BENCHMARK_COMPILER},
                         {"flags", HOLO_BENCHMARK_FLAGS},
                         {"inputs", inputs},
                         {"nodes", nodes},
                         {"repeats", repeats},
                         {"gate", gate},
                         {"goal", goal},
                         {"hand_written_microseconds", 1e6 * hand_seconds},
                         {"tape_microseconds", 1e6 * tape_seconds},
                         {"ratio", ratio},
                         {"difference", error},
                         {"verdict", verdict}});
  if (!(error <= allowed_difference)) {
    std::fprintf(stderr, "the two differ by %.1e, allowed is %.1e\n", error, allowed_difference);
    return 1;
  }
  return ratio <= gate ? 0 : 3;
}

}  // namespace
}  // namespace holo::benchmark

int main(int argc, char** argv) {
  return holo::benchmark::run_program("benchmark_solve_graph", argc, argv, holo::benchmark::run);
}
