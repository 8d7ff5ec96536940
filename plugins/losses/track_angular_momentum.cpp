// w/2 |(L - target)/scale|^2 of a body's angular momentum L about its center of mass, entry by entry. A target of the rate
// (track_angular_momentum_rate) leaves the errors of earlier steps as they are; this one takes them back, so that a body leaves
// the ground with the rotation that its flight needs.
#include <holo/plugin/loss.h>

struct TrackAngularMomentum {
  Body body;
  Signal<3> target, weight;
  double scale;

  static TrackAngularMomentum read(const LossReader& p) {
    return {p.body("body"), p.signal<3>("target", "N m s", {.documentation = "About the center of mass"}),
            p.weight<3>("weight", "1", {.default_value = 1.0, .documentation = "Of each entry"}),
            p.positive("scale", "N m s",
                       {.documentation = "The error that counts w/2: that of a target of the rate, times the time step"})};
  }

  template <class S>
  void residuals(const Observer<S>& observe, LossResiduals<S>& residuals) const {
    const Vector3<S> gap = observe.angular_momentum(body) - observe.at(target), w = observe.at(weight);
    for (int i = 0; i < 3; ++i) residuals.add(gap[i] / scale, w[i]);
    residuals.measure("angular_momentum_error", "N m s", norm(gap));
  }
};

HOLO_LOSS(TrackAngularMomentum, "track_angular_momentum", "a body's angular momentum follows a target")
