#pragma once
// The parameters of a body energy, the observables of its body, and the target strains of an element.

#include <algorithm>
#include <vector>

#include "holo/diff/matrix.h"
#include "holo/diff/scalars/elementary.h"
#include "holo/plugin/observer.h"
#include "holo/plugin/parameters.h"

namespace holo {

// A target strain, which a parameter names.
struct Target {
  int number;
};

// The name and unit of a quantity that all elements share, for reports.
struct BodyQuantity {
  const char *name, *unit;
};

class BodyEnergyReader : public ParameterReader<double> {
 public:
  using ParameterReader<double>::ParameterReader;
  // A named subset of the body's vertices.
  Body subset(const char* name, const SubjectOptions& options = {}) const {
    return {subject(name, HOLO_SUBJECT_BODY, options.documentation)};
  }
  Target target(const char* name, const SubjectOptions& options = {}) const {
    return {subject(name, HOLO_SUBJECT_TARGET, options.documentation)};
  }
};

// The observables of the body at this time step: those of Observer that are linear in its positions.
template <class S>
class BodyObserver {
 public:
  BodyObserver(const Observer<S>& now, const Observer<S>& start) : now_(now), start_(start) {}
  Vector3<S> center_of_mass(Body subset) const { return now_.center_of_mass(subset); }  // [m]
  // The mean position of its vertices, whatever their masses [m].
  Vector3<S> mean_position(Body subset) const { return now_.point(subset, Vector3<double>{}); }
  // What they were as the scene started, when bodies are at rest [m].
  Vector3<S> center_of_mass_at_start(Body subset) const { return start_.center_of_mass(subset); }
  Vector3<S> mean_position_at_start(Body subset) const { return start_.point(subset, Vector3<double>{}); }

 private:
  const Observer<S>&now_, &start_;
};

// The target strains of one element. The first run of an energy lists those that it uses.
template <class S>
class Targets {
 public:
  explicit Targets(std::vector<std::uint32_t>& listed) : known_(listed), listed_(&listed) {}
  // strains: [target][9]
  Targets(const std::vector<std::uint32_t>& known, const S* strains) : known_(known), strains_(strains) {}

  Matrix3<S> operator[](Target target) const {
    const auto number = std::uint32_t(target.number);
    const auto found = std::find(known_.begin(), known_.end(), number);
    Matrix3<S> strain{};
    if (listed_ != nullptr) {
      if (found == known_.end()) listed_->push_back(number);
      for (int k = 0; k < 9; ++k) strain[k] = S(0.01 * (1 + k % 4));
      return strain;
    }
    if (found == known_.end())
      throw std::logic_error("energy_density() uses other targets in its second run than in its first");
    for (int k = 0; k < 9; ++k) strain[k] = strains_[9 * (found - known_.begin()) + k];
    return strain;
  }

 private:
  const std::vector<std::uint32_t>& known_;
  std::vector<std::uint32_t>* listed_ = nullptr;
  const S* strains_ = nullptr;
};

// E = (F^T F - I)/2
template <class S>
constexpr Matrix3<S> green_strain(const Matrix3<S>& F) {
  Matrix3<S> E = 0.5 * (transpose(F) * F);
  for (int i = 0; i < 3; ++i) E(i, i) = E(i, i) - 0.5;
  return E;
}

// 0 below 0, 3 s^2 - 2 s^3, 1 above 1; once continuously differentiable.
template <class S>
constexpr S smooth_step(const S& s) {
  const S inside = min(max(s, S(0.0)), S(1.0));
  return inside * inside * (3.0 - 2.0 * inside);
}

}  // namespace holo
