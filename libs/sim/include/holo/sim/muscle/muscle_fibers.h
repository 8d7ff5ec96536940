#pragma once
// The muscles of one elastic body, as straight pieces with the elements that each of them pulls. Plain data:
// muscle_definition.h reads it from an experiment, dynamics/ makes an energy of it. An activation a > 0 [Pa] contracts, a < 0
// extends.

#include <Eigen/Core>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "holo/core/error.h"

namespace holo {

// The energy density of an activation a with weight w, for F of an element and the direction d of a piece at rest. All three
// give the same forces in the pose at rest.
enum class MuscleLaw {
  fiber,          // a w sqrt(|F d|^2 + e^2): a constant force along the fiber; bounded from below for every a
  fiber_squared,  // a w |F d|^2 / 2: a force in proportion to the stretch; no equilibrium for a <= -(shear modulus)
  paper           // none: the stress a w (R d)(R d)^T of the polar rotation R of F, a force without a potential
};

// A straight piece with an activation of its own.
struct MuscleSegment {
  std::string name;                             // "longitudinal_1.3": muscle and piece, from 1
  Eigen::Vector3d start, end;                   // at rest, in the model's coordinates, after placement [m]
  Eigen::Vector3d direction;                    // unit, at rest
  std::vector<std::pair<int, double>> weights;  // element of the model, ascending, and weight in (0, 1]
};

// The activation of a muscle over time: a number, or a signal of one number or of one for each piece.
struct MuscleActivation {
  double value = 0;                                     // of each piece [Pa], unless `signal` names one
  std::string signal;                                   // "": none
  Location location;                                    // in the experiment
  std::shared_ptr<const Eigen::MatrixXd> samples = {};  // of the signal, [1 or piece][sample] [Pa]
  double sample_step = 0;                               // [s]

  // Of a piece, from 0, at a time [s]: linear between samples, constant after the last one [Pa].
  double at(double time, int piece) const;
};

// One muscle of the list, whose pieces follow each other among the segments.
struct Muscle {
  std::string name;
  int first_segment = 0, segment_count = 0;
  MuscleActivation activation;
};

struct MuscleFibers {
  MuscleLaw law = MuscleLaw::fiber;
  std::vector<MuscleSegment> segments;
  std::vector<Muscle> muscles;
  double width = 0;             // c of the weights exp(-g^2/c^2) [m]
  double activation_limit = 3;  // of |a|, in multiples of the shear modulus at rest
};

}  // namespace holo
