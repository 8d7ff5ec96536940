// The errors that losses of elastic bodies report, against sums over vertices by hand, closed forms and identities of
// mechanics.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <functional>

#include "holo/sim/elastic/elastic_observations.h"
#include "observed_bodies.h"

namespace holo {
namespace body_loss_values_tests {

using Losses = test::BodyLosses;

// f(mass, position, velocity, position at the start) summed over the vertices of a body or subset.
template <class Function>
auto mass_sum_by_hand(const Losses& losses, const std::string& subject, int back, const Function& f) {
  const ElasticState& state = losses.states[back];
  const Eigen::VectorXd& start = losses.model->start_positions();
  decltype(f(0.0, Eigen::Vector3d(), Eigen::Vector3d(), Eigen::Vector3d())) sum =
      f(0.0, Eigen::Vector3d(0, 0, 0), Eigen::Vector3d(0, 0, 0), Eigen::Vector3d(0, 0, 0));
  for (const int v : losses.subject(subject).vertices())
    sum += f(losses.model->masses()[std::size_t(v)], Eigen::Vector3d(state.positions.segment<3>(3 * v)),
             Eigen::Vector3d(state.velocities.segment<3>(3 * v)), Eigen::Vector3d(start.segment<3>(3 * v)));
  return sum;
}

double mass_by_hand(const Losses& losses, const std::string& subject) {
  return mass_sum_by_hand(losses, subject, 0,
                          [](double m, const Eigen::Vector3d&, const Eigen::Vector3d&, const Eigen::Vector3d&) { return m; });
}

Eigen::Vector3d center_by_hand(const Losses& losses, const std::string& subject, int back) {
  const auto moment = [](double m, const Eigen::Vector3d& x, const Eigen::Vector3d&, const Eigen::Vector3d&) {
    return Eigen::Vector3d(m * x);
  };
  return mass_sum_by_hand(losses, subject, back, moment) / mass_by_hand(losses, subject);
}

Eigen::Vector3d start_center_by_hand(const Losses& losses, const std::string& subject) {
  const auto moment = [](double m, const Eigen::Vector3d&, const Eigen::Vector3d&, const Eigen::Vector3d& X) {
    return Eigen::Vector3d(m * X);
  };
  return mass_sum_by_hand(losses, subject, 0, moment) / mass_by_hand(losses, subject);
}

// The only loss has this error and the value (error/scale)^2 / 2.
void expect_error(const Losses& losses, double error, double scale) {
  EXPECT_NEAR(losses.measure(), error, 1e-11 * (1 + error));
  EXPECT_NEAR(losses.value(), error * error / (scale * scale) / 2, 1e-11 * (1 + losses.value()));
}

TEST(BodyLossValues, CenterOfMassAndItsDifferences) {
  const Eigen::Vector3d target(0.3, -0.2, 0.1);
  const auto at = [](const Losses& losses, const std::string& subject, int back) {
    return center_by_hand(losses, subject, back);
  };
  constexpr double dt = Losses::time_step;
  {
    Losses losses;
    losses.add("track_center_of_mass", "{body: arm.tip, target: [0.3, -0.2, 0.1], scale: 0.5}");
    expect_error(losses, (at(losses, "arm.tip", 0) - target).norm(), 0.5);
  }
  {
    Losses losses;
    losses.add("center_of_mass_velocity", "{body: arm, target: [0.3, -0.2, 0.1], scale: 0.5}");
    expect_error(losses, ((at(losses, "arm", 0) - at(losses, "arm", 1)) / dt - target).norm(), 0.5);
  }
  {
    Losses losses;
    losses.add("track_relative_position", "{body: arm.tip, relative_to: ball, target: [0.3, -0.2, 0.1], scale: 0.5}");
    expect_error(losses, (at(losses, "arm.tip", 0) - at(losses, "ball", 0) - target).norm(), 0.5);
  }
  {
    Losses losses;
    losses.add("track_relative_velocity", "{body: arm.tip, relative_to: ball, target: [0.3, -0.2, 0.1], scale: 0.5}");
    const Eigen::Vector3d now = at(losses, "arm.tip", 0) - at(losses, "ball", 0),
                          before = at(losses, "arm.tip", 1) - at(losses, "ball", 1);
    expect_error(losses, ((now - before) / dt - target).norm(), 0.5);
  }
  {
    Losses losses;
    losses.add("track_acceleration", "{body: arm, target: [0.3, -0.2, 0.1], scale: 0.5}");
    const Eigen::Vector3d change = at(losses, "arm", 0) - 2 * at(losses, "arm", 1) + at(losses, "arm", 2);
    expect_error(losses, (change / (dt * dt) - target).norm(), 0.5);
  }
}

// With a weight of 0 an entry is left out.
TEST(BodyLossValues, WeightsChooseEntries) {
  Losses losses;
  losses.add("track_center_of_mass", "{body: arm, target: [0, 0, 0], weight: [0, 0, 2], scale: 0.1}");
  const double height = center_by_hand(losses, "arm", 0).z();
  EXPECT_NEAR(losses.value(), height * height / 0.01, 1e-11);
}

TEST(BodyLossValues, RatesOfMomenta) {
  Losses linear, angular, about_point, itself;
  linear.add("track_linear_momentum_rate", "{body: arm, target: [0, 0, 10], scale: 30}");
  angular.add("track_angular_momentum_rate", "{body: arm, target: [0, 2, 1], scale: 3}");
  about_point.add("track_angular_momentum_rate", "{body: arm, about: point, point: [0.5, 1, -1], target: [0, 2, 1], scale: 3}");
  itself.add("track_angular_momentum", "{body: arm, target: [0, 2, 1], scale: 3}");
  const auto rate = [](const Losses& losses, const std::function<Eigen::Vector3d(int)>& at) {
    return Eigen::Vector3d((at(0) - at(1)) / losses.time_step);
  };
  const auto momentum = [&](int back) {
    return mass_sum_by_hand(linear, "arm", back,
                            [](double m, const Eigen::Vector3d&, const Eigen::Vector3d& v, const Eigen::Vector3d&) {
                              return Eigen::Vector3d(m * v);
                            });
  };
  const auto moment_about = [&](int back, const Eigen::Vector3d& point) {
    return mass_sum_by_hand(linear, "arm", back,
                            [&](double m, const Eigen::Vector3d& x, const Eigen::Vector3d& v, const Eigen::Vector3d&) {
                              return Eigen::Vector3d(m * (x - point).cross(v));
                            });
  };
  expect_error(linear, (rate(linear, momentum) - Eigen::Vector3d(0, 0, 10)).norm(), 30);
  const auto about_center = [&](int back) { return moment_about(back, center_by_hand(angular, "arm", back)); };
  expect_error(angular, (rate(angular, about_center) - Eigen::Vector3d(0, 2, 1)).norm(), 3);
  expect_error(itself, (about_center(0) - Eigen::Vector3d(0, 2, 1)).norm(), 3);
  const auto about_fixed = [&](int back) { return moment_about(back, Eigen::Vector3d(0.5, 1, -1)); };
  expect_error(about_point, (rate(about_point, about_fixed) - Eigen::Vector3d(0, 2, 1)).norm(), 3);
}

// The flight in small steps of time, until it is below the height.
TEST(BodyLossValues, LandingPlaceIsThatOfFreeFlight) {
  for (const double height : {-0.3, -2.0}) {
    Losses losses;
    losses.add("track_landing_place",
               "{body: arm, target: [0.3, -0.2, 0], height: " + std::to_string(height) + ", scale: 0.5}");
    const Eigen::Vector3d center = center_by_hand(losses, "arm", 0),
                          velocity = (center - center_by_hand(losses, "arm", 1)) / losses.time_step;
    ASSERT_GT(center.z(), height);
    constexpr double g = 9.81, h = 1e-6;
    double t = 0;
    while (center.z() + t * velocity.z() - g * t * t / 2 > height) t += h;
    const Eigen::Vector3d place = center + t * velocity;
    // The time is known to h; the loss has 1e-6 m^2/s^2 beside the squared velocity, which has to do with T by less than
    // 1e-6/(2 v g) for velocities of more than 0.1 m/s.
    EXPECT_NEAR(losses.measure(), std::hypot(place.x() - 0.3, place.y() + 0.2), 1e-5 * (1 + velocity.norm()));
    EXPECT_NEAR(losses.value(), losses.measure() * losses.measure() / 0.25 / 2, 1e-11 * (1 + losses.value()));
  }
}

// Below the height, where the parabola does not reach it, the time is that of the height itself.
TEST(BodyLossValues, LandingPlaceBelowTheHeightHasTheTimeOfTheHeight) {
  Losses losses;
  losses.add("track_landing_place", "{body: arm, target: [0, 0, 0], height: 9}");
  const Eigen::Vector3d center = center_by_hand(losses, "arm", 0),
                        velocity = (center - center_by_hand(losses, "arm", 1)) / losses.time_step;
  const double t = std::max(0.0, 2 * velocity.z() / 9.81);
  EXPECT_NEAR(losses.measure(), std::hypot(center.x() + t * velocity.x(), center.y() + t * velocity.y()),
              2e-4 * (1 + velocity.norm()));
}

TEST(BodyLossValues, RateOfTheMomentOfInertiaIsOfSquaredDistancesFromTheAxis) {
  Losses losses;
  losses.add("track_moment_of_inertia_rate", "{body: arm, axis: [2, 4, 6], target: 0.5, scale: 0.2}");
  const Eigen::Vector3d axis = Eigen::Vector3d(1, 2, 3).normalized();
  const auto moment = [&](int back) {
    const Eigen::Vector3d center = center_by_hand(losses, "arm", back);
    return mass_sum_by_hand(losses, "arm", back,
                            [&](double m, const Eigen::Vector3d& x, const Eigen::Vector3d&, const Eigen::Vector3d&) {
                              return m * (x - center).cross(axis).squaredNorm();
                            });
  };
  expect_error(losses, std::abs((moment(0) - moment(1)) / losses.time_step - 0.5), 0.2);
}

TEST(BodyLossValues, RateOfTheElasticEnergy) {
  Losses arm, ball;
  arm.add("track_elastic_energy_rate", "{body: arm, target: 0, scale: 1000}");
  ball.add("track_elastic_energy_rate", "{body: ball, target: 0, scale: 1000}");
  const auto rate = [&](const Losses& losses) {  // of one sign here
    return (energies(*losses.model, {}, losses.states[0]).elastic - energies(*losses.model, {}, losses.states[1]).elastic) /
           losses.time_step;
  };
  // Signs of the rates of both bodies are those of their losses' slopes in the target.
  const auto signed_rate = [](Losses& losses, const std::string& body) {
    Losses shifted;
    shifted.add("track_elastic_energy_rate", "{body: " + body + ", target: 1, scale: 1000}");
    return shifted.measure() < losses.measure() ? losses.measure() : -losses.measure();
  };
  EXPECT_NEAR(signed_rate(arm, "arm") + signed_rate(ball, "ball"), rate(arm), 1e-10 * std::abs(rate(arm)));
}

// By the shoelace formula over the boundary of the sole, seen from below.
TEST(BodyLossValues, RateOfTheAreaIsThatWithinTheBoundary) {
  Losses losses;
  losses.add("track_area_rate", "{body: arm.sole, target: 0.1, scale: 0.05}");
  const Eigen::VectorXd& start = losses.model->start_positions();
  std::vector<int> boundary;
  for (const int v : losses.subject("arm.sole").vertices()) {
    const double x = start[3 * v], y = start[3 * v + 1];
    if (std::min({x, 0.2 - x, y, 0.3 - y}) < 1e-9) boundary.push_back(v);
  }
  const auto angle = [&](int v) { return std::atan2(start[3 * v + 1] - 0.15, start[3 * v] - 0.1); };
  std::sort(boundary.begin(), boundary.end(), [&](int a, int b) { return angle(a) < angle(b); });
  ASSERT_GE(boundary.size(), 4u);
  const auto area = [&](int back) {
    const Eigen::VectorXd& x = losses.states[back].positions;
    double sum = 0;
    for (std::size_t i = 0; i < boundary.size(); ++i) {
      const int a = boundary[i], b = boundary[(i + 1) % boundary.size()];
      sum += (x[3 * a] * x[3 * b + 1] - x[3 * b] * x[3 * a + 1]) / 2;
    }
    return sum;
  };
  EXPECT_NEAR(area(0), 0.06, 0.01);
  expect_error(losses, std::abs((area(0) - area(1)) / losses.time_step - 0.1), 0.05);
}

TEST(BodyLossValues, DirectionsAndNormals) {
  Losses direction, normal;
  direction.add("track_direction", "{from: arm.sole, to: arm.tip, target: [0, 0.6, 0.8]}");
  normal.add("track_normal", "{first: arm.sole, second: arm.tip, third: ball, target: [0, 0.6, 0.8]}");
  const Eigen::Vector3d sole = center_by_hand(direction, "arm.sole", 0), tip = center_by_hand(direction, "arm.tip", 0),
                        ball = center_by_hand(direction, "ball", 0), target(0, 0.6, 0.8);
  const Eigen::Vector3d along = (tip - sole).normalized(), across = (tip - sole).cross(ball - sole).normalized();
  EXPECT_NEAR(direction.value(), (along - target).squaredNorm() / 2, 1e-13);
  EXPECT_NEAR(direction.measure(), std::acos(along.dot(target)), 1e-13);
  EXPECT_NEAR(normal.value(), (across - target).squaredNorm() / 2, 1e-13);
  EXPECT_NEAR(normal.measure(), std::acos(across.dot(target)), 1e-13);
}

// Between two points that are vertices, of which the positions are known.
TEST(BodyLossValues, AxisThroughTwoPoints) {
  Losses losses;
  const Eigen::VectorXd& start = losses.model->start_positions();
  const auto& vertices = losses.subject("arm").vertices();
  const int from = vertices.front(), to = vertices.back();
  const auto text = [](const Eigen::Vector3d& v) { return fmt::format("[{:.17g}, {:.17g}, {:.17g}]", v[0], v[1], v[2]); };
  const Eigen::Vector3d point = start.segment<3>(3 * from), line = start.segment<3>(3 * to) - point;
  losses.add("track_axis", fmt::format("{{body: arm, point: {}, axis: {}, length: {:.17g}, target: [0, 0.6, 0.8]}}",
                                       text(point), text(line), line.norm()));
  const Eigen::VectorXd& x = losses.states[0].positions;
  const Eigen::Vector3d along = (x.segment<3>(3 * to) - x.segment<3>(3 * from)).normalized(), target(0, 0.6, 0.8);
  EXPECT_NEAR(losses.value(), (along - target).squaredNorm() / 2, 1e-11);
  EXPECT_NEAR(losses.measure(), std::acos(along.dot(target)), 1e-11);
}

// sqrt(sum m |x - c - R (X - C)|^2 / sum m) by hand for a deformed body; 0 for one that is turned by R and moved.
TEST(BodyLossValues, ShapeIsThatOfTheTurnedStart) {
  Losses losses;
  losses.add("keep_shape", "{body: arm, orientation: [0.8, 0, 0.6, 0], scale: 0.1}");
  const Eigen::Matrix3d R = Eigen::Quaterniond(0.8, 0, 0.6, 0).toRotationMatrix();
  const Eigen::Vector3d center = center_by_hand(losses, "arm", 0), start_center = start_center_by_hand(losses, "arm");
  const double square = mass_sum_by_hand(
      losses, "arm", 0, [&](double m, const Eigen::Vector3d& x, const Eigen::Vector3d&, const Eigen::Vector3d& X) {
        return m * (x - center - R * (X - start_center)).squaredNorm();
      });
  expect_error(losses, std::sqrt(square / mass_by_hand(losses, "arm")), 0.1);
  for (int v = 0; v < losses.model->vertex_count(); ++v)
    losses.states[0].positions.segment<3>(3 * v) =
        R * losses.model->start_positions().segment<3>(3 * v) + Eigen::Vector3d(1, 2, 3);
  EXPECT_LT(losses.measure(), 1e-7);
  EXPECT_NEAR(losses.value(), 0, 1e-13);
}

}  // namespace body_loss_values_tests
}  // namespace holo
