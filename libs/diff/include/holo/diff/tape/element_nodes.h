#pragma once
// A sum of energies of elements, sum_e E_e(x_e), as one node of a tape: the scalar operations inside are not recorded.
//
//   const auto energy = [=](std::size_t element, const auto& u) { ... };     // u[0] ... u[K - 1], in any scalar
//   Variable<T> E = element_energy<12>(x, entries, energy);                  // entries: [elements][12], their numbers in x
//
// Entries of x are numbered by columns. Over double the gradients of the elements are computed at once, in lanes. Over numbers
// with directions the node needs H_e v: the Hessians of the elements are computed once, a row at a time with the columns in
// lanes, and all tapes of one Hessian share them. Over other scalars each element is recorded by itself during the sweep.
//
// The energy is copied. Objects to which its captures point must not change until the sweep.

#include <array>
#include <memory>
#include <vector>

#include "holo/diff/singular/kinks.h"
#include "holo/diff/tape/directions.h"
#include "holo/diff/tape/matrix_variable.h"

namespace holo {

namespace detail {

// The derivatives of all elements at the real point.
struct ElementDerivatives {
  double value = 0;               // the sum
  std::vector<double> gradients;  // [elements][K]
  std::vector<double> hessians;   // [elements][K][K], or empty
};

template <int K>
inline constexpr int element_lanes = (K + LaneBlock::width - 1) / LaneBlock::width* LaneBlock::width;

template <int K, class Energy>
void add_element(const Energy& energy, std::size_t element, const std::array<double, K>& u, bool with_hessian,
                 ElementDerivatives& out) {
  using D = Directions<element_lanes<K>>;
  const auto unit = [](int k) {
    D direction(0.0);
    direction.set(k, 1.0);
    return direction;
  };
  if (!with_hessian) {
    std::array<Nilpotent<1, double, D>, K> x;
    for (int k = 0; k < K; ++k) x[k] = Nilpotent<1, double, D>::seed_last(u[k], unit(k));
    const Nilpotent<1, double, D> E = energy(element, x);
    out.value += E.value();
    for (int k = 0; k < K; ++k) out.gradients.push_back(E.derivative()[k]);
    return;
  }
  std::array<Nilpotent<2, double, D>, K> x;
  for (int k = 0; k < K; ++k) x[k] = Nilpotent<2, double, D>::seed_last(u[k], D(0.0));
  for (int k = 0; k < K; ++k) x[k].template set_coefficient<2>(unit(k));
  for (int row = 0; row < K; ++row) {
    x[row].template set_coefficient<1>(1.0);
    const Nilpotent<2, double, D> E = energy(element, x);
    x[row].template set_coefficient<1>(0.0);
    if (row == 0) out.value += E.value();
    out.gradients.push_back(E.template coefficient<1>());
    for (int k = 0; k < K; ++k) out.hessians.push_back(E.derivative()[k]);
  }
}

// The node's view of its inputs: entry number entries[K e + k] of x is input k of element e.
template <int K, class T, class Energy>
struct ElementSum {
  using P = Planes<T>;
  static constexpr bool first_order = [] {
    if constexpr (requires { T::order; })
      return T::order == 1;
    else
      return std::is_arithmetic_v<T>;
  }();

  TapeBlock* x;
  const int* entries;
  std::size_t elements;
  Energy energy;

  int entry(std::size_t e, int k) const { return entries[K * e + std::size_t(k)]; }

  const ElementDerivatives* derivatives(Tape<T>& tape) const {
    return tape.template result_of_value<ElementDerivatives>({x->values, x->size()}, [&] {
      auto result = std::make_shared<ElementDerivatives>();
      result->gradients.reserve(elements * K);
      if (P::count > 1) result->hessians.reserve(elements * K * K);
      for (std::size_t e = 0; e < elements; ++e) {
        std::array<double, K> u;
        for (int k = 0; k < K; ++k) u[k] = x->values[entry(e, k)];
        add_element<K>(energy, e, u, P::count > 1, *result);
      }
      return std::shared_ptr<const ElementDerivatives>(std::move(result));
    });
  }
  // The directional derivatives of the sum.
  T value(const ElementDerivatives& d) const {
    double planes[P::count] = {d.value};
    for (int p = 1; p < P::count; ++p) {
      const double* v = x->values + std::size_t(p) * x->size();
      for (std::size_t i = 0; i < elements * K; ++i) planes[p] += d.gradients[i] * v[entries[i]];
    }
    return P::join(planes, 1);
  }
  // xbar_e += zbar (g_e + H_e v_e eps)
  void add_gradients(const ElementDerivatives& d, const T& zbar, double* to) const {
    double bar[P::count];
    P::split(zbar, bar, 1);
    for (int p = 0; p < P::count; ++p) {
      const double* v = x->values + std::size_t(p) * x->size();
      double* out = to + std::size_t(p) * x->size();
      for (std::size_t i = 0; i < elements * K; ++i) out[entries[i]] += bar[p] * d.gradients[i];
      if (p == 0) continue;
      for (std::size_t e = 0; e < elements; ++e)
        for (int j = 0; j < K; ++j) {
          const double* row = d.hessians.data() + (K * e + std::size_t(j)) * K;
          double sum = 0;
          for (int k = 0; k < K; ++k) sum += row[k] * v[entry(e, k)];
          out[entry(e, j)] += bar[0] * sum;
        }
    }
  }

  T element_input(std::size_t e, int k) const { return P::join(x->values + entry(e, k), x->size()); }
  T value() const {
    T sum(0.0);
    std::array<T, K> u;
    for (std::size_t e = 0; e < elements; ++e) {
      for (int k = 0; k < K; ++k) u[k] = element_input(e, k);
      sum = sum + energy(e, u);
    }
    return sum;
  }
  // Records each element on a tape of its own, and adds its gradient.
  void add_gradients(Tape<T>& t, const T& zbar, double* to) const {
    std::array<Variable<T>, K> u;
    for (std::size_t e = 0; e < elements; ++e) {
      Tape<T>& own = t.nested(0);
      for (int k = 0; k < K; ++k) u[k] = own.variable(element_input(e, k));
      own.reverse(energy(e, u), zbar);
      for (int k = 0; k < K; ++k) P::add(own.adjoint(u[k]), to + entry(e, k), x->size());
    }
  }
};

}  // namespace detail

// The sum of energy(e, inputs of element e). entries: [elements][K]. Throws TensorError(dimension_mismatch) if their count is
// not a multiple of K, or if a number is not in [0, x.size()).
template <int K, class T, class Energy>
Variable<T> element_energy(const MatrixVariable<T>& x, std::span<const int> entries, const Energy& energy) {
  detail::require_shape(entries.size() % K == 0, "element_energy", int(entries.size()), 1, K, 1);
  Tape<T>& tape = x.tape();
  int* kept = static_cast<int*>(static_cast<void*>(tape.kept(entries.size())));
  for (std::size_t k = 0; k < entries.size(); ++k) {
    detail::require_shape(entries[k] >= 0 && std::size_t(entries[k]) < x.size(), "element_energy", x.rows(), x.columns(),
                          entries[k], 1);
    kept[k] = entries[k];
  }
  const detail::ElementSum<K, T, Energy> sum{x.block(), kept, entries.size() / K, energy};
  if constexpr (sum.first_order) {
    const detail::ElementDerivatives* d = sum.derivatives(tape);
    return detail::scalar_node(tape, sum.value(*d),
                               [sum, d](Tape<T>& t, const T& zbar) { sum.add_gradients(*d, zbar, t.adjoint(sum.x)); });
  } else {
    return detail::scalar_node(tape, sum.value(), [sum](Tape<T>& t, const T& zbar) {
      const KinkCounters counted = kink_counters();
      sum.add_gradients(t, zbar, t.adjoint(sum.x));
      kink_counters() = counted;
    });
  }
}

}  // namespace holo
