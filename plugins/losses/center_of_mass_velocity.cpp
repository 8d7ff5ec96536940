// w/2 |v - target|^2 of the velocity v of a body's center of mass over the last time step, entry by entry.
#include <holo/plugin/loss.h>

struct CenterOfMassVelocity {
  Body body;
  Signal<3> target, weight;

  static CenterOfMassVelocity read(const LossReader& p) {
    return {p.body("body"), p.signal<3>("target", "m/s", {.documentation = "How fast it should move"}),
            p.weight<3>("weight", "s^2/m^2", {.default_value = 1.0, .documentation = "Of each entry"})};
  }

  template <class S>
  void residuals(const Observer<S>& observe, LossResiduals<S>& residuals) const {
    const Vector3<S> velocity = (observe.center_of_mass(body) - observe.center_of_mass(body, -1)) / observe.time_step();
    const Vector3<S> gap = velocity - observe.at(target), w = observe.at(weight);
    for (int i = 0; i < 3; ++i) residuals.add(gap[i], w[i]);
    residuals.measure("velocity_error", "m/s", norm(gap));
  }
};

HOLO_LOSS(CenterOfMassVelocity, "center_of_mass_velocity", "a body's center of mass moves with a given velocity")
