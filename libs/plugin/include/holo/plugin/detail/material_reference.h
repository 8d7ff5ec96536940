#pragma once
// The 100-digit twin of a material: derivatives as central differences of its energy. With steps h the error is of order h^2
// and rounding of order 1e-100 / h^order, so both are negligible beside the rounding to double at the end.

#include <boost/multiprecision/cpp_bin_float.hpp>

#include "holo/plugin/detail/entry.h"
#include "holo/plugin/detail/material_one_sided.h"
#include "holo/plugin/detail/material_reference_modes.h"
#include "holo/plugin/detail/material_traits.h"

namespace holo::plugin {

using Reference = boost::multiprecision::number<boost::multiprecision::cpp_bin_float<100>, boost::multiprecision::et_off>;

// The signed principal stretches: roots of the eigenvalues of F^T F, by Jacobi rotations; the sign of det F on the smallest.
inline Vector3<Reference> reference_stretches(const Matrix3<Reference>& F) {
  Matrix3<Reference> C = transpose(F) * F;
  const Reference tolerance =
      squared_norm(C) * std::numeric_limits<Reference>::epsilon() * std::numeric_limits<Reference>::epsilon();
  for (int sweep = 0; sweep < 20; ++sweep) {
    if (C(0, 1) * C(0, 1) + C(0, 2) * C(0, 2) + C(1, 2) * C(1, 2) <= tolerance) break;
    for (int p = 0; p < 2; ++p)
      for (int q = p + 1; q < 3; ++q) {
        if (C(p, q) == 0) continue;
        const Reference half = (C(q, q) - C(p, p)) / (2 * C(p, q)), root = sqrt(half * half + 1);
        const Reference tangent = 1 / (half < 0 ? Reference(half - root) : Reference(half + root));
        const Reference cosine = 1 / sqrt(tangent * tangent + 1), sine = tangent * cosine, turned = tangent * C(p, q);
        const int k = 3 - p - q;
        const Reference pk = C(p, k), qk = C(q, k);
        C(p, p) -= turned;
        C(q, q) += turned;
        C(p, q) = C(q, p) = 0;
        C(p, k) = C(k, p) = cosine * pk - sine * qk;
        C(q, k) = C(k, q) = sine * pk + cosine * qk;
      }
  }
  Vector3<Reference> s{sqrt(C(0, 0)), sqrt(C(1, 1)), sqrt(C(2, 2))};
  const int smallest = s[0] < s[1] ? (s[0] < s[2] ? 0 : 2) : (s[1] < s[2] ? 1 : 2);
  if (determinant(F) < 0) s[smallest] = -s[smallest];
  return s;
}

// A point (F, c), and the energy along lines through it.
template <class M>
class ReferencePoint {
 public:
  static constexpr int n = coefficient_count<M>();

  // A direction in F and c together.
  struct Direction {
    Reference F[9] = {};
    Reference c[n > 0 ? n : 1] = {};
    Reference step = 0;  // along the direction
  };

  ReferencePoint(const double* F, const double* coefficients) {
    for (int k = 0; k < 9; ++k) F_[k] = F[k];
    for (int k = 0; k < n; ++k) c_[k] = coefficients[k];
  }

  static Direction entry(int k) {
    Direction d;
    d.F[k] = 1;
    d.step = step();
    return d;
  }
  static Direction along(const double* D) {
    Direction d;
    for (int k = 0; k < 9; ++k) d.F[k] = D[k];
    d.step = step();
    return d;
  }
  // Coefficients have units: the step goes with their size.
  Direction coefficient(int k) const {
    Direction d;
    d.c[k] = 1;
    d.step = c_[k] == 0 ? step() : Reference(step() * abs(c_[k]));
    return d;
  }

  // The mixed derivative of the energy along the directions.
  Reference derivative(std::initializer_list<Direction> directions) const {
    const Direction* d = directions.begin();
    const int order = int(directions.size());
    Reference sum = 0;
    for (int signs = 0; signs < 1 << order; ++signs) {
      Reference F[9], c[n > 0 ? n : 1];
      for (int k = 0; k < 9; ++k) F[k] = F_[k];
      for (int k = 0; k < n; ++k) c[k] = c_[k];
      int sign = 1;
      for (int i = 0; i < order; ++i) {
        const int side = (signs >> i) % 2 == 0 ? 1 : -1;
        sign *= side;
        for (int k = 0; k < 9; ++k) F[k] += side * d[i].step * d[i].F[k];
        for (int k = 0; k < n; ++k) c[k] += side * d[i].step * d[i].c[k];
      }
      sum += sign * energy(F, c);
    }
    for (int i = 0; i < order; ++i) sum /= 2 * d[i].step;
    return sum;
  }

  // All second derivatives in the entries of F, at F + distance D (D: nullptr for F): from the energies at +-h in one entry and
  // at (h, h) and (-h, -h) in two, half as many as for each pair by itself.
  struct Hessian {
    Reference entries[9][9];
  };
  Hessian hessian(const double* D = nullptr, const Reference& distance = 0) const {
    const Reference h = step();
    Reference F[9], up[9], down[9];
    for (int k = 0; k < 9; ++k) F[k] = D == nullptr ? F_[k] : Reference(F_[k] + distance * D[k]);
    const Reference center = energy(F, c_);
    const auto moved = [&](int i, int j, int side) {
      const Reference before[2] = {F[i], F[j]};
      F[i] += side * h;
      if (i != j) F[j] += side * h;
      const Reference result = energy(F, c_);
      F[j] = before[1], F[i] = before[0];
      return result;
    };
    for (int i = 0; i < 9; ++i) up[i] = moved(i, i, 1), down[i] = moved(i, i, -1);
    Hessian H;
    for (int i = 0; i < 9; ++i)
      for (int j = i; j < 9; ++j) {
        Reference sum = up[i] + down[i] - 2 * center;
        if (i != j) sum = (moved(i, j, 1) + moved(i, j, -1) - sum - (up[j] + down[j])) / 2;
        H.entries[i][j] = H.entries[j][i] = sum / (h * h);
      }
    return H;
  }
  static Reference step() { return Reference(1e-17); }

 private:
  static Reference energy(const Reference* F, const Reference* c) {
    try {
      const Matrix3<Reference> matrix{F[0], F[1], F[2], F[3], F[4], F[5], F[6], F[7], F[8]};
      const auto coefficients = coefficients_of<M, Reference>(c);
      if constexpr (HasStretchEnergy<M, Reference>) {
        const Vector3<Reference> s = reference_stretches(matrix);
        return M::energy_of_stretches(s[0], s[1], s[2], coefficients);
      } else {
        return energy_density<M, Reference>(matrix, coefficients);
      }
    } catch (...) {  // outside the domain of a function; no exception may cross the plugin ABI
      return std::numeric_limits<Reference>::quiet_NaN();
    }
  }

  Reference F_[9];
  Reference c_[n > 0 ? n : 1];
};

template <class M>
struct ReferenceOperations {
  using Point = ReferencePoint<M>;

  static double energy(const double* F, const double* c) { return double(Point(F, c).derivative({})); }

  static void stress(const double* F, const double* c, double* P) {
    const Point point(F, c);
    for (int i = 0; i < 9; ++i) P[i] = double(point.derivative({point.entry(i)}));
  }

  static void hessian(const double* F, const double* c, double* H) {
    const auto found = Point(F, c).hessian();
    for (int i = 0; i < 9; ++i)
      for (int j = 0; j < 9; ++j) H[9 * i + j] = double(found.entries[i][j]);
  }

  static void directional_hessian(const double* F, const double* c, const double* D1, double* dH) {
    const Reference h = Point::step();
    const auto ahead = Point(F, c).hessian(D1, h), behind = Point(F, c).hessian(D1, -h);
    for (int i = 0; i < 9; ++i)
      for (int j = 0; j < 9; ++j) dH[9 * i + j] = double(Reference((ahead.entries[i][j] - behind.entries[i][j]) / (2 * h)));
  }

  static void third_order_contraction(const double* F, const double* c, const double* D1, const double* D2, double* T) {
    const Point point(F, c);
    for (int i = 0; i < 9; ++i) T[i] = double(point.derivative({point.along(D1), point.along(D2), point.entry(i)}));
  }

  static void fourth_order_contraction(const double* F, const double* c, const double* D1, const double* D2, const double* D3,
                                       double* Q) {
    const Point point(F, c);
    for (int i = 0; i < 9; ++i)
      Q[i] = double(point.derivative({point.along(D1), point.along(D2), point.along(D3), point.entry(i)}));
  }

  static void coefficient_gradient(const double* F, const double* c, double* g) {
    const Point point(F, c);
    for (int k = 0; k < Point::n; ++k) g[k] = double(point.derivative({point.coefficient(k)}));
  }

  static void coefficient_stress(const double* F, const double* c, double* dP) {
    const Point point(F, c);
    for (int k = 0; k < Point::n; ++k)
      for (int i = 0; i < 9; ++i) dP[9 * k + i] = double(point.derivative({point.coefficient(k), point.entry(i)}));
  }
};

template <class M>
int enter(const char* name, const char*, const holo_stamp* host, const holo_registrar* registrar, holo_error* error) noexcept {
  return guarded(error, name, [&] {
    if (!same_stamp(host, error)) return 1;
    if constexpr (check_material<M>()) {
      using O = ReferenceOperations<M>;
      static const holo_material_reference reference = [name] {
        holo_material_reference table = {HOLO_STAMP,
                                         name,
                                         std::uint32_t(coefficient_count<M>()),
                                         O::energy,
                                         O::stress,
                                         O::hessian,
                                         O::directional_hessian,
                                         O::third_order_contraction,
                                         O::fourth_order_contraction,
                                         O::coefficient_gradient,
                                         O::coefficient_stress,
                                         OneSidedOperation<M>::run,
                                         nullptr,
                                         nullptr,
                                         nullptr,
                                         nullptr,
                                         nullptr,
                                         nullptr,
                                         nullptr,
                                         nullptr};
        using Modes = std::conditional_t<HasStretchEnergy<M, double>, StretchModes<M>, ReferenceModes<M>>;
        table.complex_step_stress = Modes::complex_step_stress;
        table.multicomplex_step_hessian = Modes::multicomplex_step_hessian;
        table.accelerated_stress = Modes::accelerated_stress;
        table.accelerated_hessian = Modes::accelerated_hessian;
        table.reverse_ad_stress = Modes::reverse_ad_stress;
        table.reverse_ad_hessian = Modes::reverse_ad_hessian;
        if constexpr (!HasStretchEnergy<M, double>) {
          table.cauchy_riemann_stress = Modes::cauchy_riemann_stress;
          table.cauchy_riemann_hessian = Modes::cauchy_riemann_hessian;
        }
        return table;
      }();
      return registrar->add_material_reference(registrar->self, &reference, error);
    }
    return 1;
  });
}

}  // namespace holo::plugin
