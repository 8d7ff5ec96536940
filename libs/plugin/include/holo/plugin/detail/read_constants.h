#pragma once
// Runs a plugin's `read` and writes the numbers that it returns to arrays.

#include <type_traits>

#include "holo/diff/scalars/nilpotent.h"
#include "holo/plugin/detail/entry.h"
#include "holo/plugin/parameters.h"

namespace holo::plugin {

// read(ParameterReader<P>) returns a plain struct of n scalars P. Writes them to values [n] and, where it is not null, their
// derivatives in the reader's direction to tangents [n].
template <int n, class Read>
int read_constants(const holo_parameter_reader* reader, double* values, double* tangents, holo_error* error,
                   const Read& read) noexcept {
  return guarded(error, "read", [&] {
    const auto run = [&]<class P>(P) {
      const auto constants = read(ParameterReader<P>(reader));
      static_assert(std::is_trivially_copyable_v<decltype(constants)> && (n == 0 || sizeof(constants) == n * sizeof(P)),
                    "Every member of what `read` returns must be of type S, Vector3<S> or Matrix3<S>");
      [[maybe_unused]] const P* members = reinterpret_cast<const P*>(&constants);
      for (int k = 0; k < n; ++k) {
        if constexpr (std::is_same_v<P, double>) {
          values[k] = members[k];
        } else {
          values[k] = members[k].value();
          tangents[k] = members[k].coefficient(1);
        }
      }
    };
    if (tangents == nullptr) {
      run(double{});
    } else {
      run(Nilpotent<1>{});
    }
    return 0;
  });
}

}  // namespace holo::plugin
