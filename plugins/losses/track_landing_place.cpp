// w/2 |(c + T v - target)/scale|^2 of the two horizontal entries of the place where a body's center of mass c, which moves with
// the velocity v, will be when free flight has brought it down to a height h:
//
//   c_z + T v_z - g T^2/2 = h,   T = (v_z + sqrt(v_z^2 + 2 g (c_z - h)))/g
//
// In the frames before the body leaves the ground it is the last chance to steer the leap. Below h, where the root has no
// value, T is that of the height h.
#include <holo/plugin/loss.h>

struct TrackLandingPlace {
  Body body;
  Signal<3> target, weight;
  double height, gravity, scale;

  static TrackLandingPlace read(const LossReader& p) {
    return {p.body("body"),
            p.signal<3>("target", "m", {.documentation = "Of the center of mass; the vertical entry does not count"}),
            p.weight<3>("weight", "1", {.default_value = 1.0, .documentation = "Of each entry"}),
            p.number("height", "m", {.documentation = "Of the center of mass when the body lands"}),
            p.positive("gravity", "m/s^2", {.default_value = 9.81, .documentation = "Downwards, along z"}),
            p.positive("scale", "m", {.default_value = 0.05, .documentation = "The error that counts w/2"})};
  }

  template <class S>
  void residuals(const Observer<S>& observe, LossResiduals<S>& residuals) const {
    const Vector3<S> center = observe.center_of_mass(body), goal = observe.at(target), w = observe.at(weight);
    const Vector3<S> velocity = (center - observe.center_of_mass(body, -1)) / observe.time_step();
    // A height of zero and a velocity of zero together would have no slope.
    const S above = max(center[2] - height, S(0.0)), least = S(1e-6);
    const S flight = (velocity[2] + sqrt(velocity[2] * velocity[2] + 2 * gravity * above + least)) / gravity;
    const S x = center[0] + flight * velocity[0] - goal[0], y = center[1] + flight * velocity[1] - goal[1];
    residuals.add(x / scale, w[0]);
    residuals.add(y / scale, w[1]);
    residuals.measure("landing_error", "m", sqrt(x * x + y * y));
  }
};

HOLO_LOSS(TrackLandingPlace, "track_landing_place", "free flight would bring a body's center of mass down at a place")
