#pragma once
// Properties of a joint's type, found from its motion alone, so that they hold for the joints of users, too.

#include <Eigen/Core>
#include <vector>

#include "holo/sim/mechanism/model/mechanism_model.h"

namespace holo {

// Whether the joint's point is one point of both bodies at all coordinates: the motion turns about it and has no translation.
// Evaluates the motion at eight sets of coordinates; a translation below 1e-9 of the model's length counts as none.
bool keeps_its_point(const MechanismModel& model, int joint);

// Directions of length 1, at rest, that the joint turns about or slides along, each once: one for a coordinate of its own.
// Empty where none is distinguished: without coordinates, with a quaternion among them, or with three directions.
std::vector<Eigen::Vector3d> axes_of(const MechanismModel& model, int joint);

}  // namespace holo
