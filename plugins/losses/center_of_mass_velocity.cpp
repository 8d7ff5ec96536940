// w/2 |(v - target)/scale|^2 of the velocity v of a body's center of mass over the last time step, entry by entry
// ([Shen2024] Eq 20).
#include <holo/plugin/loss.h>

struct CenterOfMassVelocity {
  Body body;
  Signal<3> target, weight;
  double scale;

  static CenterOfMassVelocity read(const LossReader& p) {
    return {p.body("body"), p.signal<3>("target", "m/s", {.documentation = "How fast it should move"}),
            p.weight<3>("weight", "1", {.default_value = 1.0, .documentation = "Of each entry"}),
            p.positive("scale", "m/s", {.default_value = 1.0, .documentation = "The error that counts w/2"})};
  }

  template <class S>
  void residuals(const Observer<S>& observe, LossResiduals<S>& residuals) const {
    const Vector3<S> velocity = (observe.center_of_mass(body) - observe.center_of_mass(body, -1)) / observe.time_step();
    const Vector3<S> gap = velocity - observe.at(target), w = observe.at(weight);
    for (int i = 0; i < 3; ++i) residuals.add(gap[i] / scale, w[i]);
    residuals.measure("velocity_error", "m/s", norm(gap));
  }
};

HOLO_LOSS(CenterOfMassVelocity, "center_of_mass_velocity", "a body's center of mass moves with a given velocity")
