// w/2 |((c_n - 2 c_{n-1} + c_{n-2})/dt^2 - target)/scale|^2 of a body's center of mass c over the last two time steps, entry by
// entry ([Shen2024] Eq 21). The target of a body that lifts off is gravity.
#include <holo/plugin/loss.h>

struct TrackAcceleration {
  Body body;
  Signal<3> target, weight;
  double scale;

  static TrackAcceleration read(const LossReader& p) {
    return {p.body("body"), p.signal<3>("target", "m/s^2", {.documentation = "Acceleration of the center of mass"}),
            p.weight<3>("weight", "1", {.default_value = 1.0, .documentation = "Of each entry"}),
            p.positive("scale", "m/s^2", {.default_value = 3.0, .documentation = "The error that counts w/2"})};
  }

  template <class S>
  void residuals(const Observer<S>& observe, LossResiduals<S>& residuals) const {
    const S dt = observe.time_step();
    const Vector3<S> difference =
        observe.center_of_mass(body) - S(2.0) * observe.center_of_mass(body, -1) + observe.center_of_mass(body, -2);
    const Vector3<S> gap = difference / (dt * dt) - observe.at(target), w = observe.at(weight);
    for (int i = 0; i < 3; ++i) residuals.add(gap[i] / scale, w[i]);
    residuals.measure("acceleration_error", "m/s^2", norm(gap));
  }
};

HOLO_LOSS(TrackAcceleration, "track_acceleration", "a body's center of mass has a given acceleration")
