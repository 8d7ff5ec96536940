// w/2 a^2 of the activation a of a segment of a muscle, in multiples of the shear modulus ([Shen2024] Eq 26).
#include <holo/plugin/loss.h>

struct ActivationEnergy {
  Muscle muscle;
  Signal<1> weight;

  static ActivationEnergy read(const LossReader& p) {
    return {p.muscle("muscle"), p.weight("weight", "1", {.default_value = 1e-2})};
  }

  template <class S>
  void residuals(const Observer<S>& observe, LossResiduals<S>& residuals) const {
    const S activation = observe.activation(muscle);
    residuals.add(activation, observe.at(weight)[0]);
    residuals.measure("activation", "1", abs(activation));
  }
};

HOLO_LOSS(ActivationEnergy, "activation_energy", "a muscle is activated little")
