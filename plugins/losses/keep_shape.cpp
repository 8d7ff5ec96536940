// w/2 D/scale^2 of the mean square D of |x - c - R (X - C)| over a body's mass: its distance from the shape at the start, moved
// to its center of mass and turned by R. Where y = x - c and Y = X - C, D is the mean of |y - Y|^2 + 2 y . (1 - R) Y.
#include <holo/plugin/loss.h>

struct KeepShape {
  Body body;
  Signal<4> orientation;
  Signal<1> weight;
  double scale;

  static KeepShape read(const LossReader& p) {
    return {p.body("body"),
            p.signal<4>("orientation", "1",
                        {.documentation = "R as a quaternion (w, x, y, z) of length 1: [1, 0, 0, 0] as at the start"}),
            p.weight("weight", "1", {.default_value = 1.0}),
            p.positive("scale", "m", {.default_value = 0.02, .documentation = "The root mean square that counts w/2"})};
  }

  template <class S>
  void residuals(const Observer<S>& observe, LossResiduals<S>& residuals) const {
    const Vector<S, 4> q = observe.at(orientation);
    const Matrix3<S> R = rotation_matrix(Quaternion<S>{q[0], q[1], q[2], q[3]}), covariance = observe.shape_covariance(body);
    S mean_square = observe.shape_deviation(body);
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) mean_square = mean_square + 2.0 * ((i == j ? 1.0 : 0.0) - R(i, j)) * covariance(i, j);
    residuals.add_value(observe.at(weight)[0] / (2 * scale * scale) * mean_square);
    residuals.measure("shape_error", "m", sqrt(max(mean_square, S(0.0))));
  }
};

HOLO_LOSS(KeepShape, "keep_shape", "a body keeps the shape that it has at the start, in a given orientation")
