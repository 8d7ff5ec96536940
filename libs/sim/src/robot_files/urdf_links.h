#pragma once
// Reader of a URDF's links: inertia and shapes for contact.

#include "robot_files/robot_readers.h"

namespace holo {

// The pose of an element's `origin`, the identity without one.
Eigen::Isometry3d urdf_origin(const XmlElement& element);

// Adds the inertia and the shapes of `link` to the body of this number.
void read_urdf_link(const XmlElement& link, int body, ArticulatedModel& model);

}  // namespace holo
