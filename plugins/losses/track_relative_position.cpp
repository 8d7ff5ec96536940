// w/2 |(c_b - c_a - target)/scale|^2 of the centers of mass of two bodies or subsets, entry by entry ([Shen2024] Eq 19).
#include <holo/plugin/loss.h>

struct TrackRelativePosition {
  Body body, other;
  Signal<3> target, weight;
  double scale;

  static TrackRelativePosition read(const LossReader& p) {
    return {p.body("body"), p.body("relative_to"),
            p.signal<3>("target", "m", {.documentation = "From the center of mass of relative_to to that of body"}),
            p.weight<3>("weight", "1", {.default_value = 1.0, .documentation = "Of each entry"}),
            p.positive("scale", "m", {.default_value = 0.02, .documentation = "The error that counts w/2"})};
  }

  template <class S>
  void residuals(const Observer<S>& observe, LossResiduals<S>& residuals) const {
    const Vector3<S> gap = observe.center_of_mass(body) - observe.center_of_mass(other) - observe.at(target),
                     w = observe.at(weight);
    for (int i = 0; i < 3; ++i) residuals.add(gap[i] / scale, w[i]);
    residuals.measure("relative_position_error", "m", norm(gap));
  }
};

HOLO_LOSS(TrackRelativePosition, "track_relative_position", "the vector between two centers of mass follows a target")
