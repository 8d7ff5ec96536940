#pragma once
// The 100-digit twin of a loss: its residuals in 100 digits, derivatives as central differences of them. With steps h the error
// is of order h^2 and rounding of order 1e-100 / h^order, so both are negligible beside the rounding to double at the end.

#include <boost/multiprecision/cpp_bin_float.hpp>
#include <cstddef>
#include <vector>

#include "holo/plugin/detail/entry.h"
#include "holo/plugin/detail/loss_traits.h"
#include "holo/plugin/observer.h"

namespace holo::plugin {

// A loss at given observables and data.
template <class L>
class LossReferenceEvaluation {
 public:
  using Number = boost::multiprecision::number<boost::multiprecision::cpp_bin_float<100>, boost::multiprecision::et_off>;

  LossReferenceEvaluation(const L& loss, const Observations& observations, const double* z, const double* d)
      : loss_(loss),
        observations_(observations),
        z_(z, z + observations.size),
        d_(d, d + observations.data.size()),
        size_(std::size_t(observations.size)) {}

  void value(double* to) const { *to = double(total(z_)); }

  void measures(double* to) const {
    const auto residuals = residuals_at(z_);
    for (const auto& measure : residuals.measures()) *to++ = double(measure.value);
  }

  void distances(double* to) const {
    const auto residuals = residuals_at(z_);
    for (const Number& distance : residuals.distances()) *to++ = double(distance);
  }

  void gradient(double* to) const {
    for (std::size_t k = 0; k < size_; ++k) {
      const Number right = total(moved(k, 1, k, 0)), left = total(moved(k, -1, k, 0));
      to[k] = double((right - left) / (2 * step()));
    }
  }

  // Upper half by rows.
  void hessian(double* to) const {
    for (std::size_t k = 0; k < size_; ++k)
      for (std::size_t l = k; l < size_; ++l)
        *to++ = double(mixed_difference(k, l, [&](const std::vector<Number>& z) { return total(z); }));
  }

  // Upper half by rows: the plain values' Hessian, and the sum of w r' r'^T.
  void gauss_newton(double* to) const {
    const LossResiduals<Number> here = residuals_at(z_);
    std::vector<std::vector<Number>> slopes;  // [observable][residual]
    for (std::size_t k = 0; k < size_; ++k) {
      const LossResiduals<Number> right = residuals_at(moved(k, 1, k, 0)), left = residuals_at(moved(k, -1, k, 0));
      slopes.emplace_back();
      for (std::size_t i = 0; i < here.weighted().size(); ++i)
        slopes[k].push_back((right.weighted()[i].residual - left.weighted()[i].residual) / (2 * step()));
    }
    for (std::size_t k = 0; k < size_; ++k)
      for (std::size_t l = k; l < size_; ++l) {
        Number sum = mixed_difference(k, l, [&](const std::vector<Number>& z) { return sum_of_values(residuals_at(z)); });
        for (std::size_t i = 0; i < here.weighted().size(); ++i) sum += here.weighted()[i].weight * slopes[k][i] * slopes[l][i];
        *to++ = double(sum);
      }
  }

 private:
  static Number step() { return Number(1e-20); }

  LossResiduals<Number> residuals_at(const std::vector<Number>& z) const {
    LossResiduals<Number> residuals;
    loss_.residuals(Observer<Number>(observations_, z.data(), d_.data()), residuals);
    return residuals;
  }
  static Number sum_of_values(const LossResiduals<Number>& residuals) {
    Number sum = 0;
    for (const Number& value : residuals.values()) sum += value;
    return sum;
  }
  Number total(const std::vector<Number>& z) const {
    const LossResiduals<Number> residuals = residuals_at(z);
    Number sum = sum_of_values(residuals);
    for (const auto& term : residuals.weighted()) sum += term.weight * term.residual * term.residual / 2;
    return sum;
  }

  // z + a h e_k + b h e_l.
  std::vector<Number> moved(std::size_t k, int a, std::size_t l, int b) const {
    std::vector<Number> z = z_;
    z[k] += a * step();
    z[l] += b * step();
    return z;
  }
  template <class Function>
  Number mixed_difference(std::size_t k, std::size_t l, const Function& function) const {
    Number sum = 0;
    for (const int first : {-1, 1})
      for (const int second : {-1, 1}) sum += first * second * function(moved(k, first, l, second));
    return sum / (4 * step() * step());
  }

  const L& loss_;
  const Observations& observations_;
  std::vector<Number> z_, d_;
  std::size_t size_;
};

// An instance.
template <class L>
struct LossReferenceInstance {
  L loss;
  ListedLoss listed;

  void run(std::uint32_t operation, const double* z, const double* d, double* output) const {
    const LossReferenceEvaluation<L> evaluation(loss, listed.observations, z, d);
    switch (operation) {
      case HOLO_LOSS_VALUE:
        return evaluation.value(output);
      case HOLO_LOSS_GRADIENT:
        return evaluation.gradient(output);
      case HOLO_LOSS_HESSIAN:
        return evaluation.hessian(output);
      case HOLO_LOSS_GAUSS_NEWTON:
        return evaluation.gauss_newton(output);
      case HOLO_LOSS_MEASURES:
        return evaluation.measures(output);
      case HOLO_LOSS_DISTANCES:
        return evaluation.distances(output);
      default:
        throw std::invalid_argument("there is no operation " + std::to_string(operation));
    }
  }
};

template <class L>
int create_loss_reference(const holo_parameter_reader* reader, holo_loss_instance** instance, holo_error* error) noexcept {
  return guarded(error, "create", [&] {
    const L loss = L::read(LossReader(reader));
    *instance = reinterpret_cast<holo_loss_instance*>(new LossReferenceInstance<L>{loss, list_loss(loss)});
    return 0;
  });
}

template <class L>
void destroy_loss_reference(holo_loss_instance* instance) noexcept {
  delete reinterpret_cast<LossReferenceInstance<L>*>(instance);
}

template <class L>
void describe_loss_reference(const holo_loss_instance* instance, holo_loss_description* description) noexcept {
  *description = reinterpret_cast<const LossReferenceInstance<L>*>(instance)->listed.description();
}

template <class L>
int run_loss_reference(const holo_loss_instance* instance, std::uint32_t operation, const double* z, const double* d,
                       double* output, holo_error* error) noexcept {
  return guarded(error, "run", [&] {
    reinterpret_cast<const LossReferenceInstance<L>*>(instance)->run(operation, z, d, output);
    return 0;
  });
}

template <class L>
int enter_loss(const char* name, const char*, const holo_stamp* host, const holo_registrar* registrar,
               holo_error* error) noexcept {
  return guarded(error, name, [&] {
    if (!same_stamp(host, error)) return 1;
    if constexpr (check_loss<L>()) {
      static const holo_loss_reference reference = {
          HOLO_STAMP,           name, create_loss_reference<L>, destroy_loss_reference<L>, describe_loss_reference<L>,
          run_loss_reference<L>};
      return registrar->add_loss_reference(registrar->self, &reference, error);
    }
    return 1;
  });
}

}  // namespace holo::plugin
