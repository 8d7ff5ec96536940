// w/2 (h - height)^2 for the height h of a body's point above the ground.
#include <holo/plugin/loss.h>

struct KeepHeight {
  Body body;
  Vector3<double> point;
  Signal<1> height, weight;

  static KeepHeight read(const LossReader& p) {
    return {p.body("body"),
            p.vector3("point", "m", {.default_value = Vector3<double>{}, .documentation = "In the body's coordinates"}),
            p.signal<1>("height", "m"), p.weight("weight", "1/m^2", {.default_value = 1.0})};
  }

  template <class S>
  void residuals(const Observer<S>& observe, LossResiduals<S>& residuals) const {
    const S gap = observe.point(body, point)[2] - observe.at(height)[0];
    residuals.add(gap, observe.at(weight)[0]);
    residuals.measure("height_error", "m", abs(gap));
  }
};

HOLO_LOSS(KeepHeight, "keep_height", "a body's point stays at a height")
