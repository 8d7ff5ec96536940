#include "holo/sim/elastic/element_differentiation.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <optional>

#include "elastic/element/element_differences.h"
#include "elastic/element/element_reference_modes.h"
#include "holo/core/error.h"

namespace holo {
namespace {

using Mode = ElementDifferentiation;

// All modes with names, documentation, and whether they run in the plugin's second library. The order is that of the listing.
constexpr ElementMode modes[] = {
    {Mode::compiled, "compiled", "code that the compiler derived from the energy", false},
    {Mode::csfd, "csfd", "accelerated complex-step numbers, elements in lanes", false},
    {Mode::mcsfd_full, "mcsfd_full", "full complex and multicomplex numbers", true},
    {Mode::naive_complex_step, "complex_step", "full complex numbers, and central differences of their stress for the Hessian",
     true},
    {Mode::cr_form, "cr_form", "the Cauchy-Riemann form of multicomplex numbers; not for energies of principal stretches",
     true},
    {Mode::reverse_ad, "reverse_ad", "a tape of the energy's operations, swept backwards", true},
    {Mode::forward_difference, "forward_difference", "forward differences of the energy", false},
    {Mode::central_difference, "central_difference", "central differences of the energy", false},
    {Mode::analytic, "analytic", "as the material's author wrote them", false},
};

struct PluginOperations {
  holo_material_operation stress, hessian, stress_differential;
};

// The plugin's operations of a mode; none for modes that the plugin itself does not offer.
std::optional<PluginOperations> plugin_operations(Mode mode) {
  switch (mode) {
    case Mode::compiled:
      return PluginOperations{HOLO_MATERIAL_STRESS, HOLO_MATERIAL_HESSIAN, HOLO_MATERIAL_STRESS_DIFFERENTIAL};
    case Mode::csfd:
      return PluginOperations{HOLO_MATERIAL_CSFD_STRESS, HOLO_MATERIAL_CSFD_HESSIAN, HOLO_MATERIAL_CSFD_STRESS_DIFFERENTIAL};
    case Mode::analytic:
      return PluginOperations{HOLO_MATERIAL_ANALYTIC_STRESS, HOLO_MATERIAL_ANALYTIC_HESSIAN,
                              HOLO_MATERIAL_ANALYTIC_STRESS_DIFFERENTIAL};
    default:
      return {};
  }
}

std::string kernel_of(const holo_material& material, holo_material_operation operation) {
  return material.kernels[operation] ? material.kernels[operation] : "unnamed";
}

// The second library; null if there is none, with the reason in `obstacle`.
std::shared_ptr<const MaterialReference> load(const MaterialReferenceLoad& reference, std::string& obstacle) {
  try {
    if (reference) return reference();
    obstacle = "the material is no plugin with a second library";
  } catch (const Error& error) {
    obstacle = error.what();
  }
  return nullptr;
}

// Whether a material has a mode. Plugin modes need both operations, differences the energy alone, the others an operation of
// the second library.
bool offers(Mode mode, const holo_material& material, const MaterialReference* reference) {
  if (const auto operations = plugin_operations(mode))
    return material.operations[operations->stress] && material.operations[operations->hessian];
  if (!element_mode(mode).in_reference) return material.operations[HOLO_MATERIAL_ENERGY];
  return reference && reference_mode(mode, reference->abi()).is_there();
}

std::vector<std::string> offered(const holo_material& material, const MaterialReference* reference) {
  std::vector<std::string> names;
  for (const ElementMode& each : modes)
    if (offers(each.mode, material, reference)) names.emplace_back(each.name);
  return names;
}

// The message names the available modes, and how to build a missing second library.
[[noreturn]] void refuse(Mode mode, const holo_material& material, const MaterialReferenceLoad& reference) {
  std::string obstacle;
  const std::shared_ptr<const MaterialReference> library = load(reference, obstacle);
  const std::string beginning =
      fmt::format("differentiation.elements is {}, but the material '{}' ", to_string(mode), material.name);
  const std::string has = fmt::format("{}", fmt::join(offered(material, library.get()), ", "));
  if (element_mode(mode).in_reference && !library)
    throw Error(Failure::input,
                fmt::format("{0}runs it in its second library, which is missing: {1}. Build it with `cmake --build "
                            "BUILD_FOLDER --target {2}_reference`. Without it the material has: {3}.",
                            beginning, obstacle, material.name, has));
  throw Error(Failure::input, fmt::format("{}lacks it; it has: {}.", beginning, has));
}

}  // namespace

std::span<const ElementMode> element_modes() { return modes; }

const ElementMode& element_mode(Mode mode) {
  for (const ElementMode& each : modes)
    if (each.mode == mode) return each;
  throw Error(Failure::internal, "a mode of differentiation that is not in the table of modes");
}

std::string to_string(Mode mode) { return element_mode(mode).name; }

std::vector<std::string> element_mode_names() {
  std::vector<std::string> names;
  for (const ElementMode& each : modes) names.emplace_back(each.name);
  return names;
}

Mode element_differentiation(const std::string& name) {
  for (const ElementMode& each : modes)
    if (name == each.name) return each.mode;
  throw Error(Failure::input,
              fmt::format("no mode of differentiation '{}'; there are: {}", name, fmt::join(element_mode_names(), ", ")));
}

void require_element_mode(Mode mode, const holo_material& material, const MaterialReferenceLoad& reference) {
  std::string obstacle;
  // The second library is loaded only for modes that need it.
  const auto library = element_mode(mode).in_reference ? load(reference, obstacle) : nullptr;
  if (!offers(mode, material, library.get())) refuse(mode, material, reference);
}

ElementOperations element_operations(Mode mode, const holo_material& material, const MaterialReferenceLoad& reference) {
  require_element_mode(mode, material, reference);
  if (const auto operations = plugin_operations(mode))
    return {material.operations[operations->stress],
            material.operations[operations->hessian],
            material.operations[operations->stress_differential],
            kernel_of(material, operations->stress),
            kernel_of(material, operations->hessian),
            kernel_of(material, operations->stress_differential)};
  // The second library runs one element at a time; differences use the batched energy of the plugin.
  if (element_mode(mode).in_reference) return reference_operations(mode, reference(), material.coefficient_count);
  return difference_operations(mode, material.operations[HOLO_MATERIAL_ENERGY]);
}

std::vector<std::string> modes_with_stress_differential() {
  std::vector<std::string> names;
  for (const ElementMode& each : modes)
    if (plugin_operations(each.mode)) names.emplace_back(each.name);
  return names;
}

std::vector<std::string> modes_with_stress_differential(const holo_material& material) {
  std::vector<std::string> names;
  for (const ElementMode& each : modes)
    if (const auto operations = plugin_operations(each.mode);
        operations && offers(each.mode, material, nullptr) && material.operations[operations->stress_differential])
      names.emplace_back(each.name);
  return names;
}

std::vector<std::string> modes_of(const holo_material& material, const MaterialReferenceLoad& reference) {
  std::string obstacle;
  return offered(material, load(reference, obstacle).get());
}

}  // namespace holo
