#pragma once
// All matrix-level nodes of a tape.

#include "holo/diff/tape/checkpoint.h"
#include "holo/diff/tape/cholesky_nodes.h"
#include "holo/diff/tape/determinant_nodes.h"
#include "holo/diff/tape/element_nodes.h"
#include "holo/diff/tape/entry_nodes.h"
#include "holo/diff/tape/matrix_arithmetic.h"
#include "holo/diff/tape/polar_nodes.h"
#include "holo/diff/tape/solve_nodes.h"
#include "holo/diff/tape/spectral_nodes.h"
#include "holo/diff/tape/stretch_nodes.h"
