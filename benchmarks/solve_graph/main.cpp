// How long the Hessian of a graph with 64 inputs and a 200x200 solve takes by the tape, against a hand-written second-order
// adjoint with the same matrix library, in one run. Both take turns; the smallest thread CPU time counts. One thread.

#include <time.h>

#include <algorithm>
#include <boost/program_options.hpp>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <iostream>
#include <nlohmann/json.hpp>

#include "graph.h"
#include "holo/core/error.h"
#include "holo/core/parallel.h"

namespace holo::benchmark {
namespace {

constexpr double gate = 2.0, goal = 1.5, allowed_difference = 1e-11;

double thread_seconds() {
  timespec now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return double(now.tv_sec) + 1e-9 * double(now.tv_nsec);
}

// The largest difference of an entry, over the largest entry.
double difference(const std::vector<double>& a, const std::vector<double>& b) {
  double error = 0, size = 0;
  for (std::size_t k = 0; k < a.size(); ++k) {
    const double d = std::abs(a[k] - b[k]);
    error = d > error || std::isnan(d) ? d : error;
    size = std::max(size, std::abs(b[k]));
  }
  return error / size;
}

// 0: the gate holds; 1: the two differ; 3: the gate is missed.
int run(int repeats, const std::string& json) {
  const ThreadLimit one_thread(1);
  const Network network = random_network();
  TapedNetwork taped(network);
  std::vector<double> p(inputs);
  for (int k = 0; k < inputs; ++k) p[std::size_t(k)] = 0.5 * std::sin(1.0 + k);
  Derivatives by_hand, by_tape;
  double hand_seconds = 1e300, tape_seconds = 1e300;
  for (int r = 0; r < repeats; ++r) {
    const double start = thread_seconds();
    hand_written_hessian(network, p, by_hand);
    const double middle = thread_seconds();
    taped.hessian(p, by_tape);
    hand_seconds = std::min(hand_seconds, middle - start);
    tape_seconds = std::min(tape_seconds, thread_seconds() - middle);
  }
  const double ratio = tape_seconds / hand_seconds;
  const double error = std::max(difference(by_tape.hessian, by_hand.hessian), difference(by_tape.gradient, by_hand.gradient));
  const char* verdict = ratio <= goal ? "goal reached" : ratio <= gate ? "gate holds" : "GATE MISSED";
  std::printf(
      "%s, %s\nHessian of %d inputs through a %d x %d solve: gate %.2f, goal %.2f of a hand-written adjoint\n\n"
      "  hand-written second-order adjoint %8.1f us\n  tape in lanes                     %8.1f us   %.3f %s\n"
      "  largest difference                %8.1e\n",
      HOLO_BENCHMARK_COMPILER, HOLO_BENCHMARK_FLAGS, inputs, nodes, nodes, gate, goal, 1e6 * hand_seconds, 1e6 * tape_seconds,
      ratio, verdict, error);
  if (!json.empty()) {
    std::ofstream file(json);
    file << nlohmann::json{{"benchmark", "solve_graph"},
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
                           {"verdict", verdict}}
                .dump(2)
         << '\n';
    if (!file) throw Error(Failure::environment, json + " cannot be written");
  }
  if (!(error <= allowed_difference)) {
    std::fprintf(stderr, "the two differ by %.1e, allowed is %.1e\n", error, allowed_difference);
    return 1;
  }
  return ratio <= gate ? 0 : 3;
}

}  // namespace
}  // namespace holo::benchmark

int main(int argc, char** argv) {
  namespace po = boost::program_options;
  try {
    int repeats = 200;
    std::string json;
    po::options_description description("Times the Hessian of a graph with a solve, by tape and by hand.\nOptions");
    description.add_options()("help", "print this")("repeats", po::value(&repeats)->default_value(repeats),
                                                    "turns of each, the fastest counts")("json", po::value(&json),
                                                                                         "write the results to this file");
    po::variables_map values;
    po::store(po::parse_command_line(argc, argv, description), values);
    po::notify(values);
    if (values.count("help") != 0) {
      std::cout << description;
      return 0;
    }
    if (repeats < 1)
      throw holo::Error(holo::Failure::input, "--repeats is " + std::to_string(repeats) + ": allowed are 1 or more");
    return holo::benchmark::run(repeats, json);
  } catch (const std::exception& error) {
    std::cerr << "benchmark_solve_graph: " << error.what() << '\n';
    return 2;
  }
}
