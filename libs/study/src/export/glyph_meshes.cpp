#include "export/glyph_meshes.h"

#include <cmath>
#include <numbers>

namespace holo {

namespace {

constexpr double ring_thickness = 0.15, shaft = 0.8, shaft_width = 0.45;

class MeshBuilder {
 public:
  // A surface of revolution about y: circles of radius r at height y, one after the other; a circle of radius 0 is a point.
  struct Circle {
    double radius, height;
  };
  void revolve(const std::vector<Circle>& circles, std::uint32_t sides) {
    const auto first = static_cast<std::uint32_t>(mesh.points.size() / 3);
    for (const Circle& circle : circles)
      for (std::uint32_t i = 0; i < sides; ++i) {
        const double angle = 2 * std::numbers::pi * i / sides;
        add(circle.radius * std::cos(angle), circle.height, -circle.radius * std::sin(angle));
      }
    for (std::uint32_t c = 0; c + 1 < circles.size(); ++c)
      for (std::uint32_t i = 0; i < sides; ++i) {
        const std::uint32_t next = (i + 1) % sides, low = first + c * sides, high = low + sides;
        if (circles[c].radius > 0) triangle(low + i, low + next, high + i);
        if (circles[c + 1].radius > 0) triangle(low + next, high + next, high + i);
      }
  }

  void ring(double thickness, std::uint32_t sides, std::uint32_t around) {
    for (std::uint32_t i = 0; i < around; ++i)
      for (std::uint32_t j = 0; j < sides; ++j) {
        const double along = 2 * std::numbers::pi * i / around, across = 2 * std::numbers::pi * j / sides;
        const double radius = 1 + thickness * std::cos(across);
        add(radius * std::cos(along), radius * std::sin(along), thickness * std::sin(across));
      }
    for (std::uint32_t i = 0; i < around; ++i)
      for (std::uint32_t j = 0; j < sides; ++j) {
        const std::uint32_t a = i * sides + j, b = (i + 1) % around * sides + j;
        const std::uint32_t c = i * sides + (j + 1) % sides, d = (i + 1) % around * sides + (j + 1) % sides;
        triangle(a, b, d);
        triangle(a, d, c);
      }
  }

  GlyphMesh mesh;

 private:
  void add(double x, double y, double z) {
    for (const double value : {x, y, z}) mesh.points.push_back(static_cast<float>(value));
  }
  void triangle(std::uint32_t a, std::uint32_t b, std::uint32_t c) { mesh.triangles.insert(mesh.triangles.end(), {a, b, c}); }
};

}  // namespace

GlyphMesh glyph_mesh(GlyphShape shape, double size) {
  MeshBuilder builder;
  switch (shape) {
    case GlyphShape::marker:
      builder.revolve({{0, -size}, {size, 0}, {0, size}}, 4);
      break;
    case GlyphShape::segment:
      builder.revolve({{0, 0}, {size, 0}, {size, 1}, {0, 1}}, 10);
      break;
    case GlyphShape::arrow:
      builder.revolve({{0, 0}, {shaft_width * size, 0}, {shaft_width * size, shaft}, {size, shaft}, {0, 1}}, 12);
      break;
    case GlyphShape::ring:
      builder.ring(ring_thickness, 8, 32);
      break;
  }
  return builder.mesh;
}

}  // namespace holo
