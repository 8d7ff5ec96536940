// Keeps two capsules of two bodies apart. A capsule is what lies within a radius of the line between two points of a body; a
// sphere, where these are one.
//
// x is how far the clearance falls below the margin, as a part of the margin, and w/2 x^4 what it costs: twice continuously
// differentiable, 0 from the margin on.
#include <holo/plugin/loss.h>

// The least distance of two lines' points, a + s (b - a) and c + t (d - c) with s and t from 0 to 1. Parallel lines have many
// nearest points, and the distance a kink: with softness ((s - 1/2)^2 + (t - 1/2)^2) added to its square there is one pair,
// and the gradient is continuous. That square is larger by half the softness at most. After the closest points of segments in
// [Ericson2005] section 5.1.9, which are the minimum of a convex quadratic over a square.
template <class S>
S softened_distance_squared(const Vector3<S>& a, const Vector3<S>& b, const Vector3<S>& c, const Vector3<S>& d,
                            double softness) {
  const auto clamped = [](const S& x) { return min(max(x, S(0.0)), S(1.0)); };
  const Vector3<S> first = b - a, second = d - c, between = c - a;
  const S along_first = dot(first, first) + softness, along_second = dot(second, second) + softness, both = dot(first, second);
  const S p = dot(first, between) + 0.5 * softness, q = 0.5 * softness - dot(second, between);
  const S on_lines = clamped((p * along_second + q * both) / (along_first * along_second - both * both));
  const S t = clamped((q + both * on_lines) / along_second), s = clamped((p + both * t) / along_first);
  const Vector3<S> gap = between + second * t - first * s;
  const S from_middle = s - 0.5, other_from_middle = t - 0.5;
  return dot(gap, gap) + softness * (from_middle * from_middle + other_from_middle * other_from_middle);
}

struct KeepApart {
  struct Capsule {
    Body body;
    Vector3<double> from, to;
    double radius;
    double length_squared() const { return dot(to - from, to - from); }
  };
  Capsule one, other;
  double margin;
  Signal<1> weight;

  static Capsule read(const LossReader& p, const char* body, const char* from, const char* to, const char* radius) {
    return {p.body(body), p.vector3(from, "m", {.documentation = "An end of its axis, in the body's coordinates"}),
            p.vector3(to, "m", {.documentation = "The other end; the same for a sphere"}), p.positive(radius, "m")};
  }
  static KeepApart read(const LossReader& p) {
    const KeepApart result = {read(p, "body", "from", "to", "radius"),
                              read(p, "other_body", "other_from", "other_to", "other_radius"),
                              p.positive("margin", "m", {.documentation = "The clearance below which it acts"}),
                              p.weight("weight", "1", {.default_value = 1.0})};
    if (result.one.body.number == result.other.body.number)
      throw std::invalid_argument("body and other_body are one body, within which no distance changes");
    return result;
  }

  template <class S>
  void residuals(const Observer<S>& observe, LossResiduals<S>& residuals) const {
    const double longest = one.length_squared() > other.length_squared() ? one.length_squared() : other.length_squared();
    const double reach = one.radius + other.radius, blunt = 1e-3 * reach;  // where axes cross the distance has no direction
    const S squared = softened_distance_squared(observe.point(one.body, one.from), observe.point(one.body, one.to),
                                                observe.point(other.body, other.from), observe.point(other.body, other.to),
                                                longest > 0 ? 1e-4 * longest : 1.0);
    const S clearance = sqrt(squared + blunt * blunt) - reach;
    const S depth = max(S(1.0) - clearance / margin, S(0.0));
    residuals.add(depth * depth, observe.at(weight)[0]);
    residuals.measure("clearance", "m", clearance);
  }
};

HOLO_LOSS(KeepApart, "keep_apart", "two capsules on two bodies stay apart")
