#pragma once
// Mechanisms whose mobility, redundancy and motion are known.

#include <Eigen/Geometry>
#include <cmath>
#include <memory>
#include <numbers>
#include <numeric>

#include "holo/core/numerics/singular_values.h"
#include "holo/core/plugins/joint_plugin.h"
#include "holo/core/plugins/plugin_host.h"
#include "holo/sim/mechanism/constraints/constraint_equations.h"
#include "holo/sim/mechanism/kinematics/forward_kinematics.h"
#include "holo/sim/mechanism/model/mechanism_builder.h"
#include "holo/sim/mechanism/model/robot_file.h"

namespace holo::oracle {

using Eigen::Vector3d;
inline constexpr double pi = std::numbers::pi;

inline const PluginHost& plugins() {
  static const PluginHost host({HOLO_BINARY_DIR "/plugins"});
  return host;
}

// "legs", "kickbot", ...: the robots of the experiments.
inline MechanismModel paper_robot(const std::string& name) {
  return read_robot(HOLO_SOURCE_DIR "/experiments/robot_design/robots/" + name + ".yaml", plugins());
}

inline const Vector3d along_x(1, 0, 0), along_y(0, 1, 0), along_z(0, 0, 1);

inline MechanismBuilder on_the_ground(const std::string& base = "base") {
  MechanismBuilder builder(plugins());
  builder.body(base, Vector3d::Zero());
  builder.ground(base);
  return builder;
}

inline void hinge(MechanismBuilder& builder, const std::string& name, const std::string& a, const std::string& b,
                  const Vector3d& point, const Vector3d& axis, JointRole role = JointRole::passive) {
  builder.joint(name, "revolute", a, b, point, axes_along(axis), role);
}

// The two points at distances r and s of a and b in the plane of x and y; the upper one.
inline Vector3d circles_meet(const Vector3d& a, double r, const Vector3d& b, double s) {
  const Vector3d way = b - a;
  const double d = way.norm(), along = (d * d + r * r - s * s) / (2 * d), across = std::sqrt(r * r - along * along);
  return a + along / d * way + across / d * Vector3d(-way.y(), way.x(), 0);
}

// Ground 4, crank 1, coupler 3.5, rocker 3; the crank is driven.
inline MechanismModel four_bar(double crank_angle = 1.0) {
  const Vector3d pivot(0, 0, 0), far(4, 0, 0), tip(std::cos(crank_angle), std::sin(crank_angle), 0);
  const Vector3d end = circles_meet(tip, 3.5, far, 3);
  MechanismBuilder builder = on_the_ground();
  builder.body("crank", 0.5 * tip);
  builder.body("coupler", 0.5 * (tip + end));
  builder.body("rocker", 0.5 * (end + far));
  hinge(builder, "crank_pivot", "base", "crank", pivot, along_z, JointRole::actuator);
  hinge(builder, "crank_pin", "crank", "coupler", tip, along_z);
  hinge(builder, "rocker_pin", "coupler", "rocker", end, along_z);
  hinge(builder, "rocker_pivot", "rocker", "base", far, along_z);
  return builder.build();
}

// Crank 1, rod 2.53; the crank is driven.
inline MechanismModel slider_crank(double angle = 0.7) {
  const Vector3d tip(std::cos(angle), std::sin(angle), 0), slider(tip.x() + std::sqrt(2.53 * 2.53 - tip.y() * tip.y()), 0, 0);
  MechanismBuilder builder = on_the_ground();
  builder.body("crank", 0.5 * tip);
  builder.body("rod", 0.5 * (tip + slider));
  builder.body("slider", slider);
  hinge(builder, "crank_pivot", "base", "crank", Vector3d::Zero(), along_z, JointRole::actuator);
  hinge(builder, "crank_pin", "crank", "rod", tip, along_z);
  hinge(builder, "slider_pin", "rod", "slider", slider, along_z);
  builder.joint("rail", "prismatic", "base", "slider", slider, axes_along(along_x));
  return builder.build();
}

// Crank 1, rod 2.53 in two halves with a joint that changes its length; the crank is driven, or the slider.
inline MechanismModel slider_crank_with_a_rod_of_any_length(bool crank_is_driven) {
  const JointRole crank = crank_is_driven ? JointRole::actuator : JointRole::passive,
                  rail = crank_is_driven ? JointRole::passive : JointRole::actuator;
  const Vector3d tip(std::cos(0.7), std::sin(0.7), 0), slider(tip.x() + std::sqrt(2.53 * 2.53 - tip.y() * tip.y()), 0, 0),
      middle = 0.5 * (tip + slider);
  MechanismBuilder builder = on_the_ground();
  builder.body("crank", 0.5 * tip);
  builder.body("rod", 0.5 * (tip + middle));
  builder.body("rod_end", 0.5 * (middle + slider));
  builder.body("slider", slider);
  hinge(builder, "crank_pivot", "base", "crank", Vector3d::Zero(), along_z, crank);
  hinge(builder, "crank_pin", "crank", "rod", tip, along_z);
  builder.joint("length", "prismatic", "rod", "rod_end", middle, axes_along(slider - tip), JointRole::configurable);
  hinge(builder, "slider_pin", "rod_end", "slider", slider, along_z);
  builder.joint("rail", "prismatic", "base", "slider", slider, axes_along(along_x), rail);
  return builder.build();
}

// One joint of a closed chain after Denavit and Hartenberg: turn about z by `angle`, shift along x by `length`, twist about x.
struct Link {
  double angle, length, twist;
};

// How far the chain is from closing.
inline double closure(const std::vector<Link>& links) {
  Eigen::Isometry3d end = Eigen::Isometry3d::Identity();
  for (const Link& link : links)
    end = end * Eigen::AngleAxisd(link.angle, along_z) * Eigen::Translation3d(link.length, 0, 0) *
          Eigen::AngleAxisd(link.twist, along_x);
  return (end.matrix() - Eigen::Matrix4d::Identity()).cwiseAbs().maxCoeff();
}

// Body i lies between the hinges i and i + 1; the last body is the base. The first hinge is driven.
inline MechanismModel closed_chain(const std::vector<Link>& links) {
  MechanismBuilder builder = on_the_ground("body0");
  const int n = int(links.size());
  std::vector<Vector3d> points, axes;
  Eigen::Isometry3d frame = Eigen::Isometry3d::Identity();
  for (const Link& link : links) {
    points.push_back(frame.translation());
    axes.push_back(frame.linear().col(2));
    frame = frame * Eigen::AngleAxisd(link.angle, along_z) * Eigen::Translation3d(link.length, 0, 0) *
            Eigen::AngleAxisd(link.twist, along_x);
  }
  for (int i = 1; i < n; ++i)
    builder.body("body" + std::to_string(i), 0.5 * (points[std::size_t(i - 1)] + points[std::size_t(i)]));
  for (int i = 0; i < n; ++i)
    hinge(builder, "hinge" + std::to_string(i), "body" + std::to_string(i), "body" + std::to_string((i + 1) % n),
          points[std::size_t(i)], axes[std::size_t(i)], i == 0 ? JointRole::actuator : JointRole::passive);
  return builder.build();
}

// Four links that close in space at every angle, a = 1, twist 45 degrees, b / sin 60 = a / sin 45. `stretch`: b times that
// much.
inline std::vector<Link> bennett_links(double first = 1.2, double stretch = 1) {
  const double alpha = pi / 4, beta = pi / 3, b = stretch * std::sin(beta) / std::sin(alpha);
  const double product = std::sin((beta + alpha) / 2) / std::sin((beta - alpha) / 2);
  std::vector<Link> best;
  for (const double sign : {1.0, -1.0}) {
    const double second = 2 * std::atan(sign * product / std::tan(first / 2));
    const std::vector<Link> links = {{first, 1, alpha}, {second, b, beta}, {-first, 1, alpha}, {-second, b, beta}};
    if (best.empty() || closure(links) < closure(best)) best = links;
  }
  return best;
}
inline MechanismModel bennett() { return closed_chain(bennett_links()); }

// Threefold symmetric, twists of 90 degrees in turn.
inline std::vector<Link> bricard_links(double first = 1.9) {
  std::vector<Link> best;
  for (const double sign : {1.0, -1.0}) {
    const double second = sign * std::acos(-std::cos(first) / (1 + std::cos(first)));
    std::vector<Link> links;
    for (int i = 0; i < 6; ++i) links.push_back({i % 2 == 0 ? first : second, 1, i % 2 == 0 ? pi / 2 : -pi / 2});
    if (best.empty() || closure(links) < closure(best)) best = links;
  }
  return best;
}
inline MechanismModel bricard() { return closed_chain(bricard_links()); }

// Two pairs of links fold in planes at right angles: the top moves straight up.
inline MechanismModel sarrus() {
  MechanismBuilder builder = on_the_ground();
  builder.body("top", {0, 0, 2});
  const Vector3d first[3] = {{1, 0, 0}, {1.8, 0, 1}, {1, 0, 2}}, second[3] = {{0, 1, 0}, {0, 1.8, 1}, {0, 1, 2}};
  for (const char* name : {"y", "x"}) {
    const bool is_first = name[0] == 'y';
    const Vector3d* p = is_first ? first : second;
    const Vector3d axis = is_first ? along_y : along_x;
    const std::string lower = std::string("lower_") + name, upper = std::string("upper_") + name;
    builder.body(lower, 0.5 * (p[0] + p[1]));
    builder.body(upper, 0.5 * (p[1] + p[2]));
    hinge(builder, lower + "_foot", "base", lower, p[0], axis, is_first ? JointRole::actuator : JointRole::passive);
    hinge(builder, lower + "_knee", lower, upper, p[1], axis);
    hinge(builder, upper + "_head", upper, "top", p[2], axis);
  }
  return builder.build();
}

// Six legs: a universal joint below, a driven slide, a ball above.
struct StewartLeg {
  Vector3d foot, head;
};
inline std::vector<StewartLeg> stewart_legs() {
  std::vector<StewartLeg> legs;
  for (int i = 0; i < 6; ++i) {
    const double below = pi / 3 * (i / 2 * 2) + (i % 2 == 0 ? -.2 : .2),
                 above = pi / 3 * ((i + 1) / 2 * 2 - 1) + (i % 2 == 0 ? .25 : -.25);
    legs.push_back({{std::cos(below), std::sin(below), 0}, {.6 * std::cos(above), .6 * std::sin(above), 1.1}});
  }
  return legs;
}
inline MechanismModel stewart() {
  MechanismBuilder builder = on_the_ground();
  builder.body("top", {0, 0, 1.1});
  int number = 0;
  for (const StewartLeg& leg : stewart_legs()) {
    const std::string i = std::to_string(number++);
    const Vector3d way = leg.head - leg.foot, side = axes_along(way).col(1);
    builder.body("cylinder" + i, leg.foot + 0.25 * way);
    builder.body("piston" + i, leg.foot + 0.75 * way);
    builder.joint("foot" + i, "universal", "base", "cylinder" + i, leg.foot, axes_along(side, way.cross(side)));
    builder.joint("leg" + i, "prismatic", "cylinder" + i, "piston" + i, leg.foot + 0.5 * way, axes_along(way),
                  JointRole::actuator);
    builder.joint("head" + i, "spherical", "piston" + i, "top", leg.head, Eigen::Matrix3d::Identity());
  }
  return builder.build();
}

// Six planar links, seven hinges: links by the hinges' points.
inline MechanismModel planar(const std::vector<std::string>& bodies,
                             const std::vector<std::tuple<std::string, std::string, double, double>>& hinges) {
  MechanismBuilder builder = on_the_ground();
  for (std::size_t i = 0; i < bodies.size(); ++i) builder.body(bodies[i], {0.3 * double(i), 0.2, 0});
  int number = 0;
  for (const auto& [a, b, x, y] : hinges) {
    hinge(builder, "hinge" + std::to_string(number), a, b, {x, y, 0}, along_z,
          number == 0 ? JointRole::actuator : JointRole::passive);
    ++number;
  }
  return builder.build();
}
// Two links of three hinges that share one; the ground is a neighbor of both.
inline MechanismModel watt() {
  return planar({"first", "second", "crank", "arm", "hand"}, {{"base", "crank", 0, 0},
                                                              {"crank", "first", 0.3, 1.0},
                                                              {"first", "second", 2.0, 1.6},
                                                              {"second", "base", 2.4, 0.1},
                                                              {"first", "arm", 1.1, 2.4},
                                                              {"arm", "hand", 2.0, 3.3},
                                                              {"hand", "second", 3.1, 2.2}});
}
// Two links of three hinges that share none, one of them the ground.
inline MechanismModel stephenson() {
  return planar({"plate", "crank", "rocker", "arm", "hand"}, {{"base", "crank", 0, 0},
                                                              {"crank", "plate", 0.4, 0.9},
                                                              {"plate", "rocker", 1.9, 1.5},
                                                              {"rocker", "base", 2.3, -0.2},
                                                              {"plate", "arm", 1.2, 2.2},
                                                              {"arm", "hand", 2.9, 2.7},
                                                              {"hand", "base", 3.7, 0.3}});
}

// Five hinges whose axes meet in one point; two of them are driven.
inline MechanismModel spherical_five_bar() {
  MechanismBuilder builder = on_the_ground("body0");
  std::vector<Vector3d> axes;
  for (int i = 0; i < 5; ++i) {
    const double angle = 2 * pi * i / 5 + 0.1 * i * i;
    axes.push_back(Vector3d(std::cos(angle), std::sin(angle), 0.9 + 0.07 * i).normalized());
  }
  for (int i = 1; i < 5; ++i) builder.body("body" + std::to_string(i), 0.5 * (axes[std::size_t(i - 1)] + axes[std::size_t(i)]));
  for (int i = 0; i < 5; ++i)
    hinge(builder, "hinge" + std::to_string(i), "body" + std::to_string(i), "body" + std::to_string((i + 1) % 5),
          axes[std::size_t(i)], axes[std::size_t(i)], i == 0 || i == 4 ? JointRole::actuator : JointRole::passive);
  return builder.build();
}

// A mechanism with all equations, and a motion of it.
struct Oracle {
  std::shared_ptr<const MechanismModel> model;
  std::shared_ptr<const MechanismLayout> layout;
  std::shared_ptr<const ConstraintEquations> equations;

  explicit Oracle(MechanismModel m)
      : model(std::make_shared<const MechanismModel>(std::move(m))),
        layout(std::make_shared<const MechanismLayout>(model)),
        equations(std::make_shared<const ConstraintEquations>(layout)) {}

  Eigen::MatrixXd nothing_prescribed(Eigen::Index knots) const { return Eigen::MatrixXd(layout->prescribed_count(), knots); }

  // All controls turn (or move) evenly from rest to `amount` of the first control and back to rest of the others.
  Eigen::MatrixXd first_control(double amount, int knots) const {
    Eigen::MatrixXd controls = layout->rest_controls().replicate(1, knots);
    for (int k = 0; k < knots; ++k) controls(0, k) = amount * k / (knots - 1);
    return controls;
  }
  Kinematics follow(const Eigen::MatrixXd& controls) const {
    return forward_kinematics(*equations, layout->rest_state(), controls, layout->rest_parameters(),
                              nothing_prescribed(controls.cols()));
  }
  // In the world [m].
  Eigen::Vector3d origin(const Eigen::MatrixXd& states, const std::string& body, Eigen::Index knot) const {
    return model->length() * states.col(knot).segment<3>(7 * model->body(body));
  }
  Eigen::Quaterniond orientation(const Eigen::MatrixXd& states, const std::string& body, Eigen::Index knot) const {
    const auto q = states.col(knot).segment<4>(7 * model->body(body) + 3);
    return {q[0], q[1], q[2], q[3]};
  }
};

// The smallest singular value of all equations or of those that the layout keeps, each of length 1, against the states: by a
// dense decomposition.
inline double decomposed_smallest(const ConstraintEquations& equations, const MechanismUnknowns& at, Eigen::Index knot,
                                  bool independent_only) {
  const MechanismLayout& layout = equations.layout();
  std::vector<int> chosen(layout.equations().size());
  std::iota(chosen.begin(), chosen.end(), 0);
  if (independent_only) chosen = layout.independent_equations();
  const Eigen::MatrixXd jacobian = equations.dense_jacobian(at, knot).leftCols(layout.state_count())(chosen, Eigen::all);
  return singular_values(jacobian.rowwise().normalized())[layout.state_count() - 1];
}

}  // namespace holo::oracle
