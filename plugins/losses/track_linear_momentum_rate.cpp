// w/2 |((p_n - p_{n-1})/dt - target)/scale|^2 of a body's linear momentum p, entry by entry ([Shen2024] Eq 21): the sum of
// external forces, gravity among them.
#include <holo/plugin/loss.h>

struct TrackLinearMomentumRate {
  Body body;
  Signal<3> target, weight;
  double scale;

  static TrackLinearMomentumRate read(const LossReader& p) {
    return {p.body("body"), p.signal<3>("target", "N", {.documentation = "Change of the momentum per second"}),
            p.weight<3>("weight", "1", {.default_value = 1.0, .documentation = "Of each entry"}),
            p.positive("scale", "N", {.documentation = "The error that counts w/2, such as a third of the weight"})};
  }

  template <class S>
  void residuals(const Observer<S>& observe, LossResiduals<S>& residuals) const {
    const Vector3<S> rate = (observe.momentum(body) - observe.momentum(body, -1)) / observe.time_step();
    const Vector3<S> gap = rate - observe.at(target), w = observe.at(weight);
    for (int i = 0; i < 3; ++i) residuals.add(gap[i] / scale, w[i]);
    residuals.measure("linear_momentum_rate_error", "N", norm(gap));
  }
};

HOLO_LOSS(TrackLinearMomentumRate, "track_linear_momentum_rate", "a body's linear momentum changes at a given rate")
