// Looks for the lattice spacing that gives the wanted number of tetrahedra.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "holo/core/error.h"
#include "holo/sim/mesh/mesh_description.h"
#include "holo/sim/mesh/shapes.h"
#include "mesh/lattice_stuffing.h"

namespace holo {

namespace {

using Point = std::array<double, 3>;

constexpr double stuffing_count_tolerance = 0.03;

// Edges of the boundary that other than two of its triangles share, such as where two parts touch along a line.
int pinched_edges(const TetrahedralMesh& mesh) {
  std::vector<std::array<int, 2>> edges;
  for (const auto& triangle : boundary_triangles(mesh))
    for (int i = 0; i < 3; ++i) {
      const int a = triangle[i], b = triangle[(i + 1) % 3];
      edges.push_back({std::min(a, b), std::max(a, b)});
    }
  std::sort(edges.begin(), edges.end());
  int pinched = 0;
  for (std::size_t i = 0; i < edges.size();) {
    std::size_t next = i;
    while (next < edges.size() && edges[next] == edges[i]) ++next;
    pinched += next - i != 2;
    i = next;
  }
  return pinched;
}

// Limits of the volume and of the count of elements: beyond them the shape is too thin for so few elements.
constexpr double least_part_of_volume = 0.6;
constexpr double most_times_count = 2;

// The plastic number's powers: multiples of them fill a cube evenly.
constexpr Point even_step{0.8191725133961645, 0.6710436067037893, 0.5497004779019703};

// The volume of {distance < 0} in the box [m^3], estimated from evenly spread samples.
double estimated_volume(const SignedDistance& distance, const BoundingBox& box) {
  constexpr int samples = 100000;
  int inside = 0;
  for (int i = 0; i < samples; ++i) {
    Point x{};
    for (int axis = 0; axis < 3; ++axis) {
      const double along = (i + 0.5) * even_step[axis];
      x[axis] = box.minimum[axis] + (along - std::floor(along)) * (box.maximum[axis] - box.minimum[axis]);
    }
    inside += distance(x) < 0;
  }
  double volume = static_cast<double>(inside) / samples;
  for (int axis = 0; axis < 3; ++axis) volume *= box.maximum[axis] - box.minimum[axis];
  return volume;
}

// Searches the lattice spacing for a count of elements. The count decreases with the spacing, but discontinuously where
// complete layers of a symmetric body appear at once; then the lattice is shifted relative to the body.
class SpacingSearch {
 public:
  SpacingSearch(const SignedDistance& distance, const BoundingBox& box, int elements)
      : distance_(distance), box_(box), elements_(elements), volume_(estimated_volume(distance, box)) {}

  TetrahedralMesh run() {
    for (int shift = 0; shift < 8 && !done() && (shift == 0 || !best_.mesh.tetrahedra.empty()); ++shift)
      search({shift * even_step[0], shift * even_step[1], shift * even_step[2]});
    const double count = static_cast<double>(best_.mesh.tetrahedra.size());
    if (count == 0)
      throw Error(Failure::input, fmt::format("the shape has no inside in its box of {:g} m, or it is too thin for {} elements",
                                              box_.diagonal(), elements_));
    if (best_.part < least_part_of_volume || count > most_times_count * elements_ || elements_ > most_times_count * count)
      throw Error(Failure::input,
                  fmt::format("the shape is too thin or too fine for {} elements: the nearest mesh has {} and holds {:.0f} % "
                              "of its volume; another number of elements, most likely a larger one, is required",
                              elements_, count, 100 * best_.part));
    best_.mesh.source = description();
    return std::move(best_.mesh);
  }

 private:
  struct Candidate {
    TetrahedralMesh mesh;
    double spacing = 0;  // m
    double part = 0;     // of the shape's volume
    int pinched = 0;     // boundary edges
    double cost =
        HUGE_VAL;  // |log(count / elements)|; more where the mesh is bad, so that it is taken only for want of a better
  };

  bool done() const { return best_.cost <= std::log1p(stuffing_count_tolerance); }

  std::string description() const {
    std::string text = fmt::format("{} tetrahedra on a lattice of {:.6g} m", best_.mesh.tetrahedra.size(), best_.spacing);
    if (std::abs(static_cast<double>(best_.mesh.tetrahedra.size()) / elements_ - 1) > stuffing_count_tolerance)
      text += fmt::format(" (the nearest to the {} wanted)", elements_);
    if (best_.part < 0.9) text += fmt::format("; it holds {:.0f} % of the shape's volume", 100 * best_.part);
    if (best_.pinched > 0) text += fmt::format("; {} boundary edges are pinched", best_.pinched);
    return text;
  }

  // Steps by the law count ~ spacing^-3, kept within the bracket of spacings that gave too many and too few; where a
  // step leaves it, the bracket is halved.
  void search(const Point& shift) {
    double volume = 1;
    for (int axis = 0; axis < 3; ++axis) volume *= std::max(box_.maximum[axis] - box_.minimum[axis], 1e-6 * box_.diagonal());
    double spacing = std::cbrt(12 * volume / elements_);  // 12 tetrahedra in a cell
    double too_fine = 0, too_coarse = HUGE_VAL;
    for (int iteration = 0; iteration < 14 && !done(); ++iteration) {
      const BodyCenteredLattice lattice(box_, spacing, shift);
      if (lattice.size() > 200000 + 100 * std::int64_t(elements_)) return;  // a fiftieth of the box would do
      const double count = static_cast<double>(attempt(lattice));
      (count > elements_ ? too_fine : too_coarse) = spacing;
      const double predicted = spacing * std::clamp(std::cbrt(count / elements_), 0.5, 2.0);
      const bool inside = predicted > too_fine * 1.0001 && predicted < too_coarse * 0.9999;
      spacing = inside ? predicted : (too_fine + too_coarse) / 2;
      if (!std::isfinite(spacing) || too_coarse - too_fine < 1e-6 * too_coarse) return;
    }
  }

  // Keeps the mesh if it is better; returns its count.
  std::size_t attempt(const BodyCenteredLattice& lattice) {
    Candidate candidate;
    candidate.mesh = stuff_lattice(distance_, lattice);
    const std::size_t count = candidate.mesh.tetrahedra.size();
    if (count == 0) return 0;
    candidate.spacing = lattice.spacing();
    candidate.cost = std::abs(std::log(static_cast<double>(count) / elements_));
    if (candidate.cost >= best_.cost) return count;
    candidate.part = total_volume(candidate.mesh) / std::max(volume_, 1e-300);
    candidate.pinched = pinched_edges(candidate.mesh);
    if (candidate.part < least_part_of_volume) candidate.cost += 20;
    if (candidate.pinched > 0) candidate.cost += 10;
    if (candidate.cost < best_.cost) best_ = std::move(candidate);
    return count;
  }

  const SignedDistance& distance_;
  BoundingBox box_;
  int elements_;
  double volume_;  // m^3
  Candidate best_;
};

}  // namespace

TetrahedralMesh isosurface_stuffing(const SignedDistance& distance, const BoundingBox& box, int elements) {
  if (elements < 12) throw Error(Failure::input, fmt::format("a shape of {} elements, at least 12 are required", elements));
  const double diagonal = box.diagonal();
  if (!(diagonal < 1e6))
    throw Error(Failure::input, fmt::format("the shape's box has a diagonal of {} m, below 1e6 is required", diagonal));
  for (int axis = 0; axis < 3; ++axis)
    if (!(box.minimum[axis] < box.maximum[axis]))
      throw Error(Failure::input, fmt::format("the shape has no inside: its box runs from {:g} to {:g} m along {}",
                                              box.minimum[axis], box.maximum[axis], "xyz"[axis]));
  std::array<double, 3> center{}, half{};
  for (int axis = 0; axis < 3; ++axis) {
    center[axis] = (box.minimum[axis] + box.maximum[axis]) / 2;
    half[axis] = (box.maximum[axis] - box.minimum[axis]) / 2;
  }
  const SignedDistance within = intersection(distance, holo::box(center, half, 0));
  return SpacingSearch(within, box, elements).run();
}

}  // namespace holo
