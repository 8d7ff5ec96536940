#pragma once
// The 100-digit twin of a body energy: its functions in 100 digits, derivatives as central differences of them. With steps h
// the error is of order h^2 and rounding of order 1e-100 / h^order, so both are negligible beside the rounding to double at the
// end.

#include <boost/multiprecision/cpp_bin_float.hpp>
#include <cstddef>
#include <vector>

#include "holo/plugin/detail/body_energy_traits.h"
#include "holo/plugin/detail/entry.h"

namespace holo::plugin {

using HundredDigits = boost::multiprecision::number<boost::multiprecision::cpp_bin_float<100>, boost::multiprecision::et_off>;

// First and second central differences of function(x [n]) at x.
template <class Function>
class CentralDifferences {
 public:
  CentralDifferences(std::vector<HundredDigits> x, const Function& function) : x_(std::move(x)), function_(function) {}

  HundredDigits slope(std::size_t k) const { return (moved(k, 1, k, 0) - moved(k, -1, k, 0)) / (2 * step()); }
  HundredDigits curvature(std::size_t k, std::size_t l) const {
    return (moved(k, 1, l, 1) - moved(k, 1, l, -1) - moved(k, -1, l, 1) + moved(k, -1, l, -1)) / (4 * step() * step());
  }

 private:
  static HundredDigits step() { return HundredDigits(1e-20); }
  HundredDigits moved(std::size_t k, int a, std::size_t l, int b) const {
    std::vector<HundredDigits> x = x_;
    x[k] += a * step();
    x[l] += b * step();
    return function_(x);
  }

  std::vector<HundredDigits> x_;
  const Function& function_;
};

// An instance.
template <class E>
struct BodyEnergyReferenceInstance {
  using Numbers = std::vector<HundredDigits>;
  static constexpr std::size_t no = std::size_t(quantity_count<E>);

  E energy;
  ListedBodyEnergy listed;

  Numbers quantities(const Numbers& z, const Numbers& start) const {
    return quantities_at<E>(energy, Observer<HundredDigits>(listed.observations, z.data(), nullptr),
                            Observer<HundredDigits>(listed.observations, start.data(), nullptr));
  }

  void run_quantities(const double* z, const double* start, const double* w, double* o, double* jacobian,
                      double* hessian) const {
    const std::size_t nz = std::size_t(listed.observations.size);
    const Numbers at(z, z + nz), at_start(start, start + nz);
    const Numbers values = quantities(at, at_start);
    for (std::size_t i = 0; i < no; ++i) {
      o[i] = double(values[i]);
      const auto one = [&](const Numbers& x) { return quantities(x, at_start)[i]; };
      if (jacobian != nullptr)
        for (std::size_t k = 0; k < nz; ++k) *jacobian++ = double(CentralDifferences(at, one).slope(k));
    }
    if (hessian == nullptr) return;
    const auto weighted = [&](const Numbers& x) {
      const Numbers there = quantities(x, at_start);
      HundredDigits sum = 0;
      for (std::size_t i = 0; i < no; ++i) sum += w[i] * there[i];
      return sum;
    };
    const CentralDifferences differences(at, weighted);
    for (std::size_t k = 0; k < nz; ++k)
      for (std::size_t l = 0; l < nz; ++l) *hessian++ = double(differences.curvature(k, l));
  }

  void run(std::uint32_t operation, const double* F, const double* o, const double* T, double* output) const {
    Numbers at(F, F + 9);
    at.insert(at.end(), o, o + no);
    const Numbers strains(T, T + 9 * listed.targets.size());
    const auto density = [&](const Numbers& x) {
      return density_at<E>(energy, x.data(), x.data() + 9, Targets<HundredDigits>(listed.targets, strains.data()));
    };
    const CentralDifferences differences(at, density);
    if (operation == HOLO_BODY_ENERGY_DENSITY) {
      *output = double(density(at));
    } else if (operation == HOLO_BODY_ENERGY_GRADIENT) {
      for (std::size_t k = 0; k < 9 + no; ++k) *output++ = double(differences.slope(k));
    } else {
      for (std::size_t k = 0; k < 9; ++k)
        for (std::size_t l = k; l < 9; ++l) *output++ = double(differences.curvature(k, l));
      for (std::size_t k = 9; k < 9 + no; ++k)
        for (std::size_t l = 0; l < 9; ++l) *output++ = double(differences.curvature(k, l));
      for (std::size_t k = 9; k < 9 + no; ++k)
        for (std::size_t l = k; l < 9 + no; ++l) *output++ = double(differences.curvature(k, l));
    }
  }
};

template <class E>
const BodyEnergyReferenceInstance<E>& body_energy_twin(const holo_body_energy_instance* instance) {
  return *reinterpret_cast<const BodyEnergyReferenceInstance<E>*>(instance);
}

template <class E>
int create_body_energy_reference(const holo_parameter_reader* reader, holo_body_energy_instance** instance,
                                 holo_error* error) noexcept {
  return guarded(error, "create", [&] {
    const E energy = E::read(BodyEnergyReader(reader));
    *instance =
        reinterpret_cast<holo_body_energy_instance*>(new BodyEnergyReferenceInstance<E>{energy, list_body_energy(energy)});
    return 0;
  });
}

template <class E>
void destroy_body_energy_reference(holo_body_energy_instance* instance) noexcept {
  delete reinterpret_cast<BodyEnergyReferenceInstance<E>*>(instance);
}

template <class E>
void describe_body_energy_reference(const holo_body_energy_instance* instance,
                                    holo_body_energy_description* description) noexcept {
  *description = body_energy_twin<E>(instance).listed.description();
}

template <class E>
int run_body_quantities_reference(const holo_body_energy_instance* instance, const double* z, const double* start,
                                  const double* w, double* o, double* jacobian, double* hessian, holo_error* error) noexcept {
  return guarded(error, "quantities", [&] {
    body_energy_twin<E>(instance).run_quantities(z, start, w, o, jacobian, hessian);
    return 0;
  });
}

template <class E>
int run_body_energy_reference(const holo_body_energy_instance* instance, std::uint32_t operation, const double* F,
                              const double* o, const double* T, double* output, holo_error* error) noexcept {
  return guarded(error, "run", [&] {
    body_energy_twin<E>(instance).run(operation, F, o, T, output);
    return 0;
  });
}

template <class E>
int enter_body_energy(const char* name, const char*, const holo_stamp* host, const holo_registrar* registrar,
                      holo_error* error) noexcept {
  return guarded(error, name, [&] {
    if (!same_stamp(host, error)) return 1;
    if constexpr (check_body_energy<E>()) {
      static const holo_body_energy_reference reference = {HOLO_STAMP,
                                                           name,
                                                           create_body_energy_reference<E>,
                                                           destroy_body_energy_reference<E>,
                                                           describe_body_energy_reference<E>,
                                                           run_body_quantities_reference<E>,
                                                           run_body_energy_reference<E>};
      return registrar->add_body_energy_reference(registrar->self, &reference, error);
    }
    return 1;
  });
}

}  // namespace holo::plugin
