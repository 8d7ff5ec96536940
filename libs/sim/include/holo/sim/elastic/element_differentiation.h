#pragma once
// The modes of `differentiation.elements`: how stress and stiffness of an element come from its material's energy.
//
// The plugin itself offers compiled, csfd and, where the author wrote them, analytic operations; differences need its energy
// alone. The other modes are slow and run in the plugin's second library, NAME.reference.so, one element at a time.

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "holo/core/abi.h"
#include "holo/core/configuration.h"
#include "holo/core/plugins/plugin_host.h"

namespace holo {

enum class ElementDifferentiation {
  compiled,            // code that the compiler derived from the energy: reverse and tangent sweeps over its graph
  csfd,                // accelerated complex-step numbers, elements in lanes
  mcsfd_full,          // full complex and multicomplex numbers
  naive_complex_step,  // `complex_step`: full complex numbers; the Hessian by central differences of their stress
  cr_form,             // multicomplex numbers in their Cauchy-Riemann form, real matrices
  reverse_ad,          // a tape of the energy's operations, swept backwards
  forward_difference,  // of the energy
  central_difference,  // of the energy
  analytic             // as the material's author wrote them
};

struct ElementMode {
  ElementDifferentiation mode;
  const char* name;
  const char* summary;
  bool in_reference;  // needs the plugin's second library
};

// All modes; `compiled`, the default, comes first.
std::span<const ElementMode> element_modes();
const ElementMode& element_mode(ElementDifferentiation mode);
std::string to_string(ElementDifferentiation mode);
// The modes' names: "compiled", "csfd", ...
std::vector<std::string> element_mode_names();
// The mode of a name. Throws Error(input) for an unknown name, with all names.
ElementDifferentiation element_differentiation(const std::string& name);

// Returns the second library, or throws Error if there is none. A null function means that there is none.
using MaterialReferenceLoad = std::function<std::shared_ptr<const MaterialReference>()>;

// An operation of a material on a batch of the plugin ABI.
using ElementFunction = std::function<void(const holo_batch*)>;

struct ElementOperations {
  ElementFunction stress, hessian;
  ElementFunction stress_differential;                             // d/dt P(F + t direction1); null: the mode has none
  std::string stress_kernel, hessian_kernel, differential_kernel;  // what runs, for the log
};

// The operations of a mode. They keep the second library, and use the material, which must live longer.
// Throws Error(input) for a mode that the material lacks: with those that it has, and where a library is missing, how it is
// built.
ElementOperations element_operations(ElementDifferentiation mode, const holo_material& material,
                                     const MaterialReferenceLoad& reference);

// Throws the same, and does nothing else.
void require_element_mode(ElementDifferentiation mode, const holo_material& material, const MaterialReferenceLoad& reference);

// The names of the modes with a stress differential, which products of the Hessian with vectors need; of a material those that
// it offers.
std::vector<std::string> modes_with_stress_differential();
std::vector<std::string> modes_with_stress_differential(const holo_material& material);

// The names of the modes that the material has; those of the second library only where it is there.
std::vector<std::string> modes_of(const holo_material& material, const MaterialReferenceLoad& reference);

}  // namespace holo
