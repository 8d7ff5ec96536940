#include "plugin_registration.h"

#include <cstdio>
#include <cstring>
#include <exception>
#include <vector>

#include "holo/core/plugin_host.h"

namespace holo {

namespace {

constexpr holo_stamp host_stamp = HOLO_STAMP;

constexpr const char* operation_names[HOLO_MATERIAL_OPERATION_COUNT] = {"energy",
                                                                        "stress",
                                                                        "hessian",
                                                                        "projected_hessian",
                                                                        "directional_hessian",
                                                                        "third_order_contraction",
                                                                        "coefficient_gradient",
                                                                        "coefficient_stress",
                                                                        "analytic_stress",
                                                                        "analytic_hessian"};

void require(bool condition, const std::string& reason) {
  if (!condition) throw PluginRefusal{reason};
}

// Reads no more of a stamp than its own size says.
void require_same_stamp(const holo_stamp& stamp) {
  if (stamp.size == host_stamp.size) {
    require(std::memcmp(&stamp, &host_stamp, sizeof stamp) == 0,
            "it was built for another interface: it has " + to_string(stamp) + "; this program has " + to_string(host_stamp) +
                ". Build it anew against this program's headers and flags");
    return;
  }
  throw PluginRefusal{"it was built for another interface: its stamp has " + std::to_string(stamp.size) +
                      " bytes, this program's " + std::to_string(host_stamp.size) + " (" + to_string(host_stamp) +
                      "). Build it anew against this program's headers"};
}

void require_name(const char* found, const std::string& expected) {
  require(found != nullptr, "what it registers has no name (a null pointer)");
  require(found == expected, "it registers '" + std::string(found, strnlen(found, 200)) + "', but its file is called '" +
                                 expected + "': the two must be equal");
}

bool is_required(int operation, std::uint32_t coefficient_count) {
  switch (operation) {
    case HOLO_MATERIAL_PROJECTED_HESSIAN:
    case HOLO_MATERIAL_ANALYTIC_STRESS:
    case HOLO_MATERIAL_ANALYTIC_HESSIAN:
      return false;
    case HOLO_MATERIAL_COEFFICIENT_GRADIENT:
    case HOLO_MATERIAL_COEFFICIENT_STRESS:
      return coefficient_count > 0;
    default:
      return true;
  }
}

void check(const holo_material& material, const std::string& name) {
  require_same_stamp(material.stamp);
  require_name(material.name, name);
  require(material.summary != nullptr && material.documentation != nullptr,
          "its summary or documentation is a null pointer; it may be empty text");
  require(material.domain <= HOLO_DOMAIN_DETERMINANT_INTERVAL,
          "its domain is " + std::to_string(material.domain) +
              "; allowed are 0 (all), 1 (positive determinant) and 2 (an interval of the determinant)");
  if (material.domain == HOLO_DOMAIN_DETERMINANT_INTERVAL)
    require(material.determinant_minimum >= 0 && material.determinant_minimum < 1 && material.determinant_maximum > 1,
            "its determinants lie between " + std::to_string(material.determinant_minimum) + " and " +
                std::to_string(material.determinant_maximum) +
                "; an interval of the determinant begins at 0 or above and contains 1 in its inside");
  require(material.coefficient_count <= 10000,
          "it has " + std::to_string(material.coefficient_count) + " coefficients; at most 10000 are allowed");
  if (material.coefficient_names != nullptr)
    for (std::uint32_t i = 0; i < material.coefficient_count; ++i)
      require(material.coefficient_names[i] != nullptr,
              "the name of its coefficient " + std::to_string(i) + " is a null pointer");
  require(material.read != nullptr, "the required function 'read' is missing");
  require(material.write_formula != nullptr, "the required function 'write_formula' is missing");
  for (int i = 0; i < HOLO_MATERIAL_OPERATION_COUNT; ++i) {
    const std::string operation = operation_names[i];
    if (material.operations[i] == nullptr)
      require(!is_required(i, material.coefficient_count), "the required operation '" + operation + "' is missing");
    else
      require(material.kernels[i] != nullptr,
              "the operation '" + operation + "' does not say what runs: its kernel is a null pointer");
  }
}

void check(const holo_material_reference& reference, const std::string& name) {
  require_same_stamp(reference.stamp);
  require_name(reference.name, name);
  const bool coefficients = reference.coefficient_count == 0 ||
                            (reference.coefficient_gradient != nullptr && reference.coefficient_stress != nullptr);
  require(reference.energy != nullptr && reference.stress != nullptr && reference.hessian != nullptr &&
              reference.directional_hessian != nullptr && reference.third_order_contraction != nullptr &&
              reference.one_sided != nullptr && coefficients,
          "a required function of its reference table is missing");
}

// Runs during the entry, on the other side of the border: nothing may be thrown, so a reason is kept for afterwards.
struct Registration {
  const std::string& name;
  std::vector<const holo_material*> materials;
  std::vector<const holo_material_reference*> references;
  std::string reason;

  template <class Table>
  int add(std::vector<const Table*>& tables, const Table* table, holo_error* error) noexcept {
    try {
      try {
        require(table != nullptr, "it registers a null pointer");
        check(*table, name);
        tables.push_back(table);
        return 0;
      } catch (const PluginRefusal& refusal) {
        if (reason.empty()) reason = refusal.reason;
        if (error != nullptr && error->size == sizeof *error)
          std::snprintf(error->message, sizeof error->message, "%s", refusal.reason.c_str());
      }
    } catch (...) {  // out of memory: refused without a word
    }
    return 1;
  }
};

int add_material(void* self, const holo_material* material, holo_error* error) {
  Registration& registration = *static_cast<Registration*>(self);
  return registration.add(registration.materials, material, error);
}

int add_material_reference(void* self, const holo_material_reference* reference, holo_error* error) {
  Registration& registration = *static_cast<Registration*>(self);
  return registration.add(registration.references, reference, error);
}

void run_entry(const SharedLibrary& library, Registration& registration) {
  const holo_registrar registrar{sizeof(holo_registrar), &registration, add_material, add_material_reference};
  holo_error error{};
  error.size = sizeof error;
  const int status = guarded("entry", [&] { return library.entry()(&host_stamp, &registrar, &error); });
  if (!registration.reason.empty()) throw PluginRefusal{registration.reason};
  if (status == 0) return;
  const std::string text = to_text(error);
  throw PluginRefusal{text.empty() ? "its entry failed (" + std::to_string(status) + ") without giving a reason" : text};
}

}  // namespace

std::string to_text(const holo_error& error) {
  std::string text(error.message, strnlen(error.message, sizeof error.message));
  for (char& c : text)
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) c = ' ';
  return text;
}

const holo_material* register_material(const SharedLibrary& library, const std::string& name) {
  Registration registration{name, {}, {}, {}};
  run_entry(library, registration);
  require(registration.references.empty(), "it registers a reference table, which belongs into '" + name + ".reference.so'");
  require(!registration.materials.empty(), "it registers no material");
  require(registration.materials.size() == 1, "it registers " + std::to_string(registration.materials.size()) +
                                                  " materials named '" + name + "'; a plugin has one");
  return registration.materials.front();
}

const holo_material_reference* register_material_reference(const SharedLibrary& library, const std::string& name) {
  Registration registration{name, {}, {}, {}};
  run_entry(library, registration);
  require(registration.materials.empty(), "it registers a material, which belongs into '" + name + ".so'");
  require(registration.references.size() == 1,
          "it registers " + std::to_string(registration.references.size()) + " reference tables; it must register one");
  return registration.references.front();
}

std::string to_string(const holo_stamp& stamp) {
  const auto field = [](std::uint32_t value, const char* what) { return ", " + std::to_string(value) + what; };
  return "ABI " + std::to_string(stamp.abi_version) + field(stamp.lane_width, " lanes") +
         field(stamp.material_operation_count, " material operations") + ", structs of " + std::to_string(stamp.material_size) +
         "/" + std::to_string(stamp.reference_size) + "/" + std::to_string(stamp.batch_size) + "/" +
         std::to_string(stamp.parameter_size) + "/" + std::to_string(stamp.reader_size) + "/" +
         std::to_string(stamp.registrar_size) + " bytes";
}

}  // namespace holo
