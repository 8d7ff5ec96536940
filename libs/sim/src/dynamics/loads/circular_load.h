#pragma once
// Forces along circles about an axis, -s(t) sum_v f_v . (x_v - X_v) with f_v = w_v M x (X_v - c) for a moment M [N m] and the
// center c. The weights w_v = m_v / sum m |M/|M| x (X - c)|^2 are proportional to the vertices' masses m_v, and the sum of
// moments about the axis is M. The forces keep their direction and size; about the center of mass their sum is 0.

#include "dynamics/loads/loads.h"

namespace holo {

// M [N m] is not 0. Throws Error(input) for a body all of whose vertices of the subset are on the axis.
LoadMaker circular_load(const Vector3d& moment, const Vector3d& center);

}  // namespace holo
