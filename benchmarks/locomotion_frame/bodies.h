#pragma once
// The bodies of [Shen2024] Table 2 that a benchmark of locomotion measures, with the elements and activations of the table.
// Their shapes and the courses of their muscles are not in the paper, which shows pictures: they are chosen here.

#include <memory>
#include <string>
#include <vector>

#include "holo/sim/mesh/shapes.h"
#include "holo/sim/muscle/muscle_definition.h"

namespace holo::benchmark {

// [Shen2024] Table 2: contacts, and the seconds of a time step on a processor of 24 cores for a forward simulation, a gradient,
// a Hessian, and the whole inverse solve.
struct PaperFrame {
  int contacts;
  double simulation, gradient, hessian, solve;
};

struct LocomotionBody {
  std::string name;
  int elements, activations;  // of the paper
  PaperFrame paper;
  double youngs_modulus, poissons_ratio;  // [Pa], [1]
  SignedDistance distance;                // stands on z = 0
  BoundingBox bounds;
  std::string muscles;  // YAML, as in muscle_definition.h
};

std::vector<LocomotionBody> locomotion_bodies();

// From the body's YAML.
std::shared_ptr<const MusclesDefinition> muscles_of(const LocomotionBody& body);

}  // namespace holo::benchmark
