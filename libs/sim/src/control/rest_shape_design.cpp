#include "holo/sim/control/rest_shape_design.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "control/nilpotent_residual.h"
#include "holo/core/error.h"
#include "holo/core/numerics/parallel.h"

namespace holo {

namespace {

constexpr double sag_tolerance = 1e-12;  // of equilibria, over the body's length
constexpr const char* held_group = "held";

}  // namespace

// The model numbers vertices in an order of its own, which depends on the shape.
struct RestShapeDesign::Scene {
  ElasticScene scene;
  QuasiStatics statics;
  std::vector<int> model_vertex;  // [vertex of the reference]
  ElasticState end;               // the equilibrium

  Scene(const ElasticSceneDefinition& definition, const TetrahedralMesh& reference)
      : scene(definition),
        statics(scene, {.newton = {.tolerance = sag_tolerance, .max_iterations = 1000}, .smallest_increment = 1e-4}),
        model_vertex(reference.vertices.size()),
        end(initial_state(*scene.model)) {
    const TetrahedralMesh& mesh = scene.model->bodies().front().mesh;
    for (std::size_t e = 0; e < reference.tetrahedra.size(); ++e)
      for (std::size_t a = 0; a < 4; ++a) model_vertex[std::size_t(reference.tetrahedra[e][a])] = mesh.tetrahedra[e][a];
  }

  Eigen::VectorXd to_model(const Eigen::VectorXd& x) const {
    Eigen::VectorXd result(x.size());
    for (std::size_t v = 0; v < model_vertex.size(); ++v)
      result.segment<3>(3 * model_vertex[v]) = x.segment<3>(3 * Eigen::Index(v));
    return result;
  }
  Eigen::VectorXd from_model(const Eigen::VectorXd& x) const {
    Eigen::VectorXd result(x.size());
    for (std::size_t v = 0; v < model_vertex.size(); ++v)
      result.segment<3>(3 * Eigen::Index(v)) = x.segment<3>(3 * model_vertex[v]);
    return result;
  }
};

RestShapeDesign::~RestShapeDesign() = default;

RestShapeDesign::RestShapeDesign(const SaggingBody& body, StepLoss& loss, Eigen::VectorXd units)
    : body_(body),
      loss_(loss),
      units_(std::move(units)),
      reference_(body.family->reference_mesh(body.parameters, body.elements)),
      solver_(make_sparse_solver({.matrix = MatrixKind::positive_definite})) {
  MeshGroup held{held_group, 0, {}, {}, {}};
  for (std::size_t v = 0; v < reference_.vertices.size(); ++v) {
    held_.push_back(reference_.vertices[v][0] < 1e-9);
    if (held_.back()) held.vertices.push_back(int(v));
  }
  reference_.groups = {held};
  if (body_.body.element_coefficients || body_.body.element_density.values)
    throw Error(Failure::input, "a body whose rest shape is designed has the same material everywhere.");
  if (body_.body.material->operations[HOLO_MATERIAL_THIRD_ORDER_CONTRACTION] == nullptr)
    throw Error(Failure::input, fmt::format("the material '{}' has no third derivatives, which the Hessian of a design needs.",
                                            body_.body.material->name));
  Eigen::VectorXd start(units_.size());
  for (Eigen::Index k = 0; k < start.size(); ++k)
    start[k] = body_.parameters[std::size_t(body_.free[std::size_t(k)])] / units_[k];
  if (!check(start)) throw Error(Failure::input, diagnosis_);
}

std::vector<double> RestShapeDesign::parameters(const Eigen::VectorXd& u) const {
  std::vector<double> result = body_.parameters;
  for (std::size_t k = 0; k < body_.free.size(); ++k)
    result[std::size_t(body_.free[k])] = u[Eigen::Index(k)] * units_[Eigen::Index(k)];
  return result;
}

TetrahedralMesh RestShapeDesign::rest_mesh(const Eigen::VectorXd& u) const {
  return placed_mesh(*body_.family, reference_, parameters(u));
}

bool RestShapeDesign::check(const Eigen::VectorXd& u) {
  diagnosis_ = inverted_element(*body_.family, reference_, parameters(u));
  return diagnosis_.empty();
}

std::unique_ptr<RestShapeDesign::Scene> RestShapeDesign::make_scene(const Eigen::VectorXd& u) const {
  ElasticSceneDefinition definition;
  definition.time_step = definition.duration = 1;
  definition.gravity = body_.gravity;
  definition.bodies = {body_.body};
  definition.bodies.front().mesh = [mesh = rest_mesh(u)] { return mesh; };
  HandleDefinition handle;
  handle.subset.kind = SubsetDefinition::Kind::group;
  handle.subset.group = held_group;
  definition.bodies.front().handles = {handle};
  return std::make_unique<Scene>(definition, reference_);
}

bool RestShapeDesign::begin(const Eigen::VectorXd& u) {
  if (!check(u)) return false;
  auto scene = make_scene(u);
  NewtonWorkspace workspace;
  const QuasiStaticResult result = scene->statics.step(scene->end, workspace);
  factorizations_ += result.factorizations;
  diagnosis_ = result.newton.diagnosis;
  if (result.newton.status != NewtonStatus::converged) return false;
  x_ = trial_x_ = scene->from_model(scene->end.positions);
  u_ = trial_u_ = u;
  trial_ = nullptr;
  scene_ = std::move(scene);
  return true;
}

// From the equilibrium of the last derivatives, moved as the rest shape moves.
bool RestShapeDesign::solve(const Eigen::VectorXd& u, Eigen::VectorXd& x) {
  if (trial_u_.size() == u.size() && trial_u_ == u) {
    x = trial_x_;
    return true;
  }
  if (!check(u)) return false;
  auto scene = make_scene(u);
  const Eigen::VectorXd start = scene->from_model(scene->scene.model->start_positions()),
                        before = scene_->from_model(scene_->scene.model->start_positions());
  Eigen::VectorXd model_x = scene->to_model(x_ + start - before);
  scene->end.time = 1;
  scene->statics.hold(scene->end);
  NewtonWorkspace workspace;
  const NewtonResult result =
      minimize(scene->statics.potential(), model_x, {.tolerance = sag_tolerance, .max_iterations = 1000}, workspace);
  factorizations_ += result.factorizations;
  diagnosis_ = result.diagnosis;
  if (result.status != NewtonStatus::converged) return false;
  x = trial_x_ = scene->from_model(model_x);
  trial_u_ = u;
  trial_ = std::move(scene);
  return true;
}

double RestShapeDesign::value(const Eigen::VectorXd& u) {
  Eigen::VectorXd x;
  return solve(u, x) ? loss_.value(x) : std::numeric_limits<double>::infinity();
}

DesignPoints RestShapeDesign::rest_positions(const Eigen::VectorXd& u, Eigen::Index first, Eigen::Index second) const {
  const std::vector<double> values = parameters(u);
  std::vector<DesignScalar> seeded(values.begin(), values.end());
  seeded[std::size_t(body_.free[std::size_t(first)])].set_coefficient<1>(units_[first]);
  seeded[std::size_t(body_.free[std::size_t(second)])].set_coefficient<2>(units_[second]);
  return body_.family->positions(reference_.vertices, seeded);
}

DesignPoints RestShapeDesign::residual(const DesignPoints& X, const DesignPoints& x) const {
  return nilpotent_residual({scene_->scene.model->bodies().front(), body_.body.density, body_.gravity}, reference_.tetrahedra,
                            X, x);
}

// H^-1 in the numbering of the reference; rows of held vertices are those of the identity.
Eigen::VectorXd RestShapeDesign::solve_linear(const Eigen::VectorXd& right) const {
  Eigen::VectorXd b = scene_->to_model(right), result(b.size());
  solver_->solve(b, result);
  return scene_->from_model(result);
}

void RestShapeDesign::gradient(const Eigen::VectorXd& u, Eigen::VectorXd& gradient) {
  gradient.setConstant(units_.size(), std::numeric_limits<double>::quiet_NaN());
  Eigen::VectorXd x, ignored;
  if (!solve(u, x)) return;
  if (trial_) scene_ = std::move(trial_);
  x_ = x;
  u_ = u;
  scene_->end.time = 1;
  scene_->statics.hold(scene_->end);
  SparseMatrix H;
  scene_->statics.potential().derivatives(scene_->to_model(x_), Curvature::exact, ignored, H);
  if (!solver_->has_pattern_of(H)) solver_->analyze(H);
  ++factorizations_;
  if (!solver_->factorize(H)) {
    diagnosis_ = "the equilibrium is not stable: the Hessian of the energy " + to_string(solver_->outcome());
    return;
  }
  of_x_ = Eigen::VectorXd::Zero(x_.size());
  loss_.add_gradient(x_, of_x_);
  Eigen::VectorXd right = -of_x_;
  for (std::size_t v = 0; v < held_.size(); ++v)
    if (held_[v]) right.segment<3>(3 * Eigen::Index(v)).setZero();
  adjoint_ = solve_linear(right);
  by_parameters_.resize(x_.size(), units_.size());
  parallel_for(std::size_t(units_.size()), 1,
               [&](std::size_t k, std::size_t) { by_parameters_.col(Eigen::Index(k)) = by_parameter(Eigen::Index(k)); });
  gradient = by_parameters_.transpose() * of_x_;
}

// x_i: held vertices move with X, and the others follow.
Eigen::VectorXd RestShapeDesign::by_parameter(Eigen::Index k) const {
  const DesignPoints X = rest_positions(u_, k, k);
  DesignPoints at(X.size());
  for (std::size_t v = 0; v < X.size(); ++v)
    for (int i = 0; i < 3; ++i) at[v][i] = held_[v] ? X[v][i] : DesignScalar(x_[3 * Eigen::Index(v) + i]);
  const DesignPoints r = residual(X, at);
  Eigen::VectorXd loads(x_.size());
  for (std::size_t v = 0; v < X.size(); ++v)
    for (int i = 0; i < 3; ++i) loads[3 * Eigen::Index(v) + i] = held_[v] ? 0.0 : -r[v][i].coefficient(1);
  Eigen::VectorXd result = solve_linear(loads);
  for (std::size_t v = 0; v < X.size(); ++v)
    for (int i = 0; i < 3; ++i)
      if (held_[v]) result[3 * Eigen::Index(v) + i] = X[v][i].coefficient(1);
  return result;
}

// y . [r]_ij at free vertices, dL/dx . X_ij at held ones.
double RestShapeDesign::curvature(Eigen::Index first, Eigen::Index second) const {
  const DesignPoints X = rest_positions(u_, first, second);
  DesignPoints at(X.size());
  for (std::size_t v = 0; v < X.size(); ++v)
    for (int i = 0; i < 3; ++i) {
      const Eigen::Index row = 3 * Eigen::Index(v) + i;
      at[v][i] = held_[v] ? X[v][i] : DesignScalar(x_[row]);
      if (held_[v]) continue;
      at[v][i].set_coefficient<1>(by_parameters_(row, first));
      at[v][i].set_coefficient<2>(by_parameters_(row, second));
    }
  const DesignPoints r = residual(X, at);
  double sum = 0;
  for (std::size_t v = 0; v < X.size(); ++v)
    for (int i = 0; i < 3; ++i) {
      const Eigen::Index row = 3 * Eigen::Index(v) + i;
      sum += held_[v] ? of_x_[row] * X[v][i].coefficient(3) : adjoint_[row] * r[v][i].coefficient(3);
    }
  return sum;
}

bool RestShapeDesign::hessian(const Eigen::VectorXd& u, Eigen::MatrixXd& hessian) {
  if (u_.size() != u.size() || u_ != u) return false;
  const Eigen::Index count = units_.size();
  Eigen::MatrixXd products = Eigen::MatrixXd::Zero(x_.size(), count);
  loss_.add_hessian_products(x_, by_parameters_, false, products);
  hessian = by_parameters_.transpose() * products;
  std::vector<std::pair<Eigen::Index, Eigen::Index>> pairs;
  for (Eigen::Index i = 0; i < count; ++i)
    for (Eigen::Index j = 0; j <= i; ++j) pairs.emplace_back(i, j);
  std::vector<double> curvatures(pairs.size());
  parallel_for(pairs.size(), 1,
               [&](std::size_t k, std::size_t) { curvatures[k] = curvature(pairs[k].first, pairs[k].second); });
  for (std::size_t k = 0; k < pairs.size(); ++k) {
    const auto [i, j] = pairs[k];
    hessian(i, j) += curvatures[k];
    if (i != j) hessian(j, i) += curvatures[k];
  }
  hessian = Eigen::MatrixXd(0.5 * (hessian + hessian.transpose()));
  return true;
}

}  // namespace holo
