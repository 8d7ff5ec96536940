#include "holo/study/compare.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "holo/core/error.h"
#include "holo/study/frames_file.h"
#include "runs/csv_table.h"

namespace holo {

namespace fs = std::filesystem;

namespace {

// Adds a line to the verdict. One difference makes the runs different.
void conclude(Comparison& comparison, bool same, const std::string& line) {
  comparison.same = comparison.same && same;
  comparison.lines.push_back((same ? "same     " : "DIFFERENT ") + line);
}

// Steps and Newton iterations must agree exactly; positions alone have a tolerance.
void compare_iterations(const fs::path& a, const fs::path& b, Comparison& comparison) {
  CsvTable of_a = read_table(a / "metrics.csv"), of_b = read_table(b / "metrics.csv");
  if (of_a.rows() != of_b.rows()) {
    conclude(comparison, false, fmt::format("steps: {} and {}", of_a.rows(), of_b.rows()));
    return;
  }
  const std::vector<double>*in_a = of_a.column("newton_iterations"), *in_b = of_b.column("newton_iterations");
  if (!in_a || !in_b) return;
  double total_a = 0, total_b = 0;
  for (double count : *in_a) total_a += count;
  for (double count : *in_b) total_b += count;
  auto [at_a, at_b] = std::mismatch(in_a->begin(), in_a->end(), in_b->begin());
  if (at_a == in_a->end())
    conclude(comparison, true, fmt::format("Newton iterations: {} in {} rows", total_a, in_a->size()));
  else
    conclude(comparison, false,
             fmt::format("Newton iterations: {} and {}; first at row {}: {} and {}", total_a, total_b, at_a - in_a->begin(),
                         *at_a, *at_b));
}

void require_comparable(const FramesFile& a, const FramesFile& b) {
  const auto drawn = [](const Scene& scene) {
    std::int64_t count = static_cast<std::int64_t>(scene.point_count());
    for (const SceneBody& body : scene.bodies) count += body.vertex_count;
    return count;
  };
  if (drawn(a.scene()) != drawn(b.scene()) || a.scene().vertex_count() != b.scene().vertex_count())
    throw Error(Failure::input, fmt::format("the two runs have {} and {} vertices: their motions cannot be compared",
                                            drawn(a.scene()), drawn(b.scene())));
  if (a.size() == 0 || b.size() == 0) throw Error(Failure::input, "one of the two runs has no frames to compare");
}

// The largest distance of a vertex between two frames; NaN where one position is not a number.
double largest_distance(const std::vector<double>& a, const std::vector<double>& b) {
  double largest = 0;
  for (std::size_t i = 0; i + 2 < a.size(); i += 3) {
    double distance = std::hypot(a[i] - b[i], a[i + 1] - b[i + 1], a[i + 2] - b[i + 2]);
    if (!(distance <= largest)) largest = distance;
    if (std::isnan(largest)) break;
  }
  return largest;
}

void compare_positions(const fs::path& a, const fs::path& b, double tolerance, Comparison& comparison) {
  FramesFile of_a(a / "frames.bin"), of_b(b / "frames.bin");
  require_comparable(of_a, of_b);
  if (of_a.size() != of_b.size()) conclude(comparison, false, fmt::format("frames: {} and {}", of_a.size(), of_b.size()));
  // Distances are relative to the scene, so that one tolerance serves scenes of any size. A NaN ends the search: it is the
  // largest distance, and no comparison with it holds.
  double length = of_a.scene().length, largest = 0;
  std::int64_t largest_step = 0;
  for (std::size_t i = 0; i < std::min(of_a.size(), of_b.size()) && !std::isnan(largest); ++i) {
    SceneFrame in_a = of_a.read(i), in_b = of_b.read(i);
    if (in_a.step != in_b.step) {
      conclude(comparison, false, fmt::format("frame {}: of step {} and of step {}", i, in_a.step, in_b.step));
      return;
    }
    double distance = largest_distance(places_of(of_a.scene(), in_a), places_of(of_b.scene(), in_b)) / length;
    if (!(distance <= largest)) largest = distance, largest_step = in_a.step;
  }
  conclude(comparison, largest <= tolerance,
           fmt::format("positions: at most {:.3g} of the bounding box apart (step {}), allowed {:.3g}", largest, largest_step,
                       tolerance));
}

}  // namespace

Comparison compare_runs(const fs::path& a, const fs::path& b, double tolerance) {
  for (const fs::path& run : {a, b})
    if (!fs::exists(run / "metrics.csv") || !fs::exists(run / "frames.bin"))
      throw Error(Failure::input,
                  fmt::format("{}: not the folder of a run with frames (no metrics.csv or frames.bin)", run.string()));
  Comparison comparison;
  compare_iterations(a, b, comparison);
  compare_positions(a, b, tolerance, comparison);
  return comparison;
}

}  // namespace holo
