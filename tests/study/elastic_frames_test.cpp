// The frames that elastic_dynamics writes for ParaView.
#include "holo/sim/mesh/tetrahedral_mesh.h"
#include "small_runs.h"

namespace {

class ElasticFrames : public holo_test::SmallRuns {
 protected:
  // A three-component point field of a frame: the file is read as if the field were its points.
  std::vector<std::array<double, 3>> vectors(int step, const std::string& name) {
    std::string text = file("out", "frames/step_000000" + std::to_string(step) + ".vtu");
    const auto offset_of = [&](const std::string& array) {
      const std::size_t named = text.find("Name=\"" + array + "\"");
      if (named == std::string::npos) throw std::runtime_error("no array is named " + array);
      const std::size_t at = text.find("offset=", named);
      return std::pair{at, text.substr(at, text.find("/>", at) - at)};
    };
    const auto [points_at, points] = offset_of("Points");
    text.replace(points_at, points.size(), offset_of(name).second);
    const holo::TetrahedralMesh mesh = holo::parse_tetrahedral_mesh("frame.vtu", text);
    return {mesh.vertices.begin(), mesh.vertices.end()};
  }
};

// In free fall implicit Euler gives v_n = v_0 + n dt g and u_n = n dt v_0 + dt^2 g n (n + 1) / 2.
TEST_F(ElasticFrames, DisplacementAndVelocityAreThoseOfFreeFall) {
  write(R"(name: fall
study: elastic_dynamics
scene:
  time_step: 0.01
  duration: 0.03
  gravity: [0, 0, -10]
  bodies:
    - name: block
      mesh: {shape: box, size: [0.1, 0.1, 0.1], elements: 6}
      density: 1000
      material: {type: neo_hookean_paper, youngs_modulus: 1.0e5, poissons_ratio: 0.4}
      initial: {velocity: [2, 0, 0]}
output: {frames_per_second: 100}
)");
  run("out");
  for (int n = 0; n <= 3; ++n) {
    const double fall = -10 * 1e-4 * n * (n + 1) / 2, speed = -10 * 0.01 * n;
    for (const auto& u : vectors(n, "displacement [m]")) {
      EXPECT_NEAR(u[0], 0.02 * n, 1e-9);
      EXPECT_NEAR(u[2], fall, 1e-9);
    }
    for (const auto& v : vectors(n, "velocity [m/s]")) {
      EXPECT_NEAR(v[0], 2, 1e-7);
      EXPECT_NEAR(v[2], speed, 1e-7);
    }
  }
}

}  // namespace
