// w/2 |n - target|^2 of the unit normal n of the plane through the centers of mass a, b, c of three bodies or subsets, the
// direction of (b - a) x (c - a).
#include <holo/plugin/loss.h>

struct TrackNormal {
  Body first, second, third;
  Signal<3> target;
  Signal<1> weight;

  static TrackNormal read(const LossReader& p) {
    return {p.body("first"), p.body("second"), p.body("third"),
            p.signal<3>("target", "1", {.documentation = "A direction of length 1"}),
            p.weight("weight", "1", {.default_value = 1.0})};
  }

  template <class S>
  void residuals(const Observer<S>& observe, LossResiduals<S>& residuals) const {
    const Vector3<S> a = observe.center_of_mass(first);
    const Vector3<S> across = cross(observe.center_of_mass(second) - a, observe.center_of_mass(third) - a);
    const Vector3<S> normal = across / norm(across), aim = observe.at(target), gap = normal - aim;
    for (int i = 0; i < 3; ++i) residuals.add(gap[i], observe.at(weight)[0]);
    residuals.measure("normal_error", "rad", atan2(norm(cross(normal, aim)), dot(normal, aim)));
  }
};

HOLO_LOSS(TrackNormal, "track_normal", "the plane of three centers of mass has a given normal")
