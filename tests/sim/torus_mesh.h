#pragma once
// Surfaces of tori.

#include <array>
#include <cmath>
#include <numbers>
#include <vector>

namespace holo::test {

struct TorusMesh {
  std::vector<double> positions;
  std::vector<std::array<int, 3>> triangles;
  std::vector<int> bodies;
};

// Adds a torus of radii 1 and 0.3 around `center`, whose circle is in the plane of the axes i and j.
inline void add_torus(TorusMesh& mesh, std::array<double, 3> center, std::size_t i, std::size_t j, int body) {
  constexpr int around = 36, across = 12;
  const int first = int(mesh.positions.size() / 3);
  const auto vertex = [&](int u, int v) { return first + (u % around) * across + v % across; };
  for (int u = 0; u < around; ++u)
    for (int v = 0; v < across; ++v) {
      const double a = 2 * std::numbers::pi * u / around, b = 2 * std::numbers::pi * v / across;
      std::array<double, 3> x = center;
      x[i] += (1 + 0.3 * std::cos(b)) * std::cos(a);
      x[j] += (1 + 0.3 * std::cos(b)) * std::sin(a);
      x[3 - i - j] += 0.3 * std::sin(b);
      mesh.positions.insert(mesh.positions.end(), x.begin(), x.end());
      mesh.triangles.push_back({vertex(u, v), vertex(u + 1, v), vertex(u + 1, v + 1)});
      mesh.triangles.push_back({vertex(u, v), vertex(u + 1, v + 1), vertex(u, v + 1)});
      mesh.bodies.insert(mesh.bodies.end(), 2, body);
    }
}

}  // namespace holo::test
