// Eq 36 of [Luo2019] with a hand-written stress that is wrong by one part in a million: the comparison of the derived with the
// analytic run must find it.
#include <holo/plugin/material.h>

struct SpoiledAnalytic {
  static constexpr auto domain = holo::Domain::positive_determinant;
};
