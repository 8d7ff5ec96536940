// The tables of poses and joint coordinates that a robot's run writes: those of a four-bar are its closed form.
#include <Eigen/Geometry>
#include <cmath>
#include <map>
#include <sstream>

#include "small_runs.h"

namespace holo_test {
namespace robot_motion_tables {

using Eigen::Vector2d;

constexpr double ground = 4, crank = 1, coupler = 3.5, rocker = 3, rest_angle = 1, turn = 2;
constexpr int knots = 9;

// Angles of crank, coupler and rocker with the x axis, and the joints at their ends.
struct FourBar {
  Vector2d tip, end;
  double coupler_angle, rocker_angle;

  explicit FourBar(double angle) : tip(std::cos(angle), std::sin(angle)) {
    // The law of cosines in the triangle of tip, end and the rocker's pivot.
    const Vector2d way = Vector2d(ground, 0) - tip;
    const double d = way.norm(), corner = std::acos((coupler * coupler + d * d - rocker * rocker) / (2 * coupler * d));
    coupler_angle = std::atan2(way.y(), way.x()) + corner;
    end = tip + coupler * Vector2d(std::cos(coupler_angle), std::sin(coupler_angle));
    rocker_angle = std::atan2(end.y(), end.x() - ground);
  }
};

std::string four_bar_yaml() {
  const FourBar rest(rest_angle);
  std::ostringstream yaml;
  yaml.precision(17);
  const auto at = [&](const Vector2d& point) {
    std::ostringstream text;
    text.precision(17);
    text << "[" << point.x() << ", " << point.y() << ", 0]";
    return text.str();
  };
  yaml << "name: four_bar\nstudy: robot_design\nrobot:\n  bodies:\n"
       << "    - {name: crank, origin: " << at(rest.tip / 2) << "}\n"
       << "    - {name: coupler, origin: " << at((rest.tip + rest.end) / 2) << "}\n"
       << "    - {name: \"rocker, long\", origin: " << at((rest.end + Vector2d(ground, 0)) / 2) << "}\n"
       << "  joints:\n"
       << "    - {name: crank_pivot, type: revolute, between: [world, crank], point: [0, 0, 0], axis: [0, 0, 1], role: "
          "actuator}\n"
       << "    - {name: crank_pin, type: revolute, between: [crank, coupler], point: " << at(rest.tip) << ", axis: [0, 0, 1]}\n"
       << "    - {name: rocker_pin, type: revolute, between: [coupler, \"rocker, long\"], point: " << at(rest.end)
       << ", axis: [0, 0, 1]}\n"
       << "    - {name: rocker_pivot, type: revolute, between: [world, \"rocker, long\"], point: " << at({ground, 0})
       << ", axis: [0, 0, 1]}\n"
       << "motion: {knots: " << knots << ", duration: 2.0}\n"
       << "controls: [{control: crank_pivot, from: 0, to: " << turn << "}]\n"
       << "objectives:\n  - {type: keep_control, control: all, weight: 1}\n"
       << "  - {type: smooth_control, control: all, weight: 0.1}\n";
  return yaml.str();
}

// Cells of a line; one in quotes may hold commas.
std::vector<std::string> cells(const std::string& line) {
  std::vector<std::string> result(1);
  bool quoted = false;
  for (const char c : line)
    if (c == '"')
      quoted = !quoted;
    else if (c == ',' && !quoted)
      result.emplace_back();
    else
      result.back() += c;
  return result;
}

std::vector<std::vector<std::string>> rows(const std::string& csv) {
  std::vector<std::vector<std::string>> result;
  std::istringstream lines(csv);
  for (std::string line; std::getline(lines, line);) result.push_back(cells(line));
  return result;
}

class RobotMotionTables : public SmallRuns {};

TEST_F(RobotMotionTables, ThoseOfAFourBarAreItsClosedForm) {
  write(four_bar_yaml());
  run("a");
  const auto poses = rows(file("a", "tables/body_poses.csv")), coordinates = rows(file("a", "tables/joint_coordinates.csv"));
  ASSERT_EQ(poses.size(), 1u + 2 * knots * 3);
  EXPECT_EQ(poses[0], cells("motion,knot,time,body,x,y,z,qw,qx,qy,qz"));
  ASSERT_EQ(coordinates.size(), 1u + 2 * knots * 4);
  EXPECT_EQ(coordinates[0], cells("motion,knot,time,joint,role,coordinate,value,unit"));
  const FourBar rest(rest_angle);
  std::map<std::pair<std::string, std::string>, double> cranks;  // by motion and knot
  for (const std::vector<std::string>& row : coordinates)
    if (row.at(3) == "crank_pivot") cranks[{row[0], row[1]}] = std::stod(row[6]);
  EXPECT_EQ((cranks.at({"initial", "0"})), 0);
  EXPECT_NEAR((cranks.at({"initial", "8"})), turn, 1e-12);
  const auto linkage = [&](const std::vector<std::string>& row) {
    EXPECT_NEAR(std::stod(row[2]), 0.25 * std::stoi(row[1]), 1e-15);
    const double moved = cranks.at({row[0], row[1]});
    return std::pair(moved, FourBar(rest_angle + moved));
  };
  for (std::size_t i = 1; i < poses.size(); ++i) {
    const std::vector<std::string>& row = poses[i];
    ASSERT_EQ(row.size(), 11u);
    EXPECT_EQ(row[0], i <= knots * 3 ? "initial" : "optimized");
    const auto [moved, now] = linkage(row);
    const bool is_crank = row[3] == "crank", is_coupler = row[3] == "coupler";
    EXPECT_TRUE(is_crank || is_coupler || row[3] == "rocker, long") << row[3];
    const double angle = is_crank     ? moved
                         : is_coupler ? now.coupler_angle - rest.coupler_angle
                                      : now.rocker_angle - rest.rocker_angle;
    const Vector2d middle = is_crank     ? Vector2d(now.tip / 2)
                            : is_coupler ? Vector2d((now.tip + now.end) / 2)
                                         : Vector2d((now.end + Vector2d(ground, 0)) / 2);
    EXPECT_NEAR(std::stod(row[4]), middle.x(), 1e-9) << row[3] << " " << row[1];
    EXPECT_NEAR(std::stod(row[5]), middle.y(), 1e-9) << row[3] << " " << row[1];
    EXPECT_NEAR(std::stod(row[6]), 0, 1e-9);
    EXPECT_NEAR(std::stod(row[7]), std::cos(angle / 2), 1e-9) << row[3] << " " << row[1];
    EXPECT_NEAR(std::stod(row[10]), std::sin(angle / 2), 1e-9) << row[3] << " " << row[1];
  }
  for (std::size_t i = 1; i < coordinates.size(); ++i) {
    const std::vector<std::string>& row = coordinates[i];
    ASSERT_EQ(row.size(), 8u);
    const auto [moved, now] = linkage(row);
    const double of_coupler = now.coupler_angle - rest.coupler_angle, of_rocker = now.rocker_angle - rest.rocker_angle;
    const std::map<std::string, double> expected = {{"crank_pivot", moved},
                                                    {"crank_pin", of_coupler - moved},
                                                    {"rocker_pin", of_rocker - of_coupler},
                                                    {"rocker_pivot", of_rocker}};
    EXPECT_NEAR(std::stod(row[6]), expected.at(row[3]), 1e-9) << row[3] << " " << row[1];
    EXPECT_EQ(row[4], row[3] == "crank_pivot" ? "actuator" : "passive");
    EXPECT_EQ(row[5], "angle");
    EXPECT_EQ(row[7], "rad");
  }
}

}  // namespace robot_motion_tables
}  // namespace holo_test
