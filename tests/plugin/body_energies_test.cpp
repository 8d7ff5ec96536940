// The tests that come free with every body energy. Errors are relative to the largest entry of a result and its conditioning:
// what a rounding of the input would change, measured with the 100-digit twin.

#include <algorithm>
#include <cmath>
#include <memory>

#include "holo/core/plugins/body_energy_plugin.h"
#include "plugin_batch.h"
#include "plugin_choice.h"

namespace holo {
namespace body_energy_tests {

using std::vector;

using Instance = std::unique_ptr<holo_body_energy_instance, void (*)(holo_body_energy_instance*)>;

// Answers of `read` differ with the position.
template <class Table>
Instance create(const Table& table, double position) {
  SampleReader reader(position);
  const holo_parameter_reader abi = reader.abi();
  holo_error error = {sizeof(holo_error), ""};
  holo_body_energy_instance* made = nullptr;
  EXPECT_EQ(0, table.create(&abi, &made, &error))
      << error.message
      << "\nThe tests take parameters from the middle of their ranges: give them ranges or defaults that make sense";
  return Instance(made, table.destroy);
}

template <class Table>
holo_body_energy_description describe(const Table& table, const Instance& instance) {
  holo_body_energy_description description = {};
  table.describe(instance.get(), &description);
  return description;
}

class BodyEnergies : public testing::TestWithParam<std::string> {
 protected:
  // A body: its observables, quantities and elements.
  struct Body {
    vector<double> z, start, w, o;
    vector<vector<double>> F, T;
  };

  void SetUp() override {
    plugin_ = host().get<BodyEnergyPlugin>(GetParam());
    reference_ = host().get_reference<BodyEnergyPlugin>(GetParam());
    instance_ = create(energy(), 0.3);
    twin_ = create(reference_->abi(), 0.3);
    ASSERT_NE(nullptr, instance_);
    ASSERT_NE(nullptr, twin_);
    description_ = describe(energy(), instance_);
    for (std::uint32_t i = 0; i < description_.observable_count; ++i)
      observable_size_ += holo_observable_size(description_.observables[i].kind);
    for (int body = 0; body < 16; ++body) bodies_.push_back(anywhere(body % 2 == 0 ? 1 : 0.1));
  }

  const holo_body_energy& energy() const { return plugin_->abi(); }
  double within(double minimum, double maximum) { return minimum + (maximum - minimum) * sequence_.next(); }

  // Quantities are those of the observables, which moved by `distance` since the start.
  Body anywhere(double distance) {
    Body body;
    for (std::size_t k = 0; k < observable_size_; ++k) {
      body.start.push_back(within(-1, 1));
      body.z.push_back(body.start.back() + within(-distance, distance));
    }
    for (std::uint32_t k = 0; k < description_.quantity_count; ++k) body.w.push_back(within(-2, 2));
    body.o = quantities(body.z, body.start, body.w)[0];
    for (std::size_t e = 0; e < 2 * HOLO_LANE_WIDTH + 1; ++e) {
      vector<double> F, T;
      for (int k = 0; k < 9; ++k) F.push_back((k % 4 == 0 ? 1 : 0) + within(-0.3, 0.3));
      for (std::uint32_t t = 0; t < description_.target_count; ++t) {
        vector<double> E(9);
        for (int i = 0; i < 3; ++i)
          for (int j = i; j < 3; ++j) E[std::size_t(3 * i + j)] = E[std::size_t(3 * j + i)] = within(-0.2, 0.2);
        T.insert(T.end(), E.begin(), E.end());
      }
      body.F.push_back(F);
      body.T.push_back(T);
    }
    return body;
  }

  // o, do/dz and d2(w . o)/dz2.
  template <class Table>
  vector<vector<double>> quantities(const Table& table, const Instance& of, const vector<double>& z,
                                    const vector<double>& start, const vector<double>& w) const {
    const std::size_t no = description_.quantity_count, nz = observable_size_;
    vector<vector<double>> result = {vector<double>(no), vector<double>(no * nz), vector<double>(nz * nz)};
    holo_error error = {sizeof(holo_error), ""};
    EXPECT_EQ(0, table.quantities(of.get(), z.data(), start.data(), w.data(), result[0].data(), result[1].data(),
                                  result[2].data(), &error))
        << error.message;
    return result;
  }
  vector<vector<double>> quantities(const vector<double>& z, const vector<double>& start, const vector<double>& w) const {
    return quantities(energy(), instance_, z, start, w);
  }
  vector<vector<double>> exact_quantities(const vector<double>& z, const vector<double>& start, const vector<double>& w) const {
    return quantities(reference_->abi(), twin_, z, start, w);
  }

  std::size_t entry_count(int operation) const {
    const std::size_t n = description_.quantity_count, counts[] = {1, 9 + n, 45 + 9 * n + n * (n + 1) / 2};
    return counts[operation];
  }

  vector<vector<double>> run(int operation, const Body& body) const {
    const std::size_t count = body.F.size(), entries = entry_count(operation);
    Blocks F(count, 9, [&](std::size_t e, std::size_t k) { return body.F[e][k]; });
    Blocks T(count, body.T[0].size(), [&](std::size_t e, std::size_t k) { return body.T[e][k]; });
    Blocks output(count, entries);
    const holo_body_energy_batch batch = {sizeof batch, F.block_count(), F.data(), T.data(), body.o.data(), output.data()};
    holo_error error = {sizeof(holo_error), ""};
    EXPECT_EQ(0, energy().run(instance_.get(), std::uint32_t(operation), &batch, &error)) << error.message;
    vector<vector<double>> result(count, vector<double>(entries));
    for (std::size_t e = 0; e < count; ++e)
      for (std::size_t k = 0; k < entries; ++k) result[e][k] = output.at(e, k);
    return result;
  }

  vector<double> exact(int operation, const vector<double>& F, const vector<double>& o, const vector<double>& T) const {
    vector<double> result(entry_count(operation));
    holo_error error = {sizeof(holo_error), ""};
    EXPECT_EQ(0,
              reference_->abi().run(twin_.get(), std::uint32_t(operation), F.data(), o.data(), T.data(), result.data(), &error))
        << error.message;
    return result;
  }

  // Each number changed by its own size times 1e-7, in one direction or the other.
  vector<double> moved(vector<double> numbers) {
    for (double& number : numbers) number *= 1 + (sequence_.next() < 0.5 ? -step : step);
    return numbers;
  }
  static void expect_near(const vector<double>& expected, const vector<double>& there, const vector<double>& found,
                          const char* what) {
    double sensitivity = 0;
    for (std::size_t k = 0; k < expected.size(); ++k)
      sensitivity = std::max(sensitivity, std::abs(there[k] - expected[k]) / step);
    const double allowed = 1e-13 * tolerance_scale() * (largest(expected) + sensitivity) + 1e-30;
    for (std::size_t k = 0; k < expected.size(); ++k)
      ASSERT_LE(std::abs(expected[k] - found[k]), allowed)
          << what << ", entry " << k << ": expected " << expected[k] << ", found " << found[k];
  }

  void expect_exact(int operation) {
    double size = 0;
    for (const Body& body : bodies_) {
      const auto found = run(operation, body);
      for (std::size_t e = 0; e < body.F.size(); e += operation == HOLO_BODY_ENERGY_HESSIAN ? 5 : 1) {
        const vector<double> expected = exact(operation, body.F[e], body.o, body.T[e]);
        const vector<double> there = exact(operation, moved(body.F[e]), moved(body.o), moved(body.T[e]));
        expect_near(expected, there, found[e], "element");
        size = std::max(size, largest(expected));
      }
    }
    EXPECT_GT(size, 0) << "nothing was tested";
  }

  static constexpr double step = 1e-7;
  Sequence sequence_;
  std::shared_ptr<const BodyEnergyPlugin> plugin_;
  std::shared_ptr<const BodyEnergyReference> reference_;
  Instance instance_ = {nullptr, [](holo_body_energy_instance*) {}}, twin_ = {nullptr, [](holo_body_energy_instance*) {}};
  holo_body_energy_description description_ = {};
  std::size_t observable_size_ = 0;
  vector<Body> bodies_;
};

TEST_P(BodyEnergies, DensityIsThatOfHundredDigits) { expect_exact(HOLO_BODY_ENERGY_DENSITY); }
TEST_P(BodyEnergies, GradientIsThatOfHundredDigits) { expect_exact(HOLO_BODY_ENERGY_GRADIENT); }
TEST_P(BodyEnergies, HessianIsThatOfHundredDigits) { expect_exact(HOLO_BODY_ENERGY_HESSIAN); }

TEST_P(BodyEnergies, QuantitiesAndTheirDerivativesAreThoseOfHundredDigits) {
  for (const Body& body : bodies_) {
    const auto found = quantities(body.z, body.start, body.w), expected = exact_quantities(body.z, body.start, body.w),
               there = exact_quantities(moved(body.z), moved(body.start), moved(body.w));
    for (std::size_t order = 0; order < 3; ++order)
      expect_near(expected[order], there[order], found[order],
                  order == 0   ? "quantity"
                  : order == 1 ? "first derivative"
                               : "second derivative");
    EXPECT_GT(largest(expected[1]), 0) << "its quantities are constant";
  }
}

// An energy that does not depend on the quantities is a material.
TEST_P(BodyEnergies, DensityDependsOnTheQuantities) {
  double slope = 0;
  for (const Body& body : bodies_)
    for (const vector<double>& gradient : run(HOLO_BODY_ENERGY_GRADIENT, body))
      for (std::size_t k = 9; k < gradient.size(); ++k) slope = std::max(slope, std::abs(gradient[k]));
  EXPECT_GT(slope, 0);
}

TEST_P(BodyEnergies, LanesAgreeBitForBit) {
  Body shifted = bodies_[0];
  std::rotate(shifted.F.begin(), shifted.F.begin() + 1, shifted.F.end());
  std::rotate(shifted.T.begin(), shifted.T.begin() + 1, shifted.T.end());
  for (int operation = 0; operation < HOLO_BODY_ENERGY_OPERATION_COUNT; ++operation) {
    vector<vector<double>> expected = run(operation, bodies_[0]);
    std::rotate(expected.begin(), expected.begin() + 1, expected.end());
    EXPECT_EQ(expected, run(operation, shifted)) << "operation " << operation;
  }
}

TEST_P(BodyEnergies, PluginAndReferenceAskForTheSame) {
  EXPECT_EQ(GetParam(), energy().name);
  EXPECT_EQ(GetParam(), reference_->abi().name);
  EXPECT_NE("", plugin_->summary());
  const holo_body_energy_description twin = describe(reference_->abi(), twin_);
  ASSERT_EQ(description_.observable_count, twin.observable_count);
  for (std::uint32_t i = 0; i < twin.observable_count; ++i) {
    EXPECT_EQ(description_.observables[i].kind, twin.observables[i].kind);
    EXPECT_EQ(description_.observables[i].subject, twin.observables[i].subject);
  }
  ASSERT_EQ(description_.target_count, twin.target_count);
  EXPECT_TRUE(std::equal(twin.targets, twin.targets + twin.target_count, description_.targets));
  ASSERT_EQ(description_.quantity_count, twin.quantity_count);
  for (std::uint32_t i = 0; i < twin.quantity_count; ++i)
    EXPECT_STREQ(description_.quantities[i].name, twin.quantities[i].name);
}

TEST_P(BodyEnergies, RecordItsParameters) { EXPECT_FALSE(plugin_->parameters().empty()); }

GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(BodyEnergies);
INSTANTIATE_TEST_SUITE_P(Every, BodyEnergies, testing::ValuesIn(chosen_names<BodyEnergyPlugin>()), test_name);

}  // namespace body_energy_tests
}  // namespace holo
