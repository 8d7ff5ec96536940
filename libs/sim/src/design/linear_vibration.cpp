#include "holo/sim/design/linear_vibration.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "design/simplex.h"
#include "holo/core/error.h"
#include "holo/core/numerics/parallel.h"

namespace holo {

namespace {

using Indices = std::array<int, 4>;

template <class S>
using Points = std::vector<Vector3<S>>;  // [vertex]

template <class S>
struct Moduli {
  S lambda, mu, density;
};

template <class S>
Moduli<S> moduli_of(const S* E_nu_rho) {
  const S &E = E_nu_rho[0], &nu = E_nu_rho[1];
  return {E * nu / ((1.0 + nu) * (1.0 - 2.0 * nu)), E / (2.0 * (1.0 + nu)), E_nu_rho[2]};
}

// The internal forces of an element, V (2 mu e + lambda tr(e) 1) g_a with the strain e of the displacements.
template <class S>
void add_internal_forces(const Simplex<S>& at, const Moduli<S>& moduli, const Points<S>& u, const Indices& vertices,
                         Points<S>& forces) {
  S G[3][3] = {};  // displacement gradient
  for (int a = 0; a < 4; ++a)
    for (int i = 0; i < 3; ++i)
      for (int k = 0; k < 3; ++k) G[i][k] += u[std::size_t(vertices[std::size_t(a)])][i] * at.gradients[a][k];
  const S pressure = moduli.lambda * (G[0][0] + G[1][1] + G[2][2]);
  for (int i = 0; i < 3; ++i) {
    Vector3<S> row;  // of the stress, times the volume
    for (int k = 0; k < 3; ++k) row[k] = at.volume * (moduli.mu * (G[i][k] + G[k][i]) + (i == k ? pressure : S(0.0)));
    for (int a = 0; a < 4; ++a) forces[std::size_t(vertices[std::size_t(a)])][i] += dot(row, at.gradients[a]);
  }
}

template <class S>
struct VibrationTerms {
  Points<S> residual;        // M a - K u, of held vertices too
  S numerator, denominator;  // a^T M u, u^T M u
};

// M a - K u, a^T M u and u^T M u. Masses are a quarter of those of a vertex's elements.
template <class S>
VibrationTerms<S> vibration_terms(const TetrahedralMesh& mesh, const Points<S>& X, const Moduli<S>& moduli,
                                  const Points<double>& field, const Points<S>& u) {
  const std::size_t count = X.size();
  VibrationTerms<S> terms;
  Points<S> internal(count);
  std::vector<S> masses(count);
  for (const Indices& vertices : mesh.tetrahedra) {
    const Simplex<S> at = simplex_of(X, vertices);
    for (const int vertex : vertices) masses[std::size_t(vertex)] += moduli.density * at.volume / 4.0;
    add_internal_forces(at, moduli, u, vertices, internal);
  }
  terms.residual.resize(count);
  for (std::size_t v = 0; v < count; ++v) {
    for (int i = 0; i < 3; ++i) terms.residual[v][i] = masses[v] * field[v][i] - internal[v][i];
    terms.numerator += masses[v] * (field[v][0] * u[v][0] + field[v][1] * u[v][1] + field[v][2] * u[v][2]);
    terms.denominator += masses[v] * dot(u[v], u[v]);
  }
  return terms;
}

Points<DesignScalar> with_derivatives(const Eigen::VectorXd& u, const Eigen::VectorXd* first, const Eigen::VectorXd* second,
                                      const Eigen::VectorXd* mixed) {
  Points<DesignScalar> result(std::size_t(u.size() / 3));
  for (Eigen::Index i = 0; i < u.size(); ++i) {
    DesignScalar& entry = result[std::size_t(i / 3)][int(i % 3)];
    entry = DesignScalar(u[i]);
    if (first != nullptr) entry.set_coefficient<1>((*first)[i]);
    if (second != nullptr) entry.set_coefficient<2>((*second)[i]);
    if (mixed != nullptr) entry.set_coefficient<3>((*mixed)[i]);
  }
  return result;
}

}  // namespace

LinearVibration::LinearVibration(const VibratingBody& body, std::vector<int> free_parameters)
    : body_(body),
      free_(std::move(free_parameters)),
      reference_(body.family->reference_mesh(body.parameters, body.elements)),
      solver_(make_sparse_solver({.matrix = MatrixKind::positive_definite})) {
  const std::size_t count = body.family->parameters().size() + VibratingBody::material_parameters;
  if (body.parameters.size() != count)
    throw Error(Failure::internal, fmt::format("the shape '{}' has {} parameters with those of its material; found {}.",
                                               body.family->name(), count, body.parameters.size()));
  for (const std::array<double, 3>& vertex : reference_.vertices) {
    held_.push_back(vertex[0] < 1e-9 || vertex[0] > 1 - 1e-9);
    const double factor = body.profile ? body.profile(vertex) : 1;
    field_.push_back({factor * body.acceleration[0], factor * body.acceleration[1], factor * body.acceleration[2]});
  }
  double largest = 0;
  for (std::size_t v = 0; v < field_.size(); ++v)
    if (!held_[v]) largest = std::max(largest, dot(field_[v], field_[v]));
  if (!(largest > 0))
    throw Error(Failure::input, "the field of accelerations is 0 at all vertices that are free to move: nothing oscillates.");
  if (!check(body.parameters)) throw Error(Failure::input, problem_);
}

std::vector<double> LinearVibration::parameters(const Eigen::VectorXd& values) const {
  std::vector<double> result = body_.parameters;
  for (std::size_t k = 0; k < free_.size(); ++k) result[std::size_t(free_[k])] = values[Eigen::Index(k)];
  return result;
}

TetrahedralMesh LinearVibration::mesh(const std::vector<double>& parameters) const {
  return placed_mesh(*body_.family, reference_, parameters);
}

bool LinearVibration::check(const std::vector<double>& parameters) {
  const double E = parameters[parameters.size() - 3], nu = parameters[parameters.size() - 2], rho = parameters.back();
  problem_.clear();
  if (!(E > 0 && nu > -1 && nu < 0.5 && rho > 0)) {
    problem_ = fmt::format(
        "the material has the Young's modulus {:g} Pa, Poisson's ratio {:g} and density {:g} kg/m^3; the first and the last "
        "are "
        "positive, and Poisson's ratio is between -1 and 0.5",
        E, nu, rho);
    return false;
  }
  problem_ = inverted_element(*body_.family, reference_, parameters);
  return problem_.empty();
}

// K as a lower triangle; rows and columns of held vertices are those of the identity, of the size of the other diagonals.
void LinearVibration::assemble(const std::vector<Vector3<double>>& X, double lambda, double mu) {
  const Eigen::Index size = 3 * Eigen::Index(X.size());
  std::vector<Eigen::Triplet<double>> entries;
  entries.reserve(reference_.tetrahedra.size() * 78);
  for (const Indices& vertices : reference_.tetrahedra) {
    const Simplex<double> at = simplex_of(X, vertices);
    for (std::size_t a = 0; a < 4; ++a)
      for (std::size_t b = 0; b < 4; ++b) {
        const int row = vertices[a], column = vertices[b];
        if (row < column || is_held(row) || is_held(column)) continue;
        const Vector3<double>&g = at.gradients[a], &h = at.gradients[b];
        const double both = dot(g, h);
        for (int i = 0; i < 3; ++i)
          for (int k = 0; k < 3; ++k)
            if (row > column || i >= k)
              entries.emplace_back(3 * row + i, 3 * column + k,
                                   at.volume * (lambda * g[i] * h[k] + mu * (g[k] * h[i] + (i == k ? both : 0.0))));
      }
  }
  for (int v = 0; v < int(X.size()); ++v)
    if (is_held(v))
      for (int i = 0; i < 3; ++i) entries.emplace_back(3 * v + i, 3 * v + i, mu);
  SparseMatrix next(size, size);
  next.setFromTriplets(entries.begin(), entries.end());
  next.makeCompressed();
  stiffness_ = std::move(next);
}

bool LinearVibration::solve(const std::vector<double>& parameters) {
  if (solved_ == parameters) return true;
  solved_.clear();
  if (!check(parameters)) return false;
  const Points<double> X = body_.family->positions(reference_.vertices, parameters);
  const Moduli<double> moduli = moduli_of(parameters.data() + parameters.size() - VibratingBody::material_parameters);
  assemble(X, moduli.lambda, moduli.mu);
  if (!solver_->has_pattern_of(stiffness_)) solver_->analyze(stiffness_);
  if (!solver_->factorize(stiffness_)) {
    problem_ = "the stiffness matrix " + to_string(solver_->outcome());
    return false;
  }
  masses_.assign(X.size(), 0.0);
  for (const Indices& vertices : reference_.tetrahedra)
    for (const int vertex : vertices) masses_[std::size_t(vertex)] += moduli.density * simplex_of(X, vertices).volume / 4;
  Eigen::VectorXd loads = Eigen::VectorXd::Zero(3 * Eigen::Index(X.size()));
  for (std::size_t v = 0; v < X.size(); ++v)
    if (!held_[v])
      for (std::size_t i = 0; i < 3; ++i) loads[Eigen::Index(3 * v + i)] = masses_[v] * field_[v][int(i)];
  u_.resize(loads.size());
  solver_->solve(loads, u_);
  solved_ = parameters;
  return true;
}

bool LinearVibration::evaluate(const Eigen::VectorXd& values, double& omega_squared) {
  if (!solve(parameters(values))) return false;
  double numerator = 0, denominator = 0;
  for (std::size_t v = 0; v < masses_.size(); ++v)
    for (std::size_t i = 0; i < 3; ++i) {
      const double u = u_[Eigen::Index(3 * v + i)];
      numerator += masses_[v] * field_[v][int(i)] * u;
      denominator += masses_[v] * u * u;
    }
  omega_squared = numerator / denominator;
  return true;
}

bool LinearVibration::evaluate(const Eigen::VectorXd& values, DesignDerivatives& result) {
  const std::vector<double> all = parameters(values);
  if (!solve(all)) return false;
  const auto count = Eigen::Index(free_.size());
  // Terms with the directions of two free parameters; -1: none.
  const auto terms_at = [&](Eigen::Index first, Eigen::Index second, const Points<DesignScalar>& u) {
    std::vector<DesignScalar> seeded(all.begin(), all.end());
    const auto seed = [&](Eigen::Index k, auto unit) {
      if (k < 0) return;
      DesignScalar& parameter = seeded[std::size_t(free_[std::size_t(k)])];
      parameter.template set_coefficient<decltype(unit)::value>(1.0);
    };
    seed(first, std::integral_constant<int, 1>());
    seed(second, std::integral_constant<int, 2>());
    const Moduli<DesignScalar> moduli = moduli_of(seeded.data() + seeded.size() - VibratingBody::material_parameters);
    return vibration_terms(reference_, body_.family->positions(reference_.vertices, seeded), moduli, field_, u);
  };
  const auto residual_of = [&](const Points<DesignScalar>& residual, int mask, Eigen::Ref<Eigen::VectorXd> column) {
    for (Eigen::Index i = 0; i < column.size(); ++i)
      column[i] = held_[std::size_t(i / 3)] ? 0.0 : residual[std::size_t(i / 3)][int(i % 3)].coefficient(mask);
  };
  // First order.
  Eigen::MatrixXd first(u_.size(), count);
  parallel_for(std::size_t(count), 1, [&](std::size_t begin, std::size_t) {
    const auto k = Eigen::Index(begin);
    residual_of(terms_at(k, -1, with_derivatives(u_, nullptr, nullptr, nullptr)).residual, 1, first.col(k));
  });
  solver_->solve(first, first);
  // Second order, and the quotient.
  std::vector<std::pair<Eigen::Index, Eigen::Index>> pairs;
  for (Eigen::Index i = 0; i < count; ++i)
    for (Eigen::Index j = 0; j <= i; ++j) pairs.emplace_back(i, j);
  result.gradient.setZero(count);
  result.hessian.setZero(count, count);
  std::vector<DesignScalar> quotients(pairs.size());
  parallel_for(pairs.size(), 1, [&](std::size_t begin, std::size_t) {
    const auto [i, j] = pairs[begin];
    const Eigen::VectorXd by_first = first.col(i), by_second = first.col(j);
    Eigen::VectorXd mixed(u_.size());
    residual_of(terms_at(i, j, with_derivatives(u_, &by_first, &by_second, nullptr)).residual, 3, mixed);
    solver_->solve(mixed, mixed);
    const VibrationTerms<DesignScalar> terms = terms_at(i, j, with_derivatives(u_, &by_first, &by_second, &mixed));
    quotients[begin] = terms.numerator / terms.denominator;
  });
  for (std::size_t k = 0; k < pairs.size(); ++k) {
    const auto [i, j] = pairs[k];
    result.value = quotients[k].value();
    result.gradient[i] = quotients[k].coefficient(1);
    result.hessian(i, j) = result.hessian(j, i) = quotients[k].coefficient(3);
  }
  if (pairs.empty()) {
    const auto terms = terms_at(-1, -1, with_derivatives(u_, nullptr, nullptr, nullptr));
    result.value = (terms.numerator / terms.denominator).value();
  }
  return true;
}

}  // namespace holo
