// w/2 |(v_b - v_a - target)/scale|^2 of the velocities of the centers of mass of two bodies or subsets over the last time step,
// entry by entry ([Shen2024] Eq 20).
#include <holo/plugin/loss.h>

struct TrackRelativeVelocity {
  Body body, other;
  Signal<3> target, weight;
  double scale;

  static TrackRelativeVelocity read(const LossReader& p) {
    return {p.body("body"), p.body("relative_to"),
            p.signal<3>("target", "m/s", {.documentation = "Velocity of body seen from relative_to"}),
            p.weight<3>("weight", "1", {.default_value = 1.0, .documentation = "Of each entry"}),
            p.positive("scale", "m/s", {.default_value = 0.1, .documentation = "The error that counts w/2"})};
  }

  template <class S>
  void residuals(const Observer<S>& observe, LossResiduals<S>& residuals) const {
    const Vector3<S> moved = observe.center_of_mass(body) - observe.center_of_mass(body, -1),
                     other_moved = observe.center_of_mass(other) - observe.center_of_mass(other, -1);
    const Vector3<S> gap = (moved - other_moved) / observe.time_step() - observe.at(target), w = observe.at(weight);
    for (int i = 0; i < 3; ++i) residuals.add(gap[i] / scale, w[i]);
    residuals.measure("relative_velocity_error", "m/s", norm(gap));
  }
};

HOLO_LOSS(TrackRelativeVelocity, "track_relative_velocity", "the relative velocity of two centers of mass follows a target")
