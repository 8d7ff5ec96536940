#include <algorithm>
#include <cmath>

#include "holo/comparison/timing_task.h"
#include "holo/diff/solid/tetrahedron_chain.h"
#include "timing/peers.h"

namespace holo::comparison {

namespace {

// A smooth deformation whose gradient departs from the identity by up to `strain` in each entry.
std::array<double, 3> deformed(const std::array<double, 3>& x, double length, double strain) {
  const double k = 2 * M_PI / length;
  std::array<double, 3> y = x;
  for (std::size_t i = 0; i < 3; ++i)
    y[i] += strain / (3 * k) *
            (std::sin(k * x[0] + double(i)) + std::sin(k * x[1] + 2 * double(i)) + std::cos(k * x[2] + double(i)));
  return y;
}

std::vector<ElementRecord> records(const TetrahedralMesh& mesh, double strain) {
  const double length = bounding_box(mesh).diagonal();
  std::vector<ElementRecord> elements;
  for (const std::array<int, 4>& tetrahedron : mesh.tetrahedra) {
    ElementRecord& element = elements.emplace_back();
    std::array<double, 3> rest[4];
    for (std::size_t a = 0; a < 4; ++a) {
      rest[a] = mesh.vertices[static_cast<std::size_t>(tetrahedron[a])];
      const std::array<double, 3> now = deformed(rest[a], length, strain);
      std::copy(now.begin(), now.end(), element.vertices + 3 * a);
    }
    Matrix3<double> edges{};
    for (int i = 0; i < 3; ++i)
      for (int a = 0; a < 3; ++a) edges(i, a) = rest[a + 1][std::size_t(i)] - rest[0][std::size_t(i)];
    std::copy_n(inverse(edges).entries, 9, element.inverse_rest);
    element.volume = determinant(edges) / 6;
    std::fill(std::begin(element.unused), std::end(element.unused), 0.0);
  }
  while (elements.size() % HOLO_LANE_WIDTH != 0) elements.push_back(ElementRecord(elements.back()));
  return elements;
}

// Inputs, the first contestant's results, which the others are compared with, and the memory that all write to: with one for
// each, the later ones would find theirs outside of the caches.
struct Elements {
  std::vector<ElementRecord> records;
  AlignedDoubles reference, results;
  std::size_t entries = 0;   // of an element's output
  std::size_t compared = 0;  // of these; the rest fills up registers
};

// The largest difference of an entry, over the largest entry of its element.
double largest_difference(const Elements& elements) {
  double worst = 0;
  for (std::size_t e = 0; e < elements.records.size(); ++e) {
    double error = 0, size = 0;
    for (std::size_t k = e * elements.entries; k < e * elements.entries + elements.compared; ++k) {
      const double d = std::abs(elements.results[k] - elements.reference[k]);
      error = d > error || std::isnan(d) ? d : error;
      size = std::max(size, std::abs(elements.reference[k]));
    }
    if (!(error / size <= worst)) worst = error / size;
  }
  return worst;
}

Contestant contestant(const std::string& name, const std::string& summary, bool is_yardstick, const Kernel& kernel,
                      const std::shared_ptr<const Elements>& elements) {
  if (!kernel) return {name, summary, is_yardstick, {}, {}};
  return {name, summary, is_yardstick, [=] { kernel(elements->records, elements->results.get()); },
          [=] { return largest_difference(*elements); }};
}

std::string identifier(const std::string& name) {
  std::string result;
  for (char c : name) {
    if (std::isalnum(static_cast<unsigned char>(c)))
      result += c;
    else if (!result.empty() && result.back() != '_')
      result += '_';
  }
  return result;
}

struct ElementContestant {
  NamedKernel kernel;
  std::string summary;
  bool is_yardstick = false;
};

using ElementMode = void (*)(const double* F, const double* coefficients, double* result);

// A contestant from a function of F that gives stress [9] or the upper half of the Hessian [45], one element at a time.
template <class Run>
Kernel element_kernel(const Run& run, DerivativeKind quantity) {
  return [run, quantity](std::span<const ElementRecord> elements, double* output) {
    for (const ElementRecord& element : elements) {
      Vector<double, 12> vertices{};
      Matrix3<double> inverse_rest{};
      std::copy_n(element.vertices, 12, vertices.entries);
      std::copy_n(element.inverse_rest, 9, inverse_rest.entries);
      const Matrix3<double> F = deformation_gradient(vertices, inverse_rest);
      double result[upper_count_9], upper[upper_count_12];
      run(F.entries, result);
      if (quantity == DerivativeKind::gradient) {
        Matrix3<double> P{};
        std::copy_n(result, 9, P.entries);
        const Vector<double, 12> gradient = vertex_gradient(P, inverse_rest, element.volume);
        output = std::copy_n(gradient.entries, gradient_entries, output);
      } else {
        vertex_hessian<double>([&](int k) { return result[k]; }, inverse_rest, element.volume,
                               [&](int k, double value) { upper[k] = value; });
        if (quantity == DerivativeKind::symmetric_hessian) {
          std::copy_n(upper, upper_count_12, output);
          output += symmetric_hessian_entries;
          continue;
        }
        for (int i = 0; i < 12; ++i)
          for (int j = 0; j < 12; ++j) *output++ = upper[upper_index<12>(i, j)];
      }
    }
  };
}

// The plugin's compiled operation comes first.
std::vector<ElementContestant> contestants(const MaterialPlugin& material, const MaterialReference* reference,
                                           const std::vector<double>& coefficients, DerivativeKind quantity) {
  const bool first = quantity == DerivativeKind::gradient;
  std::vector<ElementContestant> result;
  const auto add_operation = [&](const char* name, holo_material_operation operation) {
    const char* summary = material.abi().kernels[operation];
    if (const holo_batch_function function = material.abi().operations[operation])
      result.push_back({{name, plugin_kernel(function, quantity, coefficients)}, summary ? summary : ""});
  };
  add_operation("compiled", first ? HOLO_MATERIAL_STRESS : HOLO_MATERIAL_HESSIAN);
  add_operation("csfd", first ? HOLO_MATERIAL_CSFD_STRESS : HOLO_MATERIAL_CSFD_HESSIAN);
  for (const NamedKernel& kernel : hand_written_kernels(material.name(), quantity, coefficients))
    result.push_back({{identifier(kernel.name), kernel.run}, kernel.name, true});
  for (const PeerMode& peer : peer_modes(material.name(), first ? 1 : 2, coefficients))
    result.push_back({{peer.name, peer.run ? element_kernel(peer.run, quantity) : Kernel()}, peer.summary});
  if (!reference) return result;
  const holo_material_reference& modes = reference->abi();
  const auto add = [&](const char* name, const char* text, ElementMode mode) {
    if (!mode) return;
    const auto run = [mode, coefficients](const double* F, double* output) { mode(F, coefficients.data(), output); };
    result.push_back({{name, element_kernel(run, quantity)}, text});
  };
  add("imaginary_only",
      "accelerated steps in the entries of F, directions in lanes with one real part, or in the principal stretches",
      first ? modes.accelerated_stress : modes.accelerated_hessian);
  add("brute_force",
      first ? "9 full complex steps in the entries of F, or 3 in the principal stretches"
            : "45 full multicomplex steps in the entries of F, or 9 in the principal stretches",
      first ? modes.complex_step_stress : modes.multicomplex_step_hessian);
  return result;
}

}  // namespace

const std::vector<std::string>& reference_contestants() {
  static const std::vector<std::string> names{"imaginary_only", "brute_force"};
  return names;
}

std::vector<std::string> element_derivative_contestants(const MaterialPlugin& material, const MaterialReference* reference,
                                                        const std::vector<double>& coefficients, DerivativeKind quantity) {
  std::vector<std::string> names;
  for (const ElementContestant& each : contestants(material, reference, coefficients, quantity))
    names.push_back(each.kernel.name);
  return names;
}

TimingTask element_derivative_task(const MaterialPlugin& material, const MaterialReference* reference,
                                   const std::vector<double>& coefficients, DerivativeKind quantity,
                                   const TetrahedralMesh& mesh, double strain) {
  const std::vector<ElementContestant> list = contestants(material, reference, coefficients, quantity);
  const auto elements = std::make_shared<Elements>();
  elements->records = records(mesh, strain);
  elements->entries = std::size_t(entries_of(quantity));
  elements->compared = quantity == DerivativeKind::symmetric_hessian ? upper_count_12 : elements->entries;
  elements->reference = aligned_doubles(elements->records.size() * elements->entries);
  elements->results = aligned_doubles(elements->records.size() * elements->entries);
  list.front().kernel.run(elements->records, elements->reference.get());
  TimingTask task{"element", elements->records.size(), {}};
  for (const ElementContestant& each : list)
    task.contestants.push_back(contestant(each.kernel.name, each.summary, each.is_yardstick, each.kernel.run, elements));
  return task;
}

}  // namespace holo::comparison
