// w/2 |x - target|^2 of a body's point x, entry by entry. An entry whose weight is 0 is no part of the error; where all are 0
// there is none.
#include <holo/plugin/loss.h>

#include <limits>

struct TrackPosition {
  Body body;
  Vector3<double> point;
  Signal<3> target, weight;

  static TrackPosition read(const LossReader& p) {
    return {p.body("body", {.documentation = "Whose point follows the target"}),
            p.vector3("point", "m", {.default_value = Vector3<double>{}, .documentation = "In the body's coordinates"}),
            p.signal<3>("target", "m", {.documentation = "Where the point should be"}),
            p.weight<3>("weight", "1/m^2", {.default_value = 1.0, .documentation = "Of each entry"})};
  }

  template <class S>
  void residuals(const Observer<S>& observe, LossResiduals<S>& residuals) const {
    const Vector3<S> gap = observe.point(body, point) - observe.at(target), w = observe.at(weight);
    for (int i = 0; i < 3; ++i) residuals.add(gap[i], w[i]);
    Vector3<S> asked_for = gap;
    for (int i = 0; i < 3; ++i) asked_for[i] = select(w[i] > 0.0, gap[i], S(0.0));
    const S none(std::numeric_limits<double>::quiet_NaN());
    residuals.measure("position_error", "m", select(w[0] + w[1] + w[2] > 0.0, norm(asked_for), none));
  }
};

HOLO_LOSS(TrackPosition, "track_position", "a body's point follows a path")
