// Energies near rest, which line searches compare, against a hundred digits.

#include "material_fixture.h"

namespace holo {
namespace {

// A strain e is known to 2^-53 absolutely, so an energy of order e^2 to 2^-53 / e relatively. The factor of 64 is for the units
// in the last place that elementary functions (four each) and principal stretches (eight) lose, and for the ratio of moduli.
TEST_P(Materials, EnergyKeepsTheDigitsOfTheStrainNearRest) {
  Sequence sequence;
  for (int power = 2; power <= 7; ++power) {
    const double strain = std::pow(10.0, -power);
    vector<Element> elements;
    for (int e = 0; e < 12; ++e) {
      Matrix3<double> shape{};
      for (int k = 0; k < 9; ++k) shape[k] = 2 * sequence.next() - 1;
      elements.push_back({some_rotation * (identity3<double>() + strain * shape), elements_[0].coefficients, {}, {}});
    }
    const auto found = run(material(), HOLO_MATERIAL_ENERGY, elements, true);
    for (std::size_t e = 0; e < elements.size(); ++e) {
      const double expected = reference().energy(elements[e].F.entries, elements[e].coefficients.data());
      EXPECT_NEAR(expected, found[e][0], 64 * 0x1p-53 / strain * std::abs(expected))
          << "strain " << strain << ", element " << e;
    }
  }
}

}  // namespace
}  // namespace holo
