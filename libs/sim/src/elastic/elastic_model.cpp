#include "holo/sim/elastic/elastic_model.h"

#include <fmt/format.h>

#include "elastic/elastic_model_builder.h"

namespace holo {

ElasticModel::ElasticModel(const ElasticModelDefinition& definition) { ElasticModelBuilder(definition, *this).build(); }

std::shared_ptr<const ElasticModel> ElasticModel::with_coefficients(const std::vector<std::vector<double>>& values) const {
  auto copy = std::make_shared<ElasticModel>(*this);
  for (std::size_t b = 0; b < values.size(); ++b) {
    if (values[b].empty()) continue;
    ElasticBody& body = copy->bodies_[b];
    body.coefficient_stride = 0;
    body.coefficients = AlignedArray(values[b].size() * lanes);
    for (std::size_t i = 0; i < body.coefficients.size(); ++i) body.coefficients[i] = values[b][i / lanes];
  }
  return copy;
}

std::vector<std::string> ElasticModel::kernel_names() const {
  std::vector<std::string> lines;
  for (const ElasticBody& body : bodies_) {
    const char* projected = body.material->kernels[HOLO_MATERIAL_PROJECTED_HESSIAN];
    lines.push_back(fmt::format("body '{}': material {}, elements {}, stress: {}, Hessian: {}, {}", body.name,
                                body.material->name, to_string(differentiation_), body.stress_kernel, body.hessian_kernel,
                                !body.projected_hessian ? "projected by the simulator"
                                : projected             ? projected
                                                        : "unnamed"));
  }
  return lines;
}

std::vector<std::string> ElasticModel::notes() const {
  std::vector<std::string> lines;
  for (const ElasticBody& body : bodies_) {
    if (const std::int64_t unused = body.mesh.unused_vertices; unused > 0)
      lines.push_back(fmt::format("body '{}': {} of {} belong{} to no tetrahedron and {} left out", body.name,
                                  unused == 1 ? "1 vertex" : fmt::format("{} vertices", unused), body.mesh.source,
                                  unused == 1 ? "s" : "", unused == 1 ? "is" : "are"));
    if (const std::string note = locking_note(body); !note.empty()) lines.push_back(note);
  }
  return lines;
}

}  // namespace holo
