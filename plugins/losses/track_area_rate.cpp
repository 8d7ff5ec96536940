// w/2 (((A_n - A_{n-1})/dt - target)/scale)^2 of the area A of a patch of the surface in the projection along a normal
// ([Shen2024] Eq 25): the area that the patch's boundary encloses, exact while no part of it is hidden behind another.
#include <holo/plugin/loss.h>

struct TrackAreaRate {
  Body body;
  Vector3<double> normal;
  Signal<1> target, weight;
  double scale;

  static TrackAreaRate read(const LossReader& p) {
    return {p.body("body", {.documentation = "A subset of the surface, such as a sole"}),
            p.direction("normal", {.default_value = Vector3<double>{0, 0, -1},
                                   .documentation = "The direction to which the patch faces: that of its outward normals"}),
            p.signal<1>("target", "m^2/s", {.documentation = "Change of the area per second; above 0 it spreads"}),
            p.weight("weight", "1", {.default_value = 1.0}),
            p.positive("scale", "m^2/s", {.documentation = "The error that counts w/2"})};
  }

  template <class S>
  S area(const Observer<S>& observe, int step) const {
    const Vector3<S> vector_area = observe.vector_area(body, step);
    return normal[0] * vector_area[0] + normal[1] * vector_area[1] + normal[2] * vector_area[2];
  }

  template <class S>
  void residuals(const Observer<S>& observe, LossResiduals<S>& residuals) const {
    const S rate = (area(observe, 0) - area(observe, -1)) / observe.time_step();
    const S gap = rate - observe.at(target)[0];
    residuals.add(gap / scale, observe.at(weight)[0]);
    residuals.measure("area_rate_error", "m^2/s", abs(gap));
  }
};

HOLO_LOSS(TrackAreaRate, "track_area_rate", "the projected area of a patch changes at a given rate")
