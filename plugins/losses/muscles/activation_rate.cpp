// A penalty of the rate of a muscle's activation beyond a limit ([Shen2024] Eq 27). With the relative excess
// e = max(0, |rate|/limit - 1) it is w/2 e^2 (`squared`: its second derivative jumps at the limit) or w/2 e^3 (`cubed`: twice
// continuously differentiable, as Newton's method needs).
#include <holo/plugin/loss.h>

struct ActivationRate {
  Muscle muscle;
  double limit;
  int excess;  // 0: cubed, 1: squared
  Signal<1> weight;

  static ActivationRate read(const LossReader& p) {
    return {p.muscle("muscle"),
            p.positive("limit", "1/s", {.documentation = "Multiples of the shear modulus per second, such as 60"}),
            p.choice("excess", {"cubed", "squared"}, {.default_value = 0}), p.weight("weight", "1", {.default_value = 1.0})};
  }

  template <class S>
  void residuals(const Observer<S>& observe, LossResiduals<S>& residuals) const {
    const S rate = abs(observe.activation(muscle) - observe.activation(muscle, -1)) / observe.time_step();
    const S beyond = max(rate / limit - 1.0, S(0.0)), w = observe.at(weight)[0];
    if (excess == 0)
      residuals.add_value(0.5 * w * beyond * beyond * beyond);
    else
      residuals.add(beyond, w);
    residuals.measure("activation_rate", "1/s", rate);
  }
};

HOLO_LOSS(ActivationRate, "activation_rate", "a muscle's activation changes no faster than a limit")
