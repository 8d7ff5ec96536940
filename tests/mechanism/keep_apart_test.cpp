// The loss keep_apart on two free bodies: distances of capsules in closed form and by search.
#include <gtest/gtest.h>

#include <random>

#include "holo/core/plugins/loss_plugin.h"
#include "holo/sim/mechanism/losses/mechanism_losses.h"
#include "loss_terms.h"
#include "oracle_mechanisms.h"

namespace holo {
namespace keep_apart_tests {

using Eigen::Vector3d;

struct Capsule {
  Vector3d from, to;
  double radius;
  double length_squared() const { return (to - from).squaredNorm(); }
};

struct Found {
  double clearance, value;
};

// Both bodies' origins are the world's and nothing is turned: ends are places.
Found found(const Capsule& one, const Capsule& other, double margin = 0.5) {
  MechanismBuilder builder(oracle::plugins());
  for (const char* name : {"one", "other"}) {
    builder.body(name, Vector3d::Zero());
    builder.joint(std::string("of_") + name, "free", "world", name, Vector3d::Zero(), Eigen::Matrix3d::Identity(),
                  JointRole::passive);
  }
  const auto layout = std::make_shared<const MechanismLayout>(std::make_shared<const MechanismModel>(builder.build()));
  oracle::LossContext names(layout, 1);
  const auto text = [](const Vector3d& v) {
    std::ostringstream out;
    out.precision(17);
    out << "[" << v[0] << ", " << v[1] << ", " << v[2] << "]";
    return out.str();
  };
  std::vector<NamedLoss> losses;
  oracle::add_loss(losses, names, "keep_apart",
                   "{body: one, from: " + text(one.from) + ", to: " + text(one.to) + ", radius: " + std::to_string(one.radius) +
                       ", other_body: other, other_from: " + text(other.from) + ", other_to: " + text(other.to) +
                       ", other_radius: " + std::to_string(other.radius) + ", margin: " + std::to_string(margin) +
                       ", weight: 3}");
  const MechanismLosses all(layout, losses);
  const Eigen::MatrixXd states = layout->rest_state(), controls(layout->control_count(), 1), rates(layout->control_count(), 0);
  const MechanismKnots at = {states, controls, rates, layout->rest_parameters()};
  const LossData data = {names.values(), controls, layout->rest_parameters(), 1};
  Found result;
  result.clearance = all.measures(0, at, data)(0, 0);
  all.evaluate(at, data, 0, 1, &result.value);
  return result;
}

// The square of the axes' distance is larger by half of the softness at most, and by the bluntness (keep_apart.cpp).
void expect_clearance(const Capsule& one, const Capsule& other, double distance) {
  const double reach = one.radius + other.radius, longest = std::max(one.length_squared(), other.length_squared());
  const double clearance = found(one, other).clearance;
  EXPECT_GE(clearance, distance - reach - 1e-14);
  EXPECT_LE(clearance, std::sqrt(distance * distance + 0.5e-4 * longest + 1e-6 * reach * reach) - reach + 1e-14);
}

TEST(KeepApart, ClearancesAreThoseOfClosedForms) {
  const Capsule along_x{{-1, 0, 0}, {1, 0, 0}, 0.1}, ball{{0.3, 0.7, 0}, {0.3, 0.7, 0}, 0.2};
  expect_clearance(along_x, ball, 0.7);                                  // to the side of an axis
  expect_clearance(along_x, {{4, 4, 0}, {4, 4, 0}, 0.2}, 5);             // to its end
  expect_clearance(along_x, {{0, -1, 0.6}, {0, 1, 0.6}, 0.1}, 0.6);      // across each other
  expect_clearance(along_x, {{-0.5, 0.4, 0}, {2, 0.4, 0}, 0.1}, 0.4);    // side by side
  expect_clearance(along_x, {{2, 0, 0}, {5, 0, 0}, 0.1}, 1);             // one behind the other
  expect_clearance(along_x, {{0, 0.5, 0}, {0, 2, 0}, 0.1}, 0.5);         // an end before a side
  expect_clearance(along_x, {{2, 1, 0}, {3, 5, 0}, 0.1}, std::sqrt(2));  // end to end
  expect_clearance(ball, {{3.3, 4.7, 0}, {3.3, 4.7, 0}, 0.1}, 5);        // balls
  expect_clearance(along_x, {{0, -1, 0}, {0, 1, 0}, 0.1}, 0);            // through each other
}

TEST(KeepApart, ClearancesAreThoseOfASearch) {
  std::mt19937 random(3);
  std::uniform_real_distribution<double> place(-1, 1);
  const auto anywhere = [&] { return Vector3d(place(random), place(random), place(random)); };
  for (int i = 0; i < 40; ++i) {
    const Capsule one{anywhere(), anywhere(), 0.05}, other{anywhere(), anywhere(), 0.05};
    double squared = 100;
    constexpr int parts = 400;
    for (int s = 0; s <= parts; ++s) {  // of the other axis the nearest point is a projection
      const Vector3d at = one.from + double(s) / parts * (one.to - one.from), way = other.to - other.from;
      const double t = std::clamp((at - other.from).dot(way) / way.squaredNorm(), 0.0, 1.0);
      squared = std::min(squared, (other.from + t * way - at).squaredNorm());
    }
    // Half a part away from the nearest place the square has grown by less than its curvature says.
    const double growth = one.length_squared() / (4.0 * parts * parts), clearance = found(one, other).clearance + 0.1;
    EXPECT_GE(clearance * clearance, squared - growth) << i;
    EXPECT_LE(clearance * clearance, squared + 0.5e-4 * std::max(one.length_squared(), other.length_squared()) + 1.0001e-8)
        << i;
  }
}

TEST(KeepApart, CostsNothingFromTheMarginOn) {
  const Capsule ball{{0, 0, 0}, {0, 0, 0}, 0.25};
  const auto at = [&](double distance) { return found(ball, {{distance, 0, 0}, {distance, 0, 0}, 0.25}, 0.5); };
  EXPECT_EQ(at(1.001).value, 0);
  EXPECT_GT(at(0.999).value, 0);
  const double clearance = std::sqrt(0.7 * 0.7 + 0.25e-6) - 0.5;
  EXPECT_NEAR(at(0.7).value, 1.5 * std::pow(1 - clearance / 0.5, 4), 1e-14);
}

TEST(KeepApartBadInput, OneBodyIsRefused) {
  const auto plugin = oracle::plugins().get<LossPlugin>("keep_apart");
  const auto layout = std::make_shared<const MechanismLayout>(std::make_shared<const MechanismModel>(oracle::four_bar()));
  oracle::LossContext names(layout, 2);
  ConfigurationFile file = ConfigurationFile::parse(
      "{body: crank, from: [0, 0, 0], to: [1, 0, 0], radius: 0.1, other_body: crank, other_from: [0, 0, 0], other_to: [1, 0, "
      "0], "
      "other_radius: 0.1, margin: 0.1}",
      "pair");
  Configuration root = file.root();
  create_losses(plugin, root, names.observables, names);
  try {
    file.finish();
    FAIL() << "accepted";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("one body"), std::string::npos) << error.what();
  }
}

}  // namespace keep_apart_tests
}  // namespace holo
