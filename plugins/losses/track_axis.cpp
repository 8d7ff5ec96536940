// w/2 |n - target|^2 of the unit vector n along an axis that is drawn on a body: from a point of it to another one that starts
// at a distance along a direction.
#include <holo/plugin/loss.h>

struct TrackAxis {
  Body body;
  Vector3<double> point, axis;
  double length;
  Signal<3> target;
  Signal<1> weight;

  static TrackAxis read(const LossReader& p) {
    return {
        p.body("body"),
        p.vector3("point", "m",
                  {.default_value = Vector3<double>{}, .documentation = "On the axis, in the body's coordinates"}),
        p.direction("axis", {.documentation = "Of the axis, in the body's coordinates"}),
        p.positive("length", "m", {.default_value = 0.01, .documentation = "Between the two points that show its direction"}),
        p.signal<3>("target", "1", {.documentation = "A direction of length 1"}),
        p.weight("weight", "1", {.default_value = 1.0})};
  }

  template <class S>
  void residuals(const Observer<S>& observe, LossResiduals<S>& residuals) const {
    const Vector3<S> line = observe.point(body, point + axis * length) - observe.point(body, point);
    const Vector3<S> along = line / norm(line), aim = observe.at(target), gap = along - aim;
    for (int i = 0; i < 3; ++i) residuals.add(gap[i], observe.at(weight)[0]);
    residuals.measure("axis_error", "rad", atan2(norm(cross(along, aim)), dot(along, aim)));
  }
};

HOLO_LOSS(TrackAxis, "track_axis", "an axis drawn on a body has a given direction")
