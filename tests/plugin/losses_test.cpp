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

  void SetUp() override {
    plugin_ = host().get<LossPlugin>(GetParam());
    reference_ = host().get_reference<LossPlugin>(GetParam());
    for (const double position : {0.3, 0.7}) {
      instances_.push_back(create(loss(), position));
      twins_.push_back(create(reference_->abi(), position));
      ASSERT_NE(nullptr, instances_.back());
      ASSERT_NE(nullptr, twins_.back());
    }
    description_ = describe(loss(), instances_[0]);
    for (std::size_t i = 0; i < 4 * HOLO_LANE_WIDTH + 1; ++i) knots_.push_back(anywhere());
  }

  const holo_loss& loss() const { return plugin_->abi(); }
  double within(double minimum, double maximum) { return minimum + (maximum - minimum) * sequence_.next(); }

  // Data are positive, since there may be weights among them.
  Knot anywhere() {
    Knot knot;
    for (std::uint32_t i = 0; i < description_.observable_count; ++i) {
      const std::uint32_t size = holo_observable_size(description_.observables[i].kind);
      for (std::uint32_t k = 0; k < size; ++k) knot.z.push_back(size == 1 ? within(-1, 6) : within(-1, 1));
    }
    for (std::uint32_t i = 0; i < description_.datum_count; ++i) knot.d.push_back(within(0.2, 1.5));
    return knot;
  }

  std::size_t entry_count(int operation) const {
    const std::size_t n = knots_[0].z.size();
    const std::size_t counts[] = {
        1, n, n * (n + 1) / 2, n * (n + 1) / 2, description_.measure_count, description_.distance_count};
    return counts[operation];
  }

  vector<vector<double>> run(int operation, std::size_t instance, const vector<Knot>& knots) const {
    const std::size_t count = knots.size(), entries = entry_count(operation);
    Blocks z(count, knots[0].z.size(), [&](std::size_t e, std::size_t k) { return knots[e].z[k]; });
    Blocks d(count, knots[0].d.size(), [&](std::size_t e, std::size_t k) { return knots[e].d[k]; });
    Blocks output(count, entries);
    const holo_loss_batch batch = {sizeof(holo_loss_batch), z.block_count(), z.data(), d.data(), output.data()};
    holo_error error = {sizeof(holo_error), ""};
    EXPECT_EQ(0, loss().run(instances_[instance].get(), std::uint32_t(operation), &batch, &error)) << error.message;
    vector<vector<double>> result(count, vector<double>(entries));
    for (std::size_t e = 0; e < count; ++e)
      for (std::size_t k = 0; k < entries; ++k) result[e][k] = output.at(e, k);
    return result;
  }

  vector<double> exact(int operation, std::size_t instance, const Knot& knot) const {
    vector<double> result(entry_count(operation));
    holo_error error = {sizeof(holo_error), ""};
    EXPECT_EQ(0, reference_->abi().run(twins_[instance].get(), std::uint32_t(operation), knot.z.data(), knot.d.data(),
                                       result.data(), &error))
        << error.message;
    return result;
  }

  // What the result changes by, when each number changes by its own size in one direction or the other.
  double sensitivity(int operation, std::size_t instance, const Knot& knot, const vector<double>& here) {
    constexpr double step = 1e-7;
    Knot moved = knot;
    for (vector<double>* numbers : {&moved.z, &moved.d})
      for (double& number : *numbers) number *= 1 + (sequence_.next() < 0.5 ? -step : step);
    const vector<double> there = exact(operation, instance, moved);
    double result = 0;
    for (std::size_t k = 0; k < here.size(); ++k) result = std::max(result, std::abs(there[k] - here[k]) / step);
    return result;
  }

  void expect_exact(int operation, std::size_t stride) {
    double size = 0;
    for (std::size_t instance = 0; instance < instances_.size(); ++instance) {
      const auto found = run(operation, instance, knots_);
      for (std::size_t e = instance; e < knots_.size(); e += stride) {
        const vector<double> expected = exact(operation, instance, knots_[e]);
        // Where a derivative is 0, the reference's differences of 100 digits with steps of 1e-20 are their rounding.
        const double differences = 1e-58 * largest(exact(HOLO_LOSS_VALUE, instance, knots_[e]));
        const double allowed =
            1e-13 * tolerance_scale() * (largest(expected) + sensitivity(operation, instance, knots_[e], expected)) +
            differences;
        for (std::size_t k = 0; k < expected.size(); ++k)
          ASSERT_LE(std::abs(expected[k] - found[e][k]), allowed)
              << "knot " << e << ", entry " << k << ": expected " << expected[k] << ", found " << found[e][k];
        size = std::max(size, largest(expected));
      }
    }
    // A plain value may be linear in what it observes.
    const bool may_vanish =
        description_.residual_count == 0 && (operation == HOLO_LOSS_HESSIAN || operation == HOLO_LOSS_GAUSS_NEWTON);
    EXPECT_TRUE(size > 0 || may_vanish || entry_count(operation) == 0) << "nothing was tested";
  }

  Sequence sequence_;
  std::shared_ptr<const LossPlugin> plugin_;
  std::shared_ptr<const LossReference> reference_;
  vector<Instance> instances_, twins_;
  holo_loss_description description_ = {};
  vector<Knot> knots_;
};

TEST_P(Losses, ValueIsThatOfHundredDigits) { expect_exact(HOLO_LOSS_VALUE, 1); }
TEST_P(Losses, GradientIsThatOfHundredDigits) { expect_exact(HOLO_LOSS_GRADIENT, 1); }
TEST_P(Losses, HessianIsThatOfHundredDigits) { expect_exact(HOLO_LOSS_HESSIAN, 5); }
TEST_P(Losses, GaussNewtonHessianIsThatOfHundredDigits) { expect_exact(HOLO_LOSS_GAUSS_NEWTON, 5); }
TEST_P(Losses, MeasuresAreThoseOfHundredDigits) { expect_exact(HOLO_LOSS_MEASURES, 1); }

TEST_P(Losses, DistancesAreThoseOfHundredDigits) { expect_exact(HOLO_LOSS_DISTANCES, 1); }

TEST_P(Losses, GaussNewtonHessianOfResidualsIsPositiveSemidefinite) {
  if (description_.plain_value_count > 0) GTEST_SKIP() << "it has plain values";
  const auto n = Eigen::Index(knots_[0].z.size());
  for (std::size_t instance = 0; instance < instances_.size(); ++instance)
    for (const vector<double>& entries : run(HOLO_LOSS_GAUSS_NEWTON, instance, knots_)) {
      Eigen::MatrixXd H(n, n);
      auto entry = entries.begin();
      for (Eigen::Index i = 0; i < n; ++i)
        for (Eigen::Index j = i; j < n; ++j) H(i, j) = H(j, i) = *entry++;
      EXPECT_GE(test::symmetric_eigenvalues(H)[0], -1e-14 * double(n) * H.norm());
    }
}

TEST_P(Losses, LanesAgreeBitForBit) {
  vector<Knot> shifted = knots_;
  std::rotate(shifted.begin(), shifted.begin() + 1, shifted.end());
  for (int operation = 0; operation < HOLO_LOSS_OPERATION_COUNT; ++operation) {
    vector<vector<double>> expected = run(operation, 0, knots_);
    std::rotate(expected.begin(), expected.begin() + 1, expected.end());
    EXPECT_EQ(expected, run(operation, 0, shifted)) << "operation " << operation;
  }
}

TEST_P(Losses, PluginAndReferenceAskForTheSame) {
  EXPECT_EQ(GetParam(), loss().name);
  EXPECT_EQ(GetParam(), reference_->abi().name);
  EXPECT_NE("", plugin_->summary());
  const holo_loss_description twin = describe(reference_->abi(), twins_[0]);
  ASSERT_EQ(description_.observable_count, twin.observable_count);
  for (std::uint32_t i = 0; i < twin.observable_count; ++i) {
    EXPECT_EQ(description_.observables[i].kind, twin.observables[i].kind);
    EXPECT_EQ(description_.observables[i].subject, twin.observables[i].subject);
    EXPECT_EQ(description_.observables[i].step, twin.observables[i].step);
  }
  ASSERT_EQ(description_.datum_count, twin.datum_count);
  for (std::uint32_t i = 0; i < twin.datum_count; ++i) {
    EXPECT_EQ(description_.data[i].kind, twin.data[i].kind);
    EXPECT_EQ(description_.data[i].subject, twin.data[i].subject);
    EXPECT_EQ(description_.data[i].index, twin.data[i].index);
  }
  EXPECT_EQ(description_.measure_count, twin.measure_count);
  EXPECT_EQ(description_.residual_count, twin.residual_count);
  EXPECT_EQ(description_.plain_value_count, twin.plain_value_count);
  EXPECT_EQ(description_.distance_count, twin.distance_count);
  EXPECT_GT(description_.observable_count, 0u) << "it observes nothing: it would be the same whatever the simulation does";
}

TEST_P(Losses, RecordItsParameters) { EXPECT_FALSE(plugin_->parameters().empty()); }

GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(Losses);
INSTANTIATE_TEST_SUITE_P(Every, Losses, testing::ValuesIn(chosen(host().names<LossPlugin>())), test_name);

}  // namespace
}  // namespace holo
