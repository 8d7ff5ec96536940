// A penalty of activations near and beyond a limit: with t = (|a| - 0.9 limit)/(0.1 limit) it is w/2 t^3 from t = 0 on, and
// beyond the limit, t > 1, the quadratic function that continues it. It is convex and twice continuously differentiable, and
// its curvature is bounded. A muscle that is `contractile_only` is kept from negative activations by the same function of t =
// -a/(0.1 limit).
#include <holo/plugin/loss.h>

struct ActivationBounds {
  Muscle muscle;
  double limit;
  bool contractile_only;
  Signal<1> weight;

  static ActivationBounds read(const LossReader& p) {
    return {p.muscle("muscle"),
            p.positive("limit", "1", {.default_value = 3.0, .documentation = "Of |a|, in multiples of the shear modulus"}),
            p.flag("contractile_only", {.default_value = false, .documentation = "Keeps the activation from negative values"}),
            p.weight("weight", "1", {.default_value = 1.0})};
  }

  // t^3, and from t = 1 on 1 + 3 (t - 1) + 3 (t - 1)^2.
  template <class S>
  static S penalty(const S& t) {
    const S inside = max(t, S(0.0)), past = t - 1.0;
    return select(t < S(1.0), inside * inside * inside, 1.0 + 3.0 * past * (1.0 + past));
  }

  template <class S>
  void residuals(const Observer<S>& observe, LossResiduals<S>& residuals) const {
    const S activation = observe.activation(muscle), w = observe.at(weight)[0];
    const double width = 0.1 * limit;
    S sum = penalty(S((abs(activation) - (limit - width)) / width));
    if (contractile_only) sum = penalty(S((activation - (limit - width)) / width)) + penalty(S(-activation / width));
    residuals.add_value(0.5 * w * sum);
    residuals.measure("activation_margin", "1", limit - abs(activation));
  }
};

HOLO_LOSS(ActivationBounds, "activation_bounds", "a muscle's activation stays within its bounds")
