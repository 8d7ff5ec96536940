// w/2 |(c - target)/scale|^2 of a body's center of mass c, entry by entry ([Shen2024] Eq 19).
#include <holo/plugin/loss.h>

struct TrackCenterOfMass {
  Body body;
  Signal<3> target, weight;
  double scale;

  static TrackCenterOfMass read(const LossReader& p) {
    return {p.body("body"), p.signal<3>("target", "m", {.documentation = "Where the center of mass should be"}),
            p.weight<3>("weight", "1", {.default_value = 1.0, .documentation = "Of each entry"}),
            p.positive("scale", "m", {.default_value = 0.01, .documentation = "The error that counts w/2"})};
  }

  template <class S>
  void residuals(const Observer<S>& observe, LossResiduals<S>& residuals) const {
    const Vector3<S> gap = observe.center_of_mass(body) - observe.at(target), w = observe.at(weight);
    for (int i = 0; i < 3; ++i) residuals.add(gap[i] / scale, w[i]);
    residuals.measure("center_of_mass_error", "m", norm(gap));
  }
};

HOLO_LOSS(TrackCenterOfMass, "track_center_of_mass", "a body's center of mass follows a path")
