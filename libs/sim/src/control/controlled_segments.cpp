#include "holo/sim/control/controlled_segments.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace holo {
namespace {

// Of the shear modulus; below it the law fiber_squared comes near to where it has no equilibrium.
constexpr double least_squared_activation = -0.8;

void add_segments(const ElasticBody& body, bool is_only_body, std::vector<ControlledSegment>& segments) {
  const MuscleFibers& muscles = *body.muscles;
  if (!std::isfinite(body.shear_modulus))
    throw Error(Failure::internal, fmt::format("the muscles of the body '{}' have no shear modulus as a unit", body.name));
  const double upper = muscles.activation_limit * body.shear_modulus;
  const double lower =
      muscles.law == MuscleLaw::fiber_squared ? std::max(-upper, least_squared_activation * body.shear_modulus) : -upper;
  for (const Muscle& muscle : muscles.muscles)
    for (int piece = 0; piece < muscle.segment_count; ++piece) {
      const MuscleSegment& segment = muscles.segments[static_cast<std::size_t>(muscle.first_segment + piece)];
      segments.push_back({&body, &segment, is_only_body ? segment.name : body.name + "." + segment.name,
                          muscle.activation.value, lower, upper});
    }
}

}  // namespace

// As the energies of muscles have them: bodies whose law has an energy, then those of the law `paper`.
std::vector<ControlledSegment> controlled_segments(const ElasticModel& model) {
  std::vector<ControlledSegment> segments;
  const auto has_muscles = [](const ElasticBody& body) { return body.muscles != nullptr; };
  const bool is_only_body = std::count_if(model.bodies().begin(), model.bodies().end(), has_muscles) == 1;
  for (const bool has_energy : {true, false})
    for (const ElasticBody& body : model.bodies())
      if (body.muscles && (body.muscles->law != MuscleLaw::paper) == has_energy) add_segments(body, is_only_body, segments);
  return segments;
}

double activation_unit(const std::vector<ControlledSegment>& segments) {
  double unit = std::numeric_limits<double>::infinity();
  for (const ControlledSegment& each : segments) unit = std::min(unit, each.body->shear_modulus);
  return unit;
}

DenseBounds activation_bounds(const std::vector<ControlledSegment>& segments, double unit) {
  const auto count = static_cast<Eigen::Index>(segments.size());
  DenseBounds bounds{Eigen::VectorXd(count), Eigen::VectorXd(count)};
  for (Eigen::Index i = 0; i < count; ++i) {
    bounds.lower[i] = segments[static_cast<std::size_t>(i)].lower / unit;
    bounds.upper[i] = segments[static_cast<std::size_t>(i)].upper / unit;
  }
  return bounds;
}

}  // namespace holo
