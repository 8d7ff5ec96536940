// w/2 (a_n - a_{n-1})^2 of the activation a of a segment of a muscle, in multiples of the shear modulus: among activations that
// move a body alike, those that change least.
#include <holo/plugin/loss.h>

struct ActivationChange {
  Muscle muscle;
  Signal<1> weight;

  static ActivationChange read(const LossReader& p) {
    return {p.muscle("muscle"), p.weight("weight", "1", {.default_value = 1e-3})};
  }

  template <class S>
  void residuals(const Observer<S>& observe, LossResiduals<S>& residuals) const {
    const S change = observe.activation(muscle) - observe.activation(muscle, -1);
    residuals.add(change, observe.at(weight)[0]);
    residuals.measure("activation_change", "1", abs(change));
  }
};

HOLO_LOSS(ActivationChange, "activation_change", "a muscle's activation changes little from step to step")
