// Rest shapes that sag into a given shape: exact derivatives against differences of equilibria, recovery, beam theory.
#include "holo/sim/control/rest_shape_design.h"

#include <gtest/gtest.h>

#include "../refusal_message.h"
#include "holo/core/plugins/plugin_host.h"
#include "holo/sim/control/recorded_positions.h"

namespace holo::test {
namespace rest_shape_design_tests {

// By length, rise, curl, taper and height, which moves held vertices, too.
SaggingBody soft_bar(const char* material, double youngs_modulus, int elements = 96) {
  const auto plugin = PluginHost({HOLO_BINARY_DIR "/plugins"}).get<MaterialPlugin>(material);
  SaggingBody bar;
  bar.family = shape_family("curved_bar");
  bar.elements = elements;
  bar.parameters = {1, 0.2, 0.2, 0.1, 0.02, 0.2};
  bar.free = {0, 3, 4, 5, 2};
  bar.body.name = "bar";
  bar.body.material = std::shared_ptr<const holo_material>(plugin, &plugin->abi());
  bar.body.plugin = plugin;
  bar.body.coefficients = plugin->coefficients({{"youngs_modulus", youngs_modulus}, {"poissons_ratio", 0.3}});
  return bar;
}

using Unknowns = Eigen::Vector<double, 5>;
const Unknowns units(1, 0.5, 0.5, 0.5, 0.2);
const Unknowns start(1, 0.2, 0.04, 0.4, 1);

// Where a bar of other parameters hangs, in the same vertices.
Eigen::VectorXd hanging(const SaggingBody& bar, const Eigen::VectorXd& u) {
  RecordedPositions none(Eigen::VectorXd::Zero(3), 1);
  RestShapeDesign other(bar, none, units);
  EXPECT_TRUE(other.begin(u)) << other.diagnosis();
  return other.x();
}

// Differences of fourth order with steps of 1e-3: their truncation, and the rounding of equilibria over the step, stay below
// 1e-8 of the largest entry. The bar turns by half a radian, so that third derivatives of its energy count.
TEST(RestShapeDesign, DerivativesAreThoseOfDifferences) {
  for (const char* material : {"neo_hookean", "stvk"}) {
    const SaggingBody bar = soft_bar(material, 3e5);
    RecordedPositions loss(hanging(bar, Unknowns(1.1, 0.4, -0.1, 0.6, 1.2)), 1);
    RestShapeDesign design(bar, loss, units);
    ASSERT_TRUE(design.begin(start)) << design.diagnosis();
    Eigen::VectorXd gradient;
    Eigen::MatrixXd hessian;
    const auto gradient_at = [&](const Eigen::VectorXd& u) {
      design.gradient(u, gradient);
      return Eigen::VectorXd(gradient);
    };
    const Eigen::VectorXd exact = gradient_at(start);
    ASSERT_TRUE(design.hessian(start, hessian));
    const double h = 1e-3;
    for (int k = 0; k < 5; ++k) {
      const Eigen::VectorXd way = h * Unknowns::Unit(k);
      const double slope = (design.value(start - 2 * way) - 8 * design.value(start - way) + 8 * design.value(start + way) -
                            design.value(start + 2 * way)) /
                           (12 * h);
      EXPECT_NEAR(exact[k], slope, 1e-8 * exact.cwiseAbs().maxCoeff()) << material << k;
      const Eigen::VectorXd column = (gradient_at(start - 2 * way) - 8 * gradient_at(start - way) +
                                      8 * gradient_at(start + way) - gradient_at(start + 2 * way)) /
                                     (12 * h);
      EXPECT_LT((hessian.col(k) - column).cwiseAbs().maxCoeff(), 1e-8 * hessian.cwiseAbs().maxCoeff()) << material << k;
    }
  }
}

TEST(RestShapeDesign, RecoversTheRestShapeOfAHangingBar) {
  const SaggingBody bar = soft_bar("neo_hookean", 3e5);
  const Unknowns truth(1.1, 0.5, -0.1, 0.6, 1.2);
  RecordedPositions loss(hanging(bar, truth), 1);
  RestShapeDesign design(bar, loss, units);
  Eigen::VectorXd u = start;
  ASSERT_TRUE(design.begin(u)) << design.diagnosis();
  DenseWorkspace workspace;
  const DenseBounds bounds{Unknowns(0.7, -1, -1, 0, 0.6), Unknowns(1.4, 2, 1, 1.4, 1.6)};
  const DenseResult result = minimize(design, bounds, u, {.tolerance = 1e-12}, workspace);
  EXPECT_TRUE(result.converged()) << result.diagnosis;
  EXPECT_LT((u - truth).cwiseAbs().maxCoeff(), 1e-7);
  EXPECT_LE(result.iterations.size(), 12u);
}

// A stiff slender bar: its tip sinks by rho g L^4/(8 E I/A), and a bar that rises by as much hangs level at its tip. Linear
// elements are too stiff, by half with three of them across, so that only the direction and the size's order are judged there;
// that weight and volume follow the shape, the derivatives tell.
TEST(RestShapeDesign, AStifferBarSagsAsMuchLess) {
  double sag[2];
  for (const int k : {0, 1}) {
    SaggingBody bar = soft_bar("neo_hookean", k == 0 ? 1e8 : 2e8);
    bar.parameters = {1, 0.2, 0.2, 0, 0, 0};
    const Eigen::VectorXd x = hanging(bar, Unknowns(1, 0, 0, 0, 1));
    RecordedPositions none(Eigen::VectorXd::Zero(3), 1);
    RestShapeDesign design(bar, none, units);
    const TetrahedralMesh rest = design.rest_mesh(Unknowns(1, 0, 0, 0, 1));
    sag[k] = 0;
    for (std::size_t v = 0; v < rest.vertices.size(); ++v)
      sag[k] = std::max(sag[k], rest.vertices[v][2] - x[Eigen::Index(3 * v + 2)]);
  }
  const double of_theory = 1000 * 9.81 / (8 * 1e8 * 0.04 / 12);
  EXPECT_GT(sag[0], 0.2 * of_theory);
  EXPECT_LT(sag[0], 1.1 * of_theory);
  EXPECT_NEAR(sag[1], sag[0] / 2, 1e-3 * sag[0]);
}

TEST(RestShapeDesignBadInput, NamesTheElementThatAShapeInverts) {
  SaggingBody bar = soft_bar("neo_hookean", 3e5);
  RecordedPositions none(Eigen::VectorXd::Zero(3), 1);
  RestShapeDesign design(bar, none, units);
  EXPECT_TRUE(design.begin(start));
  EXPECT_EQ(design.value(Unknowns(1, 0.2, 0.04, 3, 1)), std::numeric_limits<double>::infinity());
  EXPECT_NE(design.diagnosis().find("taper = 1.5 1 has an inverted element: element "), std::string::npos)
      << design.diagnosis();
  bar.parameters[5] = 1.5;
  EXPECT_NE(message([&] { RestShapeDesign refused(bar, none, units); }).find("taper = 1.5"), std::string::npos);
}

}  // namespace rest_shape_design_tests
}  // namespace holo::test
