#pragma once
// All functions of numbers that carry derivatives. Each header of such a number includes it (holo/diff/scalars/nilpotent.h,
// ...).

#include "holo/diff/scalars/functions/elementary_functions.h"
#include "holo/diff/scalars/functions/length_and_angle.h"
#include "holo/diff/scalars/functions/piecewise.h"
#include "holo/diff/scalars/functions/powers.h"
