#pragma once
// The muscle segments of a model in the order of their activations (InverseStep), with the limits of each.

#include <string>
#include <vector>

#include "holo/opt/dense/dense_minimizer.h"
#include "holo/sim/elastic/elastic_model.h"

namespace holo {

struct ControlledSegment {
  const ElasticBody* body = nullptr;
  const MuscleSegment* segment = nullptr;
  std::string name;             // of the segment; with several bodies "BODY.SEGMENT"
  double start = 0;             // activation before the first step, that of the scene [Pa]
  double lower = 0, upper = 0;  // of the activation: activation_limit times the shear modulus [Pa]
};

// The model lives longer. Throws Error(internal) for a body with muscles whose shear modulus at rest is not known.
std::vector<ControlledSegment> controlled_segments(const ElasticModel& model);

// The smallest shear modulus of bodies with muscles [Pa]: the unit of activations.
double activation_unit(const std::vector<ControlledSegment>& segments);
// The limits over `unit`.
DenseBounds activation_bounds(const std::vector<ControlledSegment>& segments, double unit);

}  // namespace holo
