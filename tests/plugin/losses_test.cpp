// The tests that come free with every loss.
//
// Errors are relative to the largest entry of a result and its conditioning: what a rounding of the observables and data would
// change, measured with the twin.

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <memory>

#include "algebra/symmetric.h"
#include "holo/core/plugins/loss_plugin.h"
#include "plugin_batch.h"
#include "plugin_choice.h"

namespace holo {
namespace {

using std::vector;

using Instance = std::unique_ptr<holo_loss_instance, void (*)(holo_loss_instance*)>;

// Answers of `read` differ with the position.
template <class Table>
Instance create(const Table& table, double position) {
  SampleReader reader(position);
  const holo_parameter_reader abi = reader.abi();
  holo_error error = {sizeof(holo_error), ""};
  holo_loss_instance* made = nullptr;
  EXPECT_EQ(0, table.create(&abi, &made, &error))
      << error.message
      << "\nThe tests take parameters from the middle of their ranges: give them ranges or defaults that make sense";
  return Instance(made, table.destroy);
}

template <class Table>
holo_loss_description describe(const Table& table, const Instance& instance) {
  holo_loss_description description = {};
  table.describe(instance.get(), &description);
  return description;
}

class Losses : public testing::TestWithParam<std::string> {
 protected:
  struct Knot {
    vector<double> z, d;
  };

  // An instance of the loss with its parameters. What it observes may depend on these: points that coincide are one.
  struct Case {
    Instance instance, twin;
    holo_loss_description description;
    vector<Knot> knots;
  };

  void SetUp() override {
    plugin_ = host().get<LossPlugin>(GetParam());
    reference_ = host().get_reference<LossPlugin>(GetParam());
    for (const double position : {0.3, 0.7}) {
      cases_.push_back({create(loss(), position), create(reference_->abi(), position), {}, {}});
      Case& made = cases_.back();
      ASSERT_NE(nullptr, made.instance);
      ASSERT_NE(nullptr, made.twin);
      made.description = describe(loss(), made.instance);
      for (std::size_t i = 0; i < 4 * HOLO_LANE_WIDTH + 1; ++i) made.knots.push_back(anywhere(made.description));
    }
  }

  const holo_loss& loss() const { return plugin_->abi(); }
  double within(double minimum, double maximum) { return minimum + (maximum - minimum) * sequence_.next(); }

  // Data are positive, since there may be weights among them.
  Knot anywhere(const holo_loss_description& description) {
    Knot knot;
    for (std::uint32_t i = 0; i < description.observable_count; ++i) {
      const std::uint32_t size = holo_observable_size(description.observables[i].kind);
      for (std::uint32_t k = 0; k < size; ++k) knot.z.push_back(size == 1 ? within(-1, 6) : within(-1, 1));
    }
    for (std::uint32_t i = 0; i < description.datum_count; ++i) knot.d.push_back(within(0.2, 1.5));
    return knot;
  }

  static std::size_t entry_count(int operation, const Case& of) {
    const std::size_t n = of.knots[0].z.size();
    const std::size_t counts[] = {
        1, n, n * (n + 1) / 2, n * (n + 1) / 2, of.description.measure_count, of.description.distance_count};
    return counts[operation];
  }

  vector<vector<double>> run(int operation, const Case& of, const vector<Knot>& knots) const {
    const std::size_t count = knots.size(), entries = entry_count(operation, of);
    Blocks z(count, knots[0].z.size(), [&](std::size_t e, std::size_t k) { return knots[e].z[k]; });
    Blocks d(count, knots[0].d.size(), [&](std::size_t e, std::size_t k) { return knots[e].d[k]; });
    Blocks output(count, entries);
    const holo_loss_batch batch = {sizeof(holo_loss_batch), z.block_count(), z.data(), d.data(), output.data()};
    holo_error error = {sizeof(holo_error), ""};
    EXPECT_EQ(0, loss().run(of.instance.get(), std::uint32_t(operation), &batch, &error)) << error.message;
    vector<vector<double>> result(count, vector<double>(entries));
    for (std::size_t e = 0; e < count; ++e)
      for (std::size_t k = 0; k < entries; ++k) result[e][k] = output.at(e, k);
    return result;
  }

  vector<double> exact(int operation, const Case& of, const Knot& knot) const {
    vector<double> result(entry_count(operation, of));
    holo_error error = {sizeof(holo_error), ""};
    EXPECT_EQ(
        0, reference_->abi().run(of.twin.get(), std::uint32_t(operation), knot.z.data(), knot.d.data(), result.data(), &error))
        << error.message;
    return result;
  }

  // What the result changes by, when each number changes by its own size in one direction or the other.
  double sensitivity(int operation, const Case& of, const Knot& knot, const vector<double>& here) {
    constexpr double step = 1e-7;
    Knot moved = knot;
    for (vector<double>* numbers : {&moved.z, &moved.d})
      for (double& number : *numbers) number *= 1 + (sequence_.next() < 0.5 ? -step : step);
    const vector<double> there = exact(operation, of, moved);
    double result = 0;
    for (std::size_t k = 0; k < here.size(); ++k) result = std::max(result, std::abs(there[k] - here[k]) / step);
    return result;
  }

  void expect_exact(int operation, std::size_t stride) {
    double size = 0;
    for (std::size_t number = 0; number < cases_.size(); ++number) {
      const Case& of = cases_[number];
      const auto found = run(operation, of, of.knots);
      for (std::size_t e = number; e < of.knots.size(); e += stride) {
        const vector<double> expected = exact(operation, of, of.knots[e]);
        // Where a derivative is 0, the reference's differences of 100 digits with steps of 1e-20 are their rounding.
        const double differences = 1e-58 * largest(exact(HOLO_LOSS_VALUE, of, of.knots[e]));
        const double allowed =
            1e-13 * tolerance_scale() * (largest(expected) + sensitivity(operation, of, of.knots[e], expected)) + differences;
        for (std::size_t k = 0; k < expected.size(); ++k)
          ASSERT_LE(std::abs(expected[k] - found[e][k]), allowed)
              << "knot " << e << ", entry " << k << ": expected " << expected[k] << ", found " << found[e][k];
        size = std::max(size, largest(expected));
      }
    }
    // A plain value may be linear in what it observes.
    const bool may_vanish =
        cases_[0].description.residual_count == 0 && (operation == HOLO_LOSS_HESSIAN || operation == HOLO_LOSS_GAUSS_NEWTON);
    EXPECT_TRUE(size > 0 || may_vanish || entry_count(operation, cases_[0]) == 0) << "nothing was tested";
  }

  Sequence sequence_;
  std::shared_ptr<const LossPlugin> plugin_;
  std::shared_ptr<const LossReference> reference_;
  vector<Case> cases_;
};

TEST_P(Losses, ValueIsThatOfHundredDigits) { expect_exact(HOLO_LOSS_VALUE, 1); }
TEST_P(Losses, GradientIsThatOfHundredDigits) { expect_exact(HOLO_LOSS_GRADIENT, 1); }
TEST_P(Losses, HessianIsThatOfHundredDigits) { expect_exact(HOLO_LOSS_HESSIAN, 5); }
TEST_P(Losses, GaussNewtonHessianIsThatOfHundredDigits) { expect_exact(HOLO_LOSS_GAUSS_NEWTON, 5); }
TEST_P(Losses, MeasuresAreThoseOfHundredDigits) { expect_exact(HOLO_LOSS_MEASURES, 1); }

TEST_P(Losses, DistancesAreThoseOfHundredDigits) { expect_exact(HOLO_LOSS_DISTANCES, 1); }

TEST_P(Losses, GaussNewtonHessianOfResidualsIsPositiveSemidefinite) {
  if (cases_[0].description.plain_value_count > 0) GTEST_SKIP() << "it has plain values";
  for (const Case& of : cases_) {
    const auto n = Eigen::Index(of.knots[0].z.size());
    for (const vector<double>& entries : run(HOLO_LOSS_GAUSS_NEWTON, of, of.knots)) {
      Eigen::MatrixXd H(n, n);
      auto entry = entries.begin();
      for (Eigen::Index i = 0; i < n; ++i)
        for (Eigen::Index j = i; j < n; ++j) H(i, j) = H(j, i) = *entry++;
      EXPECT_GE(test::symmetric_eigenvalues(H)[0], -1e-14 * double(n) * H.norm());
    }
  }
}

TEST_P(Losses, LanesAgreeBitForBit) {
  const Case& of = cases_[0];
  vector<Knot> shifted = of.knots;
  std::rotate(shifted.begin(), shifted.begin() + 1, shifted.end());
  for (int operation = 0; operation < HOLO_LOSS_OPERATION_COUNT; ++operation) {
    vector<vector<double>> expected = run(operation, of, of.knots);
    std::rotate(expected.begin(), expected.begin() + 1, expected.end());
    EXPECT_EQ(expected, run(operation, of, shifted)) << "operation " << operation;
  }
}

TEST_P(Losses, PluginAndReferenceAskForTheSame) {
  EXPECT_EQ(GetParam(), loss().name);
  EXPECT_EQ(GetParam(), reference_->abi().name);
  EXPECT_NE("", plugin_->summary());
  for (const Case& of : cases_) {
    const holo_loss_description &own = of.description, twin = describe(reference_->abi(), of.twin);
    ASSERT_EQ(own.observable_count, twin.observable_count);
    for (std::uint32_t i = 0; i < twin.observable_count; ++i) {
      EXPECT_EQ(own.observables[i].kind, twin.observables[i].kind);
      EXPECT_EQ(own.observables[i].subject, twin.observables[i].subject);
      EXPECT_EQ(own.observables[i].step, twin.observables[i].step);
    }
    ASSERT_EQ(own.datum_count, twin.datum_count);
    for (std::uint32_t i = 0; i < twin.datum_count; ++i) {
      EXPECT_EQ(own.data[i].kind, twin.data[i].kind);
      EXPECT_EQ(own.data[i].subject, twin.data[i].subject);
      EXPECT_EQ(own.data[i].index, twin.data[i].index);
    }
    EXPECT_EQ(own.measure_count, twin.measure_count);
    EXPECT_EQ(own.residual_count, twin.residual_count);
    EXPECT_EQ(own.plain_value_count, twin.plain_value_count);
    EXPECT_EQ(own.distance_count, twin.distance_count);
    EXPECT_GT(own.observable_count, 0u) << "it observes nothing: it would be the same whatever the simulation does";
  }
}

TEST_P(Losses, RecordItsParameters) { EXPECT_FALSE(plugin_->parameters().empty()); }

GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(Losses);
INSTANTIATE_TEST_SUITE_P(Every, Losses, testing::ValuesIn(chosen_names<LossPlugin>()), test_name);

}  // namespace
}  // namespace holo
