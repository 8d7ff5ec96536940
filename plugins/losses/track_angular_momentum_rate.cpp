// w/2 |((L_n - L_{n-1})/dt - target)/scale|^2 of a body's angular momentum L, entry by entry ([Shen2024] Eq 22), about its
// center of mass or about a fixed point o, where it is L + (c - o) x p.
#include <holo/plugin/loss.h>

struct TrackAngularMomentumRate {
  Body body;
  int about;  // 0: the center of mass, 1: the point
  Vector3<double> point;
  Signal<3> target, weight;
  double scale;

  static TrackAngularMomentumRate read(const LossReader& p) {
    return {p.body("body"),
            p.choice("about", {"center_of_mass", "point"}, {.default_value = 0}),
            p.vector3("point", "m", {.default_value = Vector3<double>{}, .documentation = "Of about: point"}),
            p.signal<3>("target", "N m", {.documentation = "Change of the angular momentum per second"}),
            p.weight<3>("weight", "1", {.default_value = 1.0, .documentation = "Of each entry"}),
            p.positive("scale", "N m",
                       {.documentation = "The error that counts w/2, such as 0.05 m l g for a body of mass m "
                                         "and length l"})};
  }

  template <class S>
  Vector3<S> momentum(const Observer<S>& observe, int step) const {
    const Vector3<S> about_center = observe.angular_momentum(body, step);
    if (about == 0) return about_center;
    Vector3<S> arm = observe.center_of_mass(body, step);
    for (int i = 0; i < 3; ++i) arm[i] = arm[i] - point[i];
    return about_center + cross(arm, observe.momentum(body, step));
  }

  template <class S>
  void residuals(const Observer<S>& observe, LossResiduals<S>& residuals) const {
    const Vector3<S> rate = (momentum(observe, 0) - momentum(observe, -1)) / observe.time_step();
    const Vector3<S> gap = rate - observe.at(target), w = observe.at(weight);
    for (int i = 0; i < 3; ++i) residuals.add(gap[i] / scale, w[i]);
    residuals.measure("angular_momentum_rate_error", "N m", norm(gap));
  }
};

HOLO_LOSS(TrackAngularMomentumRate, "track_angular_momentum_rate", "a body's angular momentum changes at a given rate")
