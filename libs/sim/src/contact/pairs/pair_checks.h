#pragma once
// Checks of the distances of contact pairs, with messages that name the features.

#include "holo/sim/contact/pairs/closest_features.h"

namespace holo::pairs {

// Returns the squared distance [m^2]. Throws Error(internal) if it is not finite.
double finite(double squared_distance, const ClosestFeatures& features);
// Returns the squared distance. Throws Error(internal) also if the features are closer than 1e-40 m, where the derivatives of
// distances and barriers begin to overflow.
double apart(double squared_distance, const ClosestFeatures& features);

}  // namespace holo::pairs
