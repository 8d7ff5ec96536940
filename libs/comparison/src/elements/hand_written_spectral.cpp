// Energies of the principal stretches, from closed forms of their blocks in the principal axes: for one element at a time, and
// in lanes.

#include "elements/hand_written_codings.h"
#include "elements/hand_written_materials.h"
#include "holo/comparison/element_lanes.h"
#include "holo/diff/tensor/principal_stretches.h"

namespace holo::comparison {
namespace {

// Of all: first(s) gives g_i = dE/ds_i, blocks(s) the blocks; S is double or a block of lanes.

// mu sum (s_i - 1)^2 + lambda/2 (sum s_i - 3)^2
struct Corotational {
  double lambda, mu;

  template <class S>
  HOLO_INLINE Vector3<S> first(const Vector3<S>& s) const {
    const S two_mu(2 * mu), one(1.0), pressure = S(lambda) * (s[0] + s[1] + s[2] - S(3.0));
    return {two_mu * (s[0] - one) + pressure, two_mu * (s[1] - one) + pressure, two_mu * (s[2] - one) + pressure};
  }
  template <class S>
  HOLO_INLINE StretchBlocks<S> blocks(const Vector3<S>& s) const {
    const S two_mu(2 * mu), lam(lambda), diagonal(lambda + 2 * mu);
    const S c = S(2.0) * (lam * (s[0] + s[1] + s[2] - S(3.0)) - two_mu);
    return {{diagonal, lam, lam, diagonal, lam, diagonal},
            {two_mu, two_mu, two_mu},
            {two_mu + c / (s[0] + s[1]), two_mu + c / (s[0] + s[2]), two_mu + c / (s[1] + s[2])}};
  }
};

// sum_p mu_p/a_p (sum_i b_ip - 3) + kappa/2 (J - 1)^2, b_ip = (J^(-1/3) s_i)^a_p
struct Ogden {
  double kappa, mu[3], a[3];

  template <class S>
  struct Powers {
    S b[3][3], J;  // b[i][p]
  };
  template <class S>
  HOLO_INLINE Powers<S> powers(const Vector3<S>& s) const {
    using std::exp, std::log;
    const S logs[3] = {log(s[0]), log(s[1]), log(s[2])}, mean = S(1.0 / 3) * (logs[0] + logs[1] + logs[2]);
    Powers<S> result;
    for (int i = 0; i < 3; ++i)
      for (int p = 0; p < 3; ++p) result.b[i][p] = exp(S(a[p]) * (logs[i] - mean));
    result.J = s[0] * s[1] * s[2];
    return result;
  }
  // s_i g_i = dE/d(ln s_i) = sum_p mu_p (b_ip - (b_0p + b_1p + b_2p)/3) + kappa (J - 1) J
  template <class S>
  HOLO_INLINE Vector3<S> logarithmic(const Powers<S>& x) const {
    S m[3];
    for (int i = 0; i < 3; ++i) m[i] = S(mu[0]) * x.b[i][0] + S(mu[1]) * x.b[i][1] + S(mu[2]) * x.b[i][2];
    const S common = S(kappa) * (x.J - S(1.0)) * x.J - S(1.0 / 3) * (m[0] + m[1] + m[2]);
    return {m[0] + common, m[1] + common, m[2] + common};
  }
  template <class S>
  HOLO_INLINE Vector3<S> first(const Vector3<S>& s) const {
    const Vector3<S> G = logarithmic(powers(s));
    return {G[0] / s[0], G[1] / s[1], G[2] / s[2]};
  }
  template <class S>
  HOLO_INLINE StretchBlocks<S> blocks(const Vector3<S>& s) const {
    const Powers<S> x = powers(s);
    const Vector3<S> G = logarithmic(x);
    S B[3], inverse[3];
    for (int i = 0; i < 3; ++i) {
      B[i] = S(mu[0] * a[0]) * x.b[i][0] + S(mu[1] * a[1]) * x.b[i][1] + S(mu[2] * a[2]) * x.b[i][2];
      inverse[i] = S(1.0) / s[i];
    }
    const S common = S(1.0 / 9) * (B[0] + B[1] + B[2]) + S(kappa) * x.J * (x.J + x.J - S(1.0));
    StretchBlocks<S> result;
    holo::detail::unroll<6>([&](auto index) HOLO_INLINE_LAMBDA {
      constexpr int row[6] = {0, 0, 0, 1, 1, 2}, column[6] = {0, 1, 2, 1, 2, 2}, i = row[index], j = column[index];
      S h = common - S(1.0 / 3) * (B[i] + B[j]);
      if constexpr (i == j) h = h + (B[i] - G[i]);
      result.stretch[index] = h * inverse[i] * inverse[j];
    });
    holo::detail::unroll<3>([&](auto pair) HOLO_INLINE_LAMBDA {
      constexpr int i = holo::detail::pair_first[pair], j = holo::detail::pair_second[pair];
      result.symmetric[pair] = (s[j] * slope<i, j>(s, x, inverse[j]) - G[j]) * inverse[i] * inverse[j];
      result.skew[pair] = (G[i] * inverse[i] + G[j] * inverse[j]) / (s[i] + s[j]);
    });
    return result;
  }
  // (G_i - G_j)/(s_i - s_j), to rounding also where the stretches nearly meet: b_i - b_j = b_j expm1(a ln(s_i/s_j)).
  template <int i, int j, class S>
  HOLO_INLINE S slope(const Vector3<S>& s, const Powers<S>& x, const S& inverse) const {
    using std::expm1, std::log1p;
    const S gap = s[i] - s[j], d = select(gap == S(0.0), S(1e-150), gap), ratio = log1p(d * inverse);
    S sum(0.0);
    for (int p = 0; p < 3; ++p) sum = sum + S(mu[p]) * x.b[j][p] * expm1(S(a[p]) * ratio);
    return sum / d;
  }
};

// W(c) + dW/ds(c) . d + (lambda/4 + mu/2) |d|^2 + lambda sum_(i<j) c_i d_i c_j d_j, c = max(s, 0.6), d = s - c,
// W = mu/4 sum q_i^2 + lambda/8 (sum q_i)^2, q = c^2 - 1
struct InvertibleSaintVenantKirchhoff {
  double lambda, mu;

  // With T = sum q and D = sum c_i d_i:  f(c) = c (mu q + lambda/2 T) is dW/dc, and g_i = f(c_i) + lambda c_i D + (k - lambda
  // c_i^2) d_i.
  template <class S>
  struct Parts {
    S c[3], f[3], k, A;  // A = lambda/2 T + lambda D - mu
    Vector3<S> d, g;
    decltype(S(0.0) < S(0.0)) free[3];
  };
  template <class S>
  HOLO_INLINE Parts<S> parts(const Vector3<S>& s) const {
    const S limit(0.6), lam(lambda), m(mu);
    Parts<S> x;
    S T(-3.0), D(0.0);
    for (int i = 0; i < 3; ++i) {
      x.free[i] = s[i] > limit;
      x.c[i] = select(x.free[i], s[i], limit);
      x.d[i] = s[i] - x.c[i];
      T = T + x.c[i] * x.c[i];
      D = D + x.c[i] * x.d[i];
    }
    const S half = S(lambda / 2) * T, extension = lam * D;
    x.k = S(lambda / 2 + mu);
    x.A = half + extension - m;
    for (int i = 0; i < 3; ++i) {
      x.f[i] = x.c[i] * (m * (x.c[i] * x.c[i] - S(1.0)) + half);
      x.g[i] = x.f[i] + x.c[i] * extension + (x.k - lam * x.c[i] * x.c[i]) * x.d[i];
    }
    return x;
  }
  template <class S>
  HOLO_INLINE Vector3<S> first(const Vector3<S>& s) const {
    return parts(s).g;
  }
  template <class S>
  HOLO_INLINE StretchBlocks<S> blocks(const Vector3<S>& s) const {
    const S lam(lambda), m(mu);
    const Parts<S> x = parts(s);
    StretchBlocks<S> result;
    for (int i = 0; i < 3; ++i)
      result.stretch[holo::detail::stretch_index[i][i]] = select(x.free[i], S(x.A + S(3 * mu + lambda) * x.c[i] * x.c[i]), x.k);
    holo::detail::unroll<3>([&](auto pair) HOLO_INLINE_LAMBDA {
      constexpr int i = holo::detail::pair_first[pair], j = holo::detail::pair_second[pair];
      const auto both = x.free[i] & x.free[j];
      const auto none = !(x.free[i] | x.free[j]);
      result.stretch[holo::detail::stretch_index[i][j]] = lam * x.c[i] * x.c[j];
      const S gap = s[i] - s[j], quotient = (x.g[i] - x.g[j]) / select(gap == S(0.0), S(1.0), gap);
      const S cubic = x.A + m * (s[i] * s[i] + s[i] * s[j] + s[j] * s[j]);
      result.symmetric[pair] = select(both, cubic, select(none, S(x.k - lam * x.c[i] * x.c[j]), quotient));
      result.skew[pair] = (x.g[i] + x.g[j]) / (s[i] + s[j]);
    });
    return result;
  }
};

// One element at a time.
template <class Energy>
struct OfStretches {
  Energy energy;

  using Point = SignedSvd<double>;
  HOLO_INLINE Point at(const Matrix& F) const { return signed_svd(F); }
  HOLO_INLINE Matrix stress(const Point& p) const { return spectral_stress(p, energy.first(p.stretches)); }
  HOLO_INLINE void hessian(const Point& p, double* H) const {
    spectral_hessian(p, energy.blocks(p.stretches), [H](int k, double value) HOLO_INLINE_LAMBDA { H[k] = value; });
  }
};

// Gather, the decomposition, its blocks, chain and stores: nothing else.
template <class Energy>
Kernel in_lanes(const Energy& energy, DerivativeKind quantity) {
  return [energy, quantity](std::span<const ElementRecord> elements, double* output) {
    alignas(64) double F[9 * width], result[upper_count_9 * width];
    BlockGeometry geometry;
    for (std::size_t first = 0; first < elements.size(); first += width) {
      gather_block(elements.data() + first, F, geometry);
      Matrix3<LaneBlock> matrix{};
      for (int k = 0; k < 9; ++k) matrix[k] = LaneBlock::load(F + k * width);
      const SignedSvd<LaneBlock> svd = signed_svd(matrix);
      double* to = output + first * std::size_t(entries_of(quantity));
      if (quantity == DerivativeKind::gradient) {
        const Matrix3<LaneBlock> P = spectral_stress(svd, energy.first(svd.stretches));
        for (int k = 0; k < 9; ++k) P[k].store(result + k * width);
        scatter_gradient(result, geometry, to);
        continue;
      }
      spectral_hessian(svd, energy.blocks(svd.stretches),
                       [&](int k, const LaneBlock& value) HOLO_INLINE_LAMBDA { value.store(result + k * width); });
      if (quantity == DerivativeKind::hessian)
        scatter_hessian(result, geometry, to);
      else
        scatter_symmetric_hessian(result, geometry, to);
    }
  };
}

template <class Energy>
std::vector<NamedKernel> spectral_codings(const Energy& energy, DerivativeKind quantity) {
  std::vector<NamedKernel> result = codings(OfStretches<Energy>{energy}, quantity);
  result.push_back({"hand-written, spectral in lanes", in_lanes(energy, quantity)});
  return result;
}

}  // namespace

std::vector<NamedKernel> hand_written_corotational(DerivativeKind quantity, const std::vector<double>& c) {
  return spectral_codings(Corotational{c[0], c[1]}, quantity);
}
std::vector<NamedKernel> hand_written_ogden(DerivativeKind quantity, const std::vector<double>& c) {
  return spectral_codings(Ogden{c[0], {c[1], c[2], c[3]}, {c[4], c[5], c[6]}}, quantity);
}
std::vector<NamedKernel> hand_written_stvk_invertible(DerivativeKind quantity, const std::vector<double>& c) {
  return spectral_codings(InvertibleSaintVenantKirchhoff{c[0], c[1]}, quantity);
}

}  // namespace holo::comparison
