#pragma once
// Small bodies of plugins' materials for the tests of modal analysis.

#include <Eigen/Dense>
#include <map>
#include <memory>
#include <random>
#include <string>

#include "holo/core/plugins/plugin_host.h"
#include "holo/sim/dynamics/elastic_term.h"
#include "holo/sim/elastic/elastic_model.h"
#include "holo/sim/mesh/shapes.h"
#include "holo/sim/reduction/modal_system.h"

namespace holo::test {

inline const PluginHost& material_host() {
  static const PluginHost host({HOLO_BINARY_DIR "/plugins"});
  return host;
}

using Parameters = std::map<std::string, double>;

// A box along x from 0, of one material.
inline std::shared_ptr<const ElasticModel> box_of(std::shared_ptr<const holo_material> material,
                                                  const std::vector<double>& coefficients, std::array<double, 3> size,
                                                  int elements, const SingularElements::Load& reference = {},
                                                  Deformation deformation = Deformation::full) {
  ElasticModelDefinition definition;
  ElasticBodyDefinition body;
  body.name = "bar";
  body.mesh = [=] { return box_mesh(size, elements); };
  body.material = std::move(material);
  body.coefficients = coefficients;
  body.reference = reference;
  body.deformation = deformation;
  definition.bodies.push_back(std::move(body));
  return std::make_shared<const ElasticModel>(definition);
}

// Of a plugin's material; the reference library is loaded where elements are at singular points.
inline std::shared_ptr<const ElasticModel> box_model(const std::string& material, std::array<double, 3> size, int elements,
                                                     const Parameters& more = {}) {
  const auto plugin = material_host().get<MaterialPlugin>(material);
  Parameters parameters{{"youngs_modulus", 1e5}, {"poissons_ratio", 0.35}};
  for (const auto& [name, value] : more) parameters[name] = value;
  return box_of(std::shared_ptr<const holo_material>(plugin, &plugin->abi()),
                plugin->coefficients({parameters.begin(), parameters.end()}), size, elements,
                [material] { return material_host().get_reference<MaterialPlugin>(material); });
}

// The vertices with x at most the smallest.
inline std::vector<int> left_vertices(const ElasticModel& model) {
  const Eigen::VectorXd& x = model.start_positions();
  double least = x[0];
  for (Eigen::Index k = 0; k < x.size(); k += 3) least = std::min(least, x[k]);
  std::vector<int> result;
  for (int v = 0; v < model.vertex_count(); ++v)
    if (x[3 * v] <= least + 1e-9) result.push_back(v);
  return result;
}

inline ModalSystem clamped(const std::shared_ptr<const ElasticModel>& model) {
  return {model, model->start_positions(), {left_vertices(*model), false}};
}

// The elastic forces at displacements u, without those at prescribed vertices.
inline Eigen::VectorXd internal_force(const std::shared_ptr<const ElasticModel>& model, const ModalSystem& system,
                                      const Eigen::VectorXd& u) {
  ElasticTerm term(model);
  Eigen::VectorXd force = Eigen::VectorXd::Zero(u.size());
  term.add_gradient(system.positions() + u, force);
  for (Eigen::Index k = 0; k < force.size(); ++k)
    if (system.is_prescribed(k)) force[k] = 0;
  return force;
}

// K of all coordinates, dense, by the term itself.
inline Eigen::MatrixXd dense_stiffness(const std::shared_ptr<const ElasticModel>& model, const Eigen::VectorXd& positions) {
  ElasticTerm term(model);
  BlockAssembler assembler(model->pattern().matrix);
  SparseMatrix lower = model->pattern().matrix;
  assembler.begin(lower, nullptr);
  term.add_hessian(positions, Curvature::exact, assembler);
  assembler.finish();
  return Eigen::MatrixXd(lower).selfadjointView<Eigen::Lower>();
}

}  // namespace holo::test
