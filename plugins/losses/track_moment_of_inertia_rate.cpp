// w/2 (((I_n - I_{n-1})/dt - target)/scale)^2 of a body's moment of inertia I = e . T e about an axis e through its center of
// mass, with the inertia tensor T ([Shen2024] Eq 23, where r is the distance from the axis).
#include <holo/plugin/loss.h>

struct TrackMomentOfInertiaRate {
  Body body;
  Vector3<double> axis;
  Signal<1> target, weight;
  double scale;

  static TrackMomentOfInertiaRate read(const LossReader& p) {
    return {p.body("body"), p.direction("axis", {.documentation = "Of the rotation, in the scene's coordinates"}),
            p.signal<1>("target", "kg m^2/s", {.documentation = "Change of the moment per second; below 0 it contracts"}),
            p.weight("weight", "1", {.default_value = 1.0}),
            p.positive("scale", "kg m^2/s", {.documentation = "The error that counts w/2"})};
  }

  template <class S>
  S moment(const Observer<S>& observe, int step) const {
    const Matrix3<S> tensor = observe.inertia_tensor(body, step);
    S sum(0.0);
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) sum = sum + axis[i] * axis[j] * tensor(i, j);
    return sum;
  }

  template <class S>
  void residuals(const Observer<S>& observe, LossResiduals<S>& residuals) const {
    const S rate = (moment(observe, 0) - moment(observe, -1)) / observe.time_step();
    const S gap = rate - observe.at(target)[0];
    residuals.add(gap / scale, observe.at(weight)[0]);
    residuals.measure("moment_of_inertia_rate_error", "kg m^2/s", abs(gap));
  }
};

HOLO_LOSS(TrackMomentOfInertiaRate, "track_moment_of_inertia_rate", "a body's moment of inertia changes at a given rate")
