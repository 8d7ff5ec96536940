// The frames that elastic_dynamics writes for ParaView.
#include <zlib.h>

#include <array>
#include <cstring>

#include "small_runs.h"

namespace {

class ElasticFrames : public holo_test::SmallRuns {
 protected:
  // A point field of three components, decoded as the VTK file format says: number of blocks, size of a block, size of a
  // shorter last one, compressed sizes, blocks.
  std::vector<std::array<double, 3>> vectors(int step, const std::string& name) {
    const std::string text = file("out", "frames/step_000000" + std::to_string(step) + ".vtu");
    const std::size_t named = text.find("Name=\"" + name + "\"");
    if (named == std::string::npos) throw std::runtime_error("no array is named " + name);
    const std::size_t offset = std::stoul(text.substr(text.find("offset=\"", named) + 8));
    const char* data = text.data() + text.find('_', text.find("<AppendedData")) + 1 + offset;
    std::uint64_t head[4];  // one block: the mesh is small
    std::memcpy(head, data, sizeof head);
    EXPECT_EQ(head[0], 1u);
    std::vector<std::array<double, 3>> values(head[2] / (3 * sizeof(double)));
    uLongf size = head[2];
    EXPECT_EQ(
        uncompress(reinterpret_cast<Bytef*>(values.data()), &size, reinterpret_cast<const Bytef*>(data + sizeof head), head[3]),
        Z_OK);
    return values;
  }
};

// In free fall implicit Euler gives v_n = v_0 + n dt g and u_n = n dt v_0 + dt^2 g n (n + 1) / 2. Of an affine body the
// vertices of its mesh are drawn.
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
    - name: stone
      mesh: {shape: box, size: [0.1, 0.1, 0.2], elements: 12}
      material: {type: neo_hookean_paper, youngs_modulus: 1.0e8, poissons_ratio: 0.4}
      density: 1000
      placement: {translate: [1, 0, 0]}
      initial: {velocity: [2, 0, 0]}
      deformation: affine
output: {frames_per_second: 100}
)");
  run("out");
  for (int n = 0; n <= 3; ++n) {
    EXPECT_EQ(vectors(n, "velocity [m/s]").size(), 8u + 12u);
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
