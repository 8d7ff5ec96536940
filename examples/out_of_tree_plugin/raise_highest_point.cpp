// w/2 (h - height)^2 for the smoothed height h = s log(sum exp(z/s)) of the highest of 3 x 3 points on a face of a body. It is
// at most s log(9) above the highest point, whichever that is.
#include <holo/plugin/loss.h>

struct RaiseHighestPoint {
  Body body;
  Vector3<double> corner, first_edge, second_edge;
  double smoothing;
  Signal<1> height, weight;

  static RaiseHighestPoint read(const LossReader& p) {
    return {p.body("body"),
            p.vector3("corner", "m", {.documentation = "A corner of the face, as the scene starts"}),
            p.vector3("first_edge", "m", {.documentation = "From the corner to the next one"}),
            p.vector3("second_edge", "m", {.documentation = "From the corner to the other next one"}),
            p.positive("smoothing", "m", {.default_value = 0.002, .documentation = "s"}),
            p.signal<1>("height", "m"),
            p.weight("weight", "1/m^2", {.default_value = 1.0})};
  }

  template <class S>
  void residuals(const Observer<S>& observe, LossResiduals<S>& residuals) const {
    S z[9], highest(0.0), sum(0.0);
    for (int i = 0; i < 9; ++i) {
      Vector3<double> point = corner;
      for (int k = 0; k < 3; ++k) point[k] += 0.5 * (i / 3 * first_edge[k] + i % 3 * second_edge[k]);
      z[i] = observe.point(body, point)[2];
      highest = i == 0 ? z[0] : max(highest, z[i]);
    }
    // Heights count from the highest point, so that no exponential overflows. Its derivatives cancel.
    for (int i = 0; i < 9; ++i) sum = sum + exp((z[i] - highest) / smoothing);
    const S gap = highest + smoothing * log(sum) - observe.at(height)[0];
    residuals.add(gap, observe.at(weight)[0]);
    residuals.measure("height_error", "m", abs(gap));
  }
};

HOLO_LOSS(RaiseHighestPoint, "raise_highest_point", "the highest of a body's points comes to a height")
