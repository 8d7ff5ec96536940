// w/2 |n - target|^2 of the unit vector n from the center of mass of one body or subset to that of another.
#include <holo/plugin/loss.h>

struct TrackDirection {
  Body from, to;
  Signal<3> target;
  Signal<1> weight;

  static TrackDirection read(const LossReader& p) {
    return {p.body("from"), p.body("to"), p.signal<3>("target", "1", {.documentation = "A direction of length 1"}),
            p.weight("weight", "1", {.default_value = 1.0})};
  }

  template <class S>
  void residuals(const Observer<S>& observe, LossResiduals<S>& residuals) const {
    const Vector3<S> line = observe.center_of_mass(to) - observe.center_of_mass(from);
    const Vector3<S> direction = line / norm(line), aim = observe.at(target), gap = direction - aim;
    for (int i = 0; i < 3; ++i) residuals.add(gap[i], observe.at(weight)[0]);
    residuals.measure("direction_error", "rad", atan2(norm(cross(direction, aim)), dot(direction, aim)));
  }
};

HOLO_LOSS(TrackDirection, "track_direction", "the line between two centers of mass has a given direction")
