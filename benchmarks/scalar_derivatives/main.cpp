// How long the first, second and third derivative of exp(x) / (x^4 + x^2 + 1) take at points around 4, by the library's scalars
// against the fastest hand-written coding, in one run. The codings of one order take turns, many times; each turn's ratio to
// the yardstick of the same turn counts, and their median is judged. One thread.

#include <algorithm>
#include <cstdio>
#include <iostream>
#include <random>

#include "command_line.h"
#include "holo/core/numerics/median.h"
#include "kernels.h"
#include "measuring.h"

namespace holo::benchmark {
namespace {

struct Options {
  std::size_t points = 4096;
  int repeats = 400;
  std::string json;
};
struct Gate {
  double gate, goal;
};
constexpr Gate gates[] = {{1.15, 1.0}, {1.3, 1.1}, {1.5, 1.1}};

struct Measurement {
  Coding coding;
  double nanoseconds;  // per derivative, minimum over the turns
  double ratio;        // to the fastest hand-written coding, median over the turns
  double difference;   // largest relative one to the first hand-written coding
  bool is_yardstick;

  std::string verdict() const {
    if (coding.role != Coding::Role::judged) return is_yardstick ? "yardstick" : "";
    const Gate limits = gates[coding.order - 1];
    return ratio <= limits.goal ? "goal reached" : ratio <= limits.gate ? "gate holds" : "GATE MISSED";
  }
};

// seconds[coding][turn].
std::vector<std::vector<double>> take_turns(const std::vector<Coding>& codings, std::span<const double> points, int repeats) {
  std::vector<std::vector<double>> seconds(codings.size());
  std::vector<double> output(points.size());
  for (int r = 0; r <= repeats; ++r)
    for (std::size_t k = 0; k < codings.size(); ++k) {
      const double spent = seconds_of(thread_seconds, [&] { codings[k].run(points, output); });
      if (r > 0) seconds[k].push_back(spent);  // the first turn warms up
    }
  return seconds;
}

std::vector<Measurement> measure(int order, std::span<const double> points, int repeats) {
  std::vector<Coding> codings;
  for (const auto& list : {hand_written_codings(), library_codings()})
    for (const Coding& coding : list)
      if (coding.order == order) codings.push_back(coding);
  const auto seconds = take_turns(codings, points, repeats);
  std::size_t yardstick = 0;
  for (std::size_t k = 0; k < codings.size(); ++k)
    if (codings[k].role == Coding::Role::hand_written && median(seconds[k]) < median(seconds[yardstick])) yardstick = k;
  std::vector<double> expected(points.size()), found(points.size());
  codings.front().run(points, expected);
  std::vector<Measurement> result;
  for (std::size_t k = 0; k < codings.size(); ++k) {
    std::vector<double> ratios;
    for (std::size_t r = 0; r < seconds[k].size(); ++r) ratios.push_back(seconds[k][r] / seconds[yardstick][r]);
    codings[k].run(points, found);
    result.push_back({codings[k], 1e9 * median(seconds[k]) / double(points.size()), median(ratios),
                      largest_difference(found.data(), expected, 1), k == yardstick});
  }
  return result;
}

void print(const std::vector<Measurement>& measurements) {
  std::printf("%s, %s\n", HOLO_BENCHMARK_COMPILER, HOLO_BENCHMARK_FLAGS);
  int order = 0;
  for (const Measurement& m : measurements) {
    if (m.coding.order != order) {
      order = m.coding.order;
      std::printf("\nderivative of order %d: gate %.2f, goal %.2f\n", order, gates[order - 1].gate, gates[order - 1].goal);
    }
    const std::string name = (m.coding.role == Coding::Role::hand_written ? "by hand, " : "") + m.coding.name;
    std::printf("  %-24s %7.2f ns  ratio %5.2f  difference %.1e  %s\n", name.c_str(), m.nanoseconds, m.ratio, m.difference,
                m.verdict().c_str());
  }
}

void write_json(const std::string& path, const Options& options, const std::vector<Measurement>& measurements) {
  nlohmann::json document = {{"benchmark", "scalar_derivatives"}, {"compiler", HOLO_BENCHMARK_COMPILER},
                             {"flags", HOLO_BENCHMARK_FLAGS},     {"points", options.points},
                             {"repeats", options.repeats},        {"rows", nlohmann::json::array()}};
  for (const Measurement& m : measurements)
    document["rows"].push_back({{"order", m.coding.order},
                                {"coding", m.coding.name},
                                {"by_hand", m.coding.role == Coding::Role::hand_written},
                                {"nanoseconds", m.nanoseconds},
                                {"ratio", m.ratio},
                                {"difference", m.difference},
                                {"verdict", m.verdict()}});
  write_json_file(path, document);
}

// 0: all gates hold; 1: two codings differ; 3: a gate is missed.
int run(int argc, char** argv) {
  Options options;
  boost::program_options::options_description description(
      "Times derivatives of one formula against hand-written ones.\nExit code 1: two codings differ; 3: a gate is missed."
      "\nOptions");
  description.add_options()("points", whole_number("points", options.points, 1), "points in one turn")(
      "repeats", whole_number("repeats", options.repeats, 1), "turns of each coding")(
      "json", boost::program_options::value(&options.json), "write the results to this file");
  if (!read_options(argc, argv, description)) return 0;
  std::mt19937_64 random(5);
  std::uniform_real_distribution<double> near_four(3.5, 4.5);
  std::vector<double> points(options.points);
  for (double& x : points) x = near_four(random);
  std::vector<Measurement> all;
  for (int order = 1; order <= 3; ++order)
    for (Measurement& m : measure(order, points, options.repeats)) all.push_back(std::move(m));
  print(all);
  write_json(options.json, options, all);
  int status = 0;
  for (const Measurement& m : all) {
    if (!(m.difference <= 1e-9)) {
      std::cerr << "order " << m.coding.order << ", " << m.coding.name << ": differs by " << m.difference
                << ", allowed is 1e-9\n";
      return 1;
    }
    if (m.verdict() == "GATE MISSED") status = 3;
  }
  return status;
}

}  // namespace
}  // namespace holo::benchmark

int main(int argc, char** argv) {
  return holo::benchmark::run_program("benchmark_scalar_derivatives", argc, argv, holo::benchmark::run);
}
