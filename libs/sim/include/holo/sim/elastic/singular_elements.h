#pragma once
// Elements at which a material's derivatives are not finite: those alone are evaluated again, in one-sided series, by the
// second library of the material's plugin (NAME.reference.so), which is loaded when the first such element appears.

#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <string>

#include "holo/core/abi.h"
#include "holo/core/configuration.h"
#include "holo/core/plugins/plugin_host.h"

namespace holo {

// The derivative of an element at a kink, where those from the two sides differ; or nothing is done at any singular point.
enum class SingularChoice { mean, right, left, throw_error, leave };

// Reads `singular` of the `differentiation:` section (default mean).
SingularChoice read_singular_choice(Configuration& differentiation);

// Evaluations of elements, by what was found. An element counts once for each Hessian.
struct SingularElementCounts {
  std::int64_t resolved = 0;           // both sides have the same derivatives
  std::int64_t one_sided = 0;          // the energy has real values on one side only
  std::int64_t nondifferentiable = 0;  // the sides differ: as chosen
  std::int64_t unresolved = 0;         // no finite derivatives: they stay what they were

  std::int64_t total() const { return resolved + one_sided + nondifferentiable + unresolved; }
  SingularElementCounts& operator+=(const SingularElementCounts& other);
};

enum class ElementOperation { energy = 0, stress = 1, hessian = 2 };  // the order of the derivative

class SingularElements {
 public:
  // `load` gives the second library, or throws Error where there is none; a null function is none too.
  using Load = std::function<std::shared_ptr<const MaterialReference>()>;
  SingularElements(std::string body, SingularChoice choice, Load load)
      : body_(std::move(body)), choice_(choice), load_(std::move(load)) {}

  // Looks over the output of an operation on `batch` and replaces what is not finite. `elements` [block][lane]: numbers within
  // the body, -1 for padding, which is set to 0; null where there is none. Adds to `counts` for Hessians, unless it is null.
  // Infinite energies stay: outside a material's domain nothing is singular.
  // Throws Error(input) with body and element where the sides differ and the choice is throw_error.
  void resolve(const holo_batch& batch, std::uint32_t coefficient_count, ElementOperation operation, const int* elements,
               int first_element, SingularElementCounts* counts) const;

  // Why nothing can be resolved, after the first try; empty where it can.
  std::string obstacle() const;

 private:
  struct Lane;  // one lane of one block
  void resolve_lane(const Lane& one, int element, SingularElementCounts* counts) const;
  const holo_material_reference* reference() const;

  std::string body_;
  SingularChoice choice_;
  Load load_;
  mutable std::once_flag loaded_;
  mutable std::shared_ptr<const MaterialReference> library_;
  mutable std::string obstacle_;
};

}  // namespace holo
