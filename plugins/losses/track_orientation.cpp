// w/2 |R(q) - R(target)|^2 over the nine entries, which is 2 w (1 - cos) of the angle between the two. Where the weight is 0
// there is no error.
#include <holo/plugin/loss.h>

#include <limits>

struct TrackOrientation {
  Body body;
  Signal<4> target;
  Signal<1> weight;

  static TrackOrientation read(const LossReader& p) {
    return {p.body("body", {.documentation = "Which follows the target"}),
            p.signal<4>("target", "1", {.documentation = "Its orientation as a quaternion (w, x, y, z) of length 1"}),
            p.weight("weight", "1", {.default_value = 1.0})};
  }

  template <class S>
  void residuals(const Observer<S>& observe, LossResiduals<S>& residuals) const {
    const Vector<S, 4> t = observe.at(target);
    const Quaternion<S> aim{t[0], t[1], t[2], t[3]}, q = observe.pose(body).rotation;
    const Matrix3<S> gap = rotation_matrix(q) - rotation_matrix(aim);
    const S w = observe.at(weight)[0];
    for (int k = 0; k < 9; ++k) residuals.add(gap[k], w);
    const Quaternion<S> turn = conjugate(aim) * q;
    const S sine = norm(Vector3<S>{turn.x, turn.y, turn.z});
    const S none(std::numeric_limits<double>::quiet_NaN());
    residuals.measure("orientation_error", "rad", select(w > 0.0, 2.0 * atan2(sine, abs(turn.w)), none));
  }
};

HOLO_LOSS(TrackOrientation, "track_orientation", "a body's orientation follows a target")
