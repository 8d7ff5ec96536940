#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>

#include "holo/core/error.h"
#include "holo/sim/design/shape_family.h"
#include "holo/sim/mesh/shapes.h"

namespace holo {

namespace {

struct BeamShape {
  static constexpr const char *name = "beam", *documentation = "cuboid along x, with a corner at the origin";
  static constexpr ShapeParameter parameters[] = {{"length", "m", 4}, {"width", "m", 0.5}, {"height", "m", 0.5}};
  static constexpr int extents[3] = {0, 1, 2};
  template <class S>
  static Vector3<S> position(const std::array<double, 3>& unit, const S* p) {
    return {p[0] * unit[0], p[1] * unit[1], p[2] * unit[2]};
  }
};

// A deck whose lower side is an arch: z from 4 t s (1 - s) to the height, s = x/length.
struct BridgeShape {
  static constexpr const char *name = "bridge",
                              *documentation = "deck along x over a parabolic arch of the height `arch_height` at its top";
  static constexpr ShapeParameter parameters[] = {
      {"length", "m", 10}, {"width", "m", 2}, {"height", "m", 2}, {"arch_height", "m", 1.2}};
  static constexpr int extents[3] = {0, 1, 2};
  template <class S>
  static Vector3<S> position(const std::array<double, 3>& unit, const S* p) {
    const S arch = 4.0 * unit[0] * (1.0 - unit[0]) * p[3];
    return {p[0] * unit[0], p[1] * unit[1], arch + (p[2] - arch) * unit[2]};
  }
};

// A bar along x whose axis rises as rise s^2 + curl s^3, s = x/length, and whose height falls to 1 - taper of that at the
// start.
struct CurvedBarShape {
  static constexpr const char *name = "curved_bar",
                              *documentation =
                                  "bar along x, level where it begins, whose axis rises by `rise` s^2 + `curl` s^3 "
                                  "and whose height falls by the share `taper` of it";
  static constexpr ShapeParameter parameters[] = {{"length", "m", 1},      {"width", "m", 0.2},     {"height", "m", 0.1},
                                                  {"rise", "m", 0, false}, {"curl", "m", 0, false}, {"taper", "1", 0, false}};
  static constexpr int extents[3] = {0, 1, 2};
  template <class S>
  static Vector3<S> position(const std::array<double, 3>& unit, const S* p) {
    const double s = unit[0];
    const S height = (1.0 - s * p[5]) * p[2];
    return {p[0] * s, p[1] * unit[1], s * s * p[3] + s * s * s * p[4] + height * (unit[2] - 0.5)};
  }
};

template <class Shape>
class FamilyOf final : public ShapeFamily {
 public:
  std::string name() const override { return Shape::name; }
  std::string documentation() const override { return Shape::documentation; }
  std::vector<ShapeParameter> parameters() const override {
    return {std::begin(Shape::parameters), std::end(Shape::parameters)};
  }
  TetrahedralMesh reference_mesh(const std::vector<double>& parameters, int elements) const override {
    std::array<double, 3> size;
    for (std::size_t k = 0; k < 3; ++k) {
      const auto extent = std::size_t(Shape::extents[k]);
      size[k] = parameters[extent];
      if (!(size[k] > 0))
        throw Error(Failure::input,
                    fmt::format("the {} of a {} is {:g} {}; it must be positive.", Shape::parameters[extent].name, Shape::name,
                                size[k], Shape::parameters[extent].unit));
    }
    TetrahedralMesh mesh = box_mesh(size, elements);
    for (std::array<double, 3>& vertex : mesh.vertices)
      for (std::size_t k = 0; k < 3; ++k) vertex[k] /= size[k];
    return mesh;
  }
  std::vector<Vector3<double>> positions(const std::vector<std::array<double, 3>>& unit,
                                         const std::vector<double>& parameters) const override {
    return all_positions(unit, parameters);
  }
  std::vector<Vector3<DesignScalar>> positions(const std::vector<std::array<double, 3>>& unit,
                                               const std::vector<DesignScalar>& parameters) const override {
    return all_positions(unit, parameters);
  }

 private:
  template <class S>
  std::vector<Vector3<S>> all_positions(const std::vector<std::array<double, 3>>& unit,
                                        const std::vector<S>& parameters) const {
    std::vector<Vector3<S>> result;
    result.reserve(unit.size());
    for (const std::array<double, 3>& point : unit) result.push_back(Shape::position(point, parameters.data()));
    return result;
  }
};

}  // namespace

std::vector<std::shared_ptr<const ShapeFamily>> shape_families() {
  return {std::make_shared<FamilyOf<BeamShape>>(), std::make_shared<FamilyOf<BridgeShape>>(),
          std::make_shared<FamilyOf<CurvedBarShape>>()};
}

std::shared_ptr<const ShapeFamily> shape_family(const std::string& name) {
  std::string names;
  for (const auto& family : shape_families()) {
    if (family->name() == name) return family;
    names += (names.empty() ? "" : ", ") + family->name();
  }
  throw Error(Failure::input, fmt::format("there is no shape with parameters '{}'; there are: {}.", name, names));
}

TetrahedralMesh placed_mesh(const ShapeFamily& family, const TetrahedralMesh& reference,
                            const std::vector<double>& parameters) {
  TetrahedralMesh mesh = reference;
  const std::vector<Vector3<double>> positions = family.positions(reference.vertices, parameters);
  for (std::size_t v = 0; v < positions.size(); ++v) mesh.vertices[v] = {positions[v][0], positions[v][1], positions[v][2]};
  mesh.source = family.name();
  return mesh;
}

std::pair<int, double> worst_element(const TetrahedralMesh& mesh) {
  double least = INFINITY, sum = 0;
  int worst = 0;
  for (std::size_t e = 0; e < mesh.tetrahedra.size(); ++e) {
    const double volume = signed_volume(mesh, int(e));
    sum += std::abs(volume);
    if (volume >= least) continue;
    least = volume;
    worst = int(e);
  }
  return {worst, least / (sum / double(mesh.tetrahedra.size()))};
}

std::string inverted_element(const ShapeFamily& family, const TetrahedralMesh& reference,
                             const std::vector<double>& parameters) {
  const auto [element, volume] = worst_element(placed_mesh(family, reference, parameters));
  if (volume > 1e-9) return "";
  std::vector<std::string> texts;
  const std::vector<ShapeParameter> names = family.parameters();
  for (std::size_t k = 0; k < names.size(); ++k)
    texts.push_back(fmt::format("{} = {:.6g} {}", names[k].name, parameters[k], names[k].unit));
  return fmt::format("the {} with {} has an inverted element: element {} has the volume of {:.3g} of the mean", family.name(),
                     fmt::join(texts, ", "), element, volume);
}

}  // namespace holo
