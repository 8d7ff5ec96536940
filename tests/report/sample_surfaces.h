#pragma once
// Shapes that the sample reports are made of.

#include <array>
#include <cmath>
#include <map>
#include <vector>

namespace holo_test {

struct Surface {
  std::vector<std::array<float, 3>> points;
  std::vector<std::array<int, 3>> triangles;
};

// The boundary of a grid of nx * ny * nz cells of one cube each, as a unit box.
inline Surface box_surface(const std::array<int, 3>& cells) {
  Surface surface;
  std::map<std::array<int, 3>, int> known;
  auto vertex = [&](const std::array<int, 3>& at) {
    auto [place, added] = known.emplace(at, static_cast<int>(surface.points.size()));
    if (added) {
      std::array<float, 3> point;
      for (int axis = 0; axis < 3; ++axis) point[axis] = static_cast<float>(at[axis]) / static_cast<float>(cells[axis]);
      surface.points.push_back(point);
    }
    return place->second;
  };
  for (int axis = 0; axis < 3; ++axis)
    for (int side : {0, 1})
      for (int i = 0; i < cells[(axis + 1) % 3]; ++i)
        for (int j = 0; j < cells[(axis + 2) % 3]; ++j) {
          auto corner = [&](int di, int dj) {
            std::array<int, 3> at{};
            at[axis] = side * cells[axis];
            at[(axis + 1) % 3] = i + di;
            at[(axis + 2) % 3] = j + dj;
            return vertex(at);
          };
          const int a = corner(0, 0), b = corner(1, 0), c = corner(1, 1), d = corner(0, 1);
          if (side)
            surface.triangles.insert(surface.triangles.end(), {{a, b, c}, {a, c, d}});
          else
            surface.triangles.insert(surface.triangles.end(), {{a, c, b}, {a, d, c}});
        }
  return surface;
}

// The box's points moved onto the unit sphere.
inline Surface ball_surface(int cells) {
  Surface surface = box_surface({cells, cells, cells});
  for (auto& point : surface.points) {
    for (float& coordinate : point) coordinate = 2 * coordinate - 1;
    const float length = std::hypot(point[0], point[1], point[2]);
    for (float& coordinate : point) coordinate /= length;
  }
  return surface;
}

}  // namespace holo_test
