// How long holo::gradient() of a lambda takes at one point: an element's neo-Hookean energy over the 9 entries of the
// deformation gradient and over the 12 coordinates of its vertices, against plain dual numbers written out here, in one run.
// The codings take turns, many times; the median of each counts. One thread.

#include <cstdio>
#include <iostream>
#include <random>

#include "command_line.h"
#include "dual_numbers.h"
#include "holo/diff/drivers.h"
#include "measuring.h"

namespace holo::benchmark {
namespace {

constexpr double gate = 1.2, goal = 0.8;  // of the fastest dual numbers

struct Options {
  std::size_t points = 512;
  int repeats = 300;
  std::string json;
};

// kappa/2 (J-1)^2 + mu/2 (J^(-2/3) I1 - 3) of F, row-major
constexpr auto energy_of_gradient = [](const auto& F) {
  const auto J = F[0] * (F[4] * F[8] - F[5] * F[7]) - F[1] * (F[3] * F[8] - F[5] * F[6]) + F[2] * (F[3] * F[7] - F[4] * F[6]);
  auto I1 = F[0] * F[0];
  for (int k = 1; k < 9; ++k) I1 = I1 + F[k] * F[k];
  return 5e4 * (J - 1.0) * (J - 1.0) + 1.5e4 * (pow(J, -2.0 / 3) * I1 - 3.0);
};
// The same of the vertices of a tetrahedron, vertex by vertex.
constexpr auto energy_of_vertices = [](const auto& x) {
  constexpr double inverse_rest[9] = {1, 0.1, 0, -0.2, 1.1, 0.05, 0.02, 0.1, 0.9};
  std::array<std::remove_cvref_t<decltype(x[0])>, 9> F;
  for (int i = 0; i < 3; ++i)
    for (int k = 0; k < 3; ++k)
      F[3 * i + k] = (x[3 + i] - x[i]) * inverse_rest[k] + (x[6 + i] - x[i]) * inverse_rest[3 + k] +
                     (x[9 + i] - x[i]) * inverse_rest[6 + k];
  return energy_of_gradient(F);
};

struct Measurement {
  std::size_t variables;
  std::string coding;
  double nanoseconds, ratio, difference;  // the ratio to the fastest dual numbers
  bool is_judged;

  const char* verdict() const {
    return !is_judged ? "" : ratio <= goal ? "goal reached" : ratio <= gate ? "gate holds" : "GATE MISSED";
  }
};

template <std::size_t n>
std::vector<std::array<double, n>> random_points(std::size_t count) {
  std::mt19937_64 random(3);
  std::uniform_real_distribution<double> entry(-0.1, 0.1);
  std::vector<std::array<double, n>> points(count);
  for (auto& x : points) {
    for (double& value : x) value = entry(random);
    for (std::size_t i = 0; i < 3; ++i) x[n - 9 + 4 * i] += 1;
  }
  return points;
}

template <std::size_t n, class F>
std::vector<Measurement> measure(const F& f, const Options& options) {
  const auto points = random_points<n>(options.points);
  std::vector<std::array<double, n>> found[3];
  for (auto& gradients : found) gradients.resize(points.size());
  std::vector<std::vector<double>> seconds(3);
  const auto turn = [&](int coding, const auto& one) {
    seconds[coding].push_back(seconds_of(thread_seconds, [&] {
      for (std::size_t i = 0; i < points.size(); ++i) found[coding][i] = one(points[i]);
    }));
  };
  for (int r = 0; r < options.repeats; ++r) {
    turn(0, [&](const auto& x) { return gradient_at_once(f, x); });
    turn(1, [&](const auto& x) { return gradient_by_variables(f, x); });
    turn(2, [&](const auto& x) { return gradient(f, x).gradient; });
  }
  const std::vector<double> times = times_of_turns(seconds);
  const double fastest = std::min(times[0], times[1]);
  const char* const names[] = {"dual numbers, all variables", "dual numbers, one variable", "gradient()"};
  std::vector<Measurement> result;
  for (int k = 0; k < 3; ++k) {
    const std::span<const double> reference(found[0].front().data(), n * points.size());
    result.push_back({n, names[k], 1e9 * times[k] / double(points.size()), times[k] / fastest,
                      largest_difference(found[k].front().data(), reference, n), k == 2});
  }
  return result;
}

void write_json(const std::string& path, const Options& options, const std::vector<Measurement>& measurements) {
  nlohmann::json document = {{"benchmark", "gradient_driver"},
                             {"compiler", HOLO_BENCHMARK_COMPILER},
                             {"flags", HOLO_BENCHMARK_FLAGS},
                             {"points", options.points},
                             {"repeats", options.repeats},
                             {"gate", gate},
                             {"goal", goal},
                             {"rows", nlohmann::json::array()}};
  for (const Measurement& m : measurements)
    document["rows"].push_back({{"variables", m.variables},
                                {"coding", m.coding},
                                {"nanoseconds", m.nanoseconds},
                                {"ratio", m.ratio},
                                {"difference", m.difference},
                                {"verdict", m.verdict()}});
  write_json_file(path, document);
}

// 0: the gates hold; 1: two codings differ; 3: a gate is missed.
int run(int argc, char** argv) {
  Options options;
  boost::program_options::options_description description(
      "Times gradient() against dual numbers.\nExit code 1: two codings differ; 3: a gate is missed.\nOptions");
  description.add_options()("points", whole_number("points", options.points, 1), "points in one turn")(
      "repeats", whole_number("repeats", options.repeats, 1), "turns of each coding")(
      "json", boost::program_options::value(&options.json), "write the results to this file");
  if (!read_options(argc, argv, description)) return 0;
  std::vector<Measurement> all = measure<9>(energy_of_gradient, options);
  for (Measurement& m : measure<12>(energy_of_vertices, options)) all.push_back(std::move(m));
  std::printf("%s, %s; gate %.2f, goal %.2f\n", HOLO_BENCHMARK_COMPILER, HOLO_BENCHMARK_FLAGS, gate, goal);
  int status = 0;
  for (const Measurement& m : all) {
    std::printf("  %2zu variables, %-28s %7.1f ns  ratio %5.2f  difference %.1e  %s\n", m.variables, m.coding.c_str(),
                m.nanoseconds, m.ratio, m.difference, m.verdict());
    if (!(m.difference <= 1e-12)) status = 1;
    if (status == 0 && m.is_judged && m.ratio > gate) status = 3;
  }
  write_json(options.json, options, all);
  return status;
}

}  // namespace
}  // namespace holo::benchmark

int main(int argc, char** argv) {
  return holo::benchmark::run_program("benchmark_gradient_driver", argc, argv, holo::benchmark::run);
}
