#include "studies/elastic_drawing/element_field_drawing.h"

#include <algorithm>
#include <numeric>

#include "holo/sim/elastic/elastic_model.h"
#include "holo/sim/mesh/quadratic_tetrahedra.h"
#include "studies/elastic_drawing/body_drawing.h"

namespace holo {

namespace {

std::vector<float> mean_of_elements(const ElasticModel& model, const std::vector<double>& of_elements) {
  const auto vertices = static_cast<std::size_t>(model.vertex_count());
  std::vector<double> sum(vertices, 0.0), count(vertices, 0.0);
  for (const ElasticBody& body : model.bodies())
    for (std::size_t e = 0; e < body.mesh.tetrahedra.size(); ++e) {
      for (const int vertex : element_vertices(body.mesh, e)) {
        const auto v = static_cast<std::size_t>(body.first_vertex + vertex);
        sum[v] += of_elements[static_cast<std::size_t>(body.first_element) + e];
        count[v] += 1;
      }
    }
  std::vector<float> of_vertices(vertices);
  for (std::size_t v = 0; v < vertices; ++v) of_vertices[v] = static_cast<float>(sum[v] / std::max(count[v], 1.0));
  return of_vertices;
}

}  // namespace

std::vector<ScalarField> drawn_element_fields(const ElasticModel& model) {
  // Rounding: strains below 1e-10, and the cancellation to zero of energies of the size of the stiffness.
  const double volume = std::accumulate(model.volumes().data(), model.volumes().data() + model.volumes().size(), 0.0);
  const double stiffness = model.stiffness_energy() / volume;
  return {{"von_mises_stress", "Pa", "of the Cauchy stress", {}, 1e-10 * stiffness},
          {"energy_density", "J/m^3", "elastic energy over rest volume", {}, 1e-14 * stiffness}};
}

void append_element_fields(const ElasticModel& model, const Eigen::VectorXd& positions, ElementFields& scratch,
                           std::vector<std::vector<float>>& fields) {
  evaluate_element_fields(model, positions, scratch);
  fields.resize(2);
  const std::vector<double>* const of_elements[] = {&scratch.von_mises_stress, &scratch.energy_density};
  for (std::size_t k = 0; k < 2; ++k) {
    std::vector<float> field = mean_of_elements(model, *of_elements[k]);
    spread_over_drawn(model, field);
    fields[k].insert(fields[k].end(), field.begin(), field.end());
  }
}

}  // namespace holo
