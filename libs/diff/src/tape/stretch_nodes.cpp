#include "holo/diff/tape/stretch_nodes.h"

#include "tensor/checks.h"

namespace holo::detail {

void require_simple_stretches(const Vector3<double>& s) {
  for (int i = 0; i < 2; ++i)
    for (int j = i + 1; j < 3; ++j)
      if (!(s[i] - s[j] > 1e-8 * s[0] && s[i] + s[j] > 1e-8 * s[0]))
        throw TensorError(
            TensorError::Kind::repeated_eigenvalue, j,
            "singular values " + number_text(s[i]) + " and " + number_text(s[j]) +
                " are too near, or too nearly opposite, for second derivatives through each of them: write what is "
                "symmetric in them as function_of_stretches()");
}

}  // namespace holo::detail
