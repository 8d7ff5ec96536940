#pragma once
// The incremental potential of one time step of implicit Euler, written from its formulas with dense matrices, for double and
// std::complex<double>: steps that are solved with it, and their complex steps, are an oracle. Products are bilinear, without
// conjugates, unlike Eigen's dot and norm; choices are those of real parts.

#include <complex>

#include "reference_body.h"

namespace holo::test {

template <class S>
using DenseVector = Eigen::Matrix<S, Eigen::Dynamic, 1>;
template <class S>
using DenseMatrix = Eigen::Matrix<S, Eigen::Dynamic, Eigen::Dynamic>;
template <class S>
using Tensor = Eigen::Matrix<S, 3, 3>;
template <class S>
using Displacement = Eigen::Matrix<S, 3, 1>;

template <class A, class B>
auto bilinear(const Eigen::MatrixBase<A>& a, const Eigen::MatrixBase<B>& b) {
  return a.cwiseProduct(b).sum();
}

// The barrier of a gap d < D for stiffness 1 with its first two derivatives: -(d - D)^2 ln(d/D), or (d - D)^3/D ln(d/D).
template <class S>
std::array<S, 3> reference_barrier(bool smooth, double D, const S& d) {
  using std::log;
  const S L = log(d / D), c = d - D;
  if (!smooth) return {-c * c * L, -2.0 * c * L - c * c / d, -2.0 * L - 4.0 * c / d + c * c / (d * d)};
  return {c * c * c * L / D, (3.0 * c * c * L + c * c * c / d) / D, (6.0 * c * L + 6.0 * c * c / d - c * c * c / (d * d)) / D};
}

// The smoothed length f(y) of a displacement y = sqrt(s), f'(y)/y, and the derivative of f'(y)/y in s. With t = y/e < 1,
// f' = (15 t - 10 t^3 + 3 t^5)/8, or 2 t - t^2.
template <class S>
std::array<S, 3> reference_length(bool quadratic, double e, const S& s) {
  using std::sqrt;
  const S y = sqrt(s), t = y / e, t2 = t * t;
  if (std::real(y) >= e) return {y, 1.0 / y, -0.5 / (y * s)};
  if (quadratic && y == 0.0) return {e / 3, 2 / e, 0};  // the last one is infinite, but its products with u vanish
  if (quadratic) return {e * (t2 - t * t2 / 3.0 + 1.0 / 3), (2.0 - t) / e, -0.5 / (e * e * y)};
  return {e * (7.5 * t2 - 2.5 * t2 * t2 + 0.5 * t2 * t2 * t2 + 2.5) / 8.0, (15.0 - 10.0 * t2 + 3.0 * t2 * t2) / (8 * e),
          (-10.0 + 6.0 * t2) / (8 * e * e * e)};
}

// The derivative of the cofactors of A along B; of A itself it is twice the cofactors, of degree two.
template <class S>
Tensor<S> cofactor_change(const Tensor<S>& A, const Tensor<S>& B) {
  Tensor<S> result;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) {
      const int a = (i + 1) % 3, b = (i + 2) % 3, c = (j + 1) % 3, d = (j + 2) % 3;
      result(i, j) = A(a, c) * B(b, d) + B(a, c) * A(b, d) - A(a, d) * B(b, c) - B(a, d) * A(b, c);
    }
  return result;
}

class ReferenceStep {
 public:
  explicit ReferenceStep(const ReferenceDefinition& definition)
      : body_(definition), of_(body_.of), normal_forces_(Eigen::VectorXd::Zero(body_.vertex_count())) {
    const double E = of_.youngs_modulus, nu = of_.poissons_ratio;
    mu_ = E / (2 * (1 + nu));
    lambda_ = E * nu / ((1 + nu) * (1 - 2 * nu)) + mu_;  // + mu: small strains then have E and nu
    each_touching(of_.lagged_at, [&](Eigen::Index v, const auto& B) { normal_forces_[v] = -B[1]; });
  }
  ReferenceStep(const ReferenceStep&) = delete;  // its parts refer to each other
  const ReferenceBody& body() const { return body_; }

  // E(x; a) [J] at positions [3 * vertex] [m] and activations [muscle] [Pa].
  template <class S>
  S energy(const DenseVector<S>& x, const DenseVector<S>& a) const {
    S sum = 0;
    for (const ReferenceElement& element : body_.elements) {
      const Tensor<S> F = deformation_gradient(element, x);
      const S j = F.determinant() - 1.0;
      S density = mu_ / 2 * (bilinear(F, F) - 3.0) - mu_ * j + lambda_ / 2 * j * j;
      for (const ReferenceFiber& fiber : element.fibers) density += a[fiber.muscle] * fiber.weight * fiber_length(F, fiber);
      sum += element.volume * density;
    }
    const double dt = of_.time_step;
    each_vertex(x, [&](Eigen::Index v, const Displacement<S>& moved) {
      const Displacement<S> ahead = moved - dt * of_.velocities.segment<3>(3 * v);
      sum += body_.masses[v] * (bilinear(ahead, ahead) / (2 * dt * dt) + of_.gravity * moved[2] +
                                of_.mass_damping / (2 * dt) * bilinear(moved, moved));
    });
    each_touching(x, [&](Eigen::Index, const std::array<S, 3>& B) { sum += B[0]; });
    each_pressed(x, [&](Eigen::Index, double force, const auto&, const std::array<S, 3>& f) { sum += force * f[0]; });
    return sum;
  }

  // dE/dx [N].
  template <class S>
  DenseVector<S> gradient(const DenseVector<S>& x, const DenseVector<S>& a) const {
    DenseVector<S> result = DenseVector<S>::Zero(x.size());
    for (const ReferenceElement& element : body_.elements) {
      const Tensor<S> F = deformation_gradient(element, x);
      Tensor<S> P = mu_ * F + (lambda_ * (F.determinant() - 1.0) - mu_) * cofactors(F);
      for (const ReferenceFiber& fiber : element.fibers) P += a[fiber.muscle] * fiber_stress(F, fiber);
      add_forces(element, P, result);
    }
    const double dt = of_.time_step;
    each_vertex(x, [&](Eigen::Index v, const Displacement<S>& moved) {
      result.template segment<3>(3 * v) +=
          body_.masses[v] * ((1 / (dt * dt) + of_.mass_damping / dt) * moved - of_.velocities.segment<3>(3 * v) / dt +
                             of_.gravity * Eigen::Vector3d::UnitZ());
    });
    each_touching(x, [&](Eigen::Index v, const std::array<S, 3>& B) { result[3 * v + 2] += B[1]; });
    each_pressed(x, [&](Eigen::Index v, double force, const auto& u, const std::array<S, 3>& f) {
      result.template segment<2>(3 * v) += force * f[1] * u;
    });
    return result;
  }

  // d2E/dx2 [N/m].
  template <class S>
  DenseMatrix<S> hessian(const DenseVector<S>& x, const DenseVector<S>& a) const {
    DenseMatrix<S> result = DenseMatrix<S>::Zero(x.size(), x.size());
    for (const ReferenceElement& element : body_.elements) {
      const Tensor<S> F = deformation_gradient(element, x), C = cofactors(F);
      const S pressure = lambda_ * (F.determinant() - 1.0) - mu_;
      for (Eigen::Index k = 0; k < 12; ++k) {
        Tensor<S> dF = Tensor<S>::Zero();
        dF.row(k % 3) = element.gradients[std::size_t(k / 3)].template cast<S>();
        Tensor<S> dP = mu_ * dF + lambda_ * bilinear(C, dF) * C + pressure * cofactor_change(F, dF);
        for (const ReferenceFiber& fiber : element.fibers) dP += a[fiber.muscle] * fiber_stress_change(F, dF, fiber);
        add_forces(element, dP, result.col(3 * element.vertices[std::size_t(k / 3)] + k % 3));
      }
    }
    const double dt = of_.time_step;
    each_vertex(x, [&](Eigen::Index v, const Displacement<S>&) {
      result.diagonal().template segment<3>(3 * v).array() += body_.masses[v] * (1 / (dt * dt) + of_.mass_damping / dt);
    });
    each_touching(x, [&](Eigen::Index v, const std::array<S, 3>& B) { result(3 * v + 2, 3 * v + 2) += B[2]; });
    each_pressed(x, [&](Eigen::Index v, double force, const auto& u, const std::array<S, 3>& f) {
      result.template block<2, 2>(3 * v, 3 * v) +=
          force * (f[1] * Eigen::Matrix2d::Identity() + 2.0 * f[2] * u * u.transpose());
    });
    return result;
  }

  // d2E/(dx da) [m^2]: E is linear in the activations.
  template <class S>
  DenseMatrix<S> activation_gradient(const DenseVector<S>& x) const {
    DenseMatrix<S> result = DenseMatrix<S>::Zero(x.size(), static_cast<Eigen::Index>(of_.muscles.size()));
    for (const ReferenceElement& element : body_.elements) {
      const Tensor<S> F = deformation_gradient(element, x);
      for (const ReferenceFiber& fiber : element.fibers) add_forces(element, fiber_stress(F, fiber), result.col(fiber.muscle));
    }
    return result;
  }

 private:
  template <class S>
  static Tensor<S> deformation_gradient(const ReferenceElement& element, const DenseVector<S>& x) {
    Tensor<S> F = Tensor<S>::Zero();
    for (std::size_t i = 0; i < 4; ++i)
      F += x.template segment<3>(3 * element.vertices[i]) * element.gradients[i].template cast<S>();
    return F;
  }
  template <class S>
  static Tensor<S> cofactors(const Tensor<S>& F) {
    return 0.5 * cofactor_change(F, F);
  }
  // The forces of a stress P [Pa] at the vertices.
  template <class S, class Column>
  static void add_forces(const ReferenceElement& element, const Tensor<S>& P, Column&& column) {
    for (std::size_t i = 0; i < 4; ++i)
      column.template segment<3>(3 * element.vertices[i]) +=
          element.volume * P * element.gradients[i].transpose().template cast<S>();
  }

  // sqrt(|F d|^2 + (1e-4)^2), and w P of an activation 1 with its change along dF.
  template <class S>
  static S fiber_length(const Tensor<S>& F, const ReferenceFiber& fiber) {
    using std::sqrt;
    const Displacement<S> v = F * fiber.direction.template cast<S>();
    return sqrt(bilinear(v, v) + 1e-8);
  }
  template <class S>
  static Tensor<S> fiber_stress(const Tensor<S>& F, const ReferenceFiber& fiber) {
    const Displacement<S> d = fiber.direction.template cast<S>();
    return fiber.weight / fiber_length(F, fiber) * (F * d) * d.transpose();
  }
  template <class S>
  static Tensor<S> fiber_stress_change(const Tensor<S>& F, const Tensor<S>& dF, const ReferenceFiber& fiber) {
    const Displacement<S> d = fiber.direction.template cast<S>(), v = F * d, dv = dF * d;
    const S l = fiber_length(F, fiber);
    return fiber.weight * (dv / l - bilinear(v, dv) / (l * l * l) * v) * d.transpose();
  }

  // visit(vertex, x - x_n)
  template <class S, class Visit>
  void each_vertex(const DenseVector<S>& x, const Visit& visit) const {
    for (Eigen::Index v = 0; v < body_.vertex_count(); ++v)
      visit(v, Displacement<S>(x.template segment<3>(3 * v) - of_.positions.segment<3>(3 * v)));
  }
  // visit(vertex, barrier times its area, with derivatives in the height) of the surface near the ground
  template <class S, class Visit>
  void each_touching(const DenseVector<S>& x, const Visit& visit) const {
    for (Eigen::Index v = 0; v < body_.vertex_count(); ++v) {
      const S d = x[3 * v + 2] - of_.ground;
      if (body_.areas[v] == 0 || std::real(d) >= of_.activation_distance) continue;
      std::array<S, 3> B = reference_barrier(of_.has_smooth_barrier, of_.activation_distance, d);
      for (S& each : B) each *= body_.areas[v] * of_.stiffness;
      visit(v, B);
    }
  }
  // visit(vertex, mu N, horizontal displacement, its smoothed length with derivatives), with the N of other positions
  template <class S, class Visit>
  void each_pressed(const DenseVector<S>& x, const Visit& visit) const {
    each_vertex(x, [&](Eigen::Index v, const Displacement<S>& moved) {
      if (normal_forces_[v] == 0) return;
      const Eigen::Matrix<S, 2, 1> u = moved.template head<2>();
      visit(v, of_.friction * normal_forces_[v], u,
            reference_length(of_.has_quadratic_friction, of_.stick_speed * of_.time_step, S(bilinear(u, u))));
    });
  }

  const ReferenceBody body_;
  const ReferenceDefinition& of_;
  double mu_, lambda_;             // [Pa]
  Eigen::VectorXd normal_forces_;  // [vertex] [N]
};

}  // namespace holo::test
