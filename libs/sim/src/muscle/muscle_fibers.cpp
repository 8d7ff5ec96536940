// Segments with their weights, from the definition and a mesh at rest.
#include "holo/sim/muscle/muscle_fibers.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "holo/sim/motion/sample_place.h"
#include "holo/sim/muscle/muscle_definition.h"
#include "muscle/segment_distances.h"

namespace holo {
namespace {

constexpr double smallest_weight = 1e-3;  // below it an element does not feel the segment
constexpr double needed_weight = 0.1;     // of one element at least
constexpr double lowest_share = -0.8;     // of the shear modulus; the energy of fiber_squared has no lower bound from -1 on

void require_equilibrium(const MusclesDefinition& definition, const MuscleBody& body) {
  if (definition.law != MuscleLaw::fiber_squared) return;
  for (const MuscleDefinition& muscle : definition.list) {
    const double found = muscle.activation.samples ? muscle.activation.samples->minCoeff() : muscle.activation.value;
    const double lowest = lowest_share * body.shear_modulus;
    if (found >= 0 || found >= lowest) continue;
    const std::string bound = std::isfinite(lowest) ? fmt::format("{:.6g} Pa, -0.8 of the shear modulus", lowest)
                                                    : std::string("0, since the shear modulus of the material is not known");
    throw_input_error(
        muscle.location,
        fmt::format("muscle '{}' of body '{}': the activation {:.6g} Pa is below {}; with the law fiber_squared a "
                    "body has no equilibrium from minus the shear modulus on. The law fiber has no such bound.",
                    muscle.name, body.name, found, bound));
  }
}

[[noreturn]] void refuse_segment(const MuscleDefinition& muscle, const MuscleSegment& segment, const TetrahedralMesh& rest,
                                 const MuscleBody& body, const SegmentDistances::Result& result, double width) {
  const Eigen::Vector3d &a = segment.start, &b = segment.end;
  throw_input_error(
      muscle.location,
      fmt::format("muscle '{}', piece '{}' from [{:.6g}, {:.6g}, {:.6g}] to [{:.6g}, {:.6g}, {:.6g}]: no element of body '{}' "
                  "has a weight above {:g}; the nearest is element {}, whose center is {:.6g} m away. {}",
                  muscle.name, segment.name, a.x(), a.y(), a.z(), b.x(), b.y(), b.z(), body.name, needed_weight,
                  element_number(rest, static_cast<std::size_t>(result.nearest_element)), result.nearest_distance,
                  result.inside ? fmt::format("The width {:.6g} m is too small for these elements.", width)
                                : std::string("It is a muscle outside its body.")));
}

class FiberMaker {
 public:
  FiberMaker(const MusclesDefinition& definition, const TetrahedralMesh& rest, const MuscleBody& body)
      : definition_(definition), rest_(rest), body_(body), distances_(rest) {
    fibers_.law = definition.law;
    fibers_.width = definition.width;
    fibers_.activation_limit = definition.activation_limit;
  }

  MuscleFibers make() {
    for (const MuscleDefinition& muscle : definition_.list)
      for (std::size_t k = 0; k < muscle.curves.fibers.size(); ++k)
        add_fiber(muscle, fiber_name(muscle, k), muscle.curves.fibers[k]);
    if (definition_.normalize) normalize();
    for (MuscleSegment& segment : fibers_.segments) place(segment);
    return std::move(fibers_);
  }

 private:
  void add_fiber(const MuscleDefinition& muscle, const std::string& name, const Polyline& line) {
    fibers_.muscles.push_back(
        {name, static_cast<int>(fibers_.segments.size()), static_cast<int>(line.size()) - 1, muscle.activation});
    for (std::size_t i = 1; i < line.size(); ++i) {
      MuscleSegment segment{fmt::format("{}.{}", name, i), line[i - 1], line[i], (line[i] - line[i - 1]).normalized(), {}};
      add_weights(muscle, segment);
      fibers_.segments.push_back(std::move(segment));
    }
  }

  // w = exp(-g^2/c^2). Those below the smallest weight are left out, so that distances are needed up to c sqrt(ln 1000) only,
  // which is less than 3 c.
  void add_weights(const MuscleDefinition& muscle, MuscleSegment& segment) {
    const double width = definition_.width;
    const SegmentDistances::Result result =
        distances_.from(segment.start, segment.end, width * std::sqrt(-std::log(smallest_weight)) * (1 + 1e-12));
    double largest = 0;
    for (const auto& [element, distance] : result.reached) {
      const double weight = std::exp(-distance * distance / (width * width));
      if (weight < smallest_weight) continue;
      segment.weights.emplace_back(body_.first_element + element, weight);
      largest = std::max(largest, weight);
    }
    if (!(largest > needed_weight)) refuse_segment(muscle, segment, rest_, body_, result, width);
  }

  void normalize() {
    std::vector<double> sums(rest_.tetrahedra.size(), 0.0);
    for (const MuscleSegment& segment : fibers_.segments)
      for (const auto& [element, weight] : segment.weights)
        sums[static_cast<std::size_t>(element - body_.first_element)] += weight;
    const double largest = *std::max_element(sums.begin(), sums.end());
    for (MuscleSegment& segment : fibers_.segments)
      for (auto& [element, weight] : segment.weights) weight /= largest;
  }

  void place(MuscleSegment& segment) const {
    segment.start = body_.placement * segment.start;
    segment.end = body_.placement * segment.end;
    segment.direction = body_.placement.linear() * segment.direction;
  }

  const MusclesDefinition& definition_;
  const TetrahedralMesh& rest_;
  const MuscleBody& body_;
  SegmentDistances distances_;
  MuscleFibers fibers_;
};

}  // namespace

MuscleFibers make_muscle_fibers(const MusclesDefinition& definition, const TetrahedralMesh& rest, const MuscleBody& body) {
  require_equilibrium(definition, body);
  return FiberMaker(definition, rest, body).make();
}

double MuscleActivation::at(double time, int piece) const {
  if (!samples) return value;
  const SamplePlace at = place_among_samples(samples->cols(), sample_step, time);
  const Eigen::Index row = samples->rows() == 1 ? 0 : piece;
  return (1 - at.share) * (*samples)(row, at.number) + at.share * (*samples)(row, at.next);
}

}  // namespace holo
