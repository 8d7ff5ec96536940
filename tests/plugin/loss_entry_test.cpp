#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <stdexcept>
#include <string>

#include "holo/plugin/limits.h"
#include "holo/plugin/loss.h"
#include "plugin_batch.h"

namespace {

// What it does wrong, as the experiment says.
struct Faulty {
  Body body;
  int fault;
  static Faulty read(const LossReader& p) {
    const Faulty loss{p.body("body"), p.choice("fault", {"none", "step", "empty", "throw"}, {.default_value = 0})};
    if (loss.fault == 3) throw std::invalid_argument("the weights do not fit together");
    return loss;
  }
  template <class S>
  void residuals(const Observer<S>& observe, LossResiduals<S>& residuals) const {
    const holo::Vector3<S> momentum = observe.momentum(body, fault == 1 ? 1 : -1);
    if (fault == 2) return;
    residuals.add(momentum[0] - observe.momentum(body)[0], S(2.0));
    residuals.add(momentum[0] + observe.time(), S(1.0));
  }
};

struct Created {
  holo_error error = {sizeof(holo_error), ""};
  int status = 0;
  std::unique_ptr<holo_loss_instance, void (*)(holo_loss_instance*)> instance{nullptr, holo::plugin::destroy_loss};
};

Created create(int fault) {
  Created created;
  const holo_parameter_reader reader = {sizeof(holo_parameter_reader), &fault,
                                        [](void* self, const holo_parameter* request, double* values, double*) {
                                          values[0] = request->kind == HOLO_PARAMETER_CHOICE ? *static_cast<int*>(self) : 4;
                                        }};
  holo_loss_instance* made = nullptr;
  created.status = holo::plugin::create_loss<Faulty>(&reader, &made, &created.error);
  created.instance.reset(made);
  return created;
}

TEST(LossEntry, AsksForEachObservableAndDatumOnce) {
  const Created created = create(0);
  ASSERT_EQ(0, created.status) << created.error.message;
  holo_loss_description d = {};
  holo::plugin::describe_loss(created.instance.get(), &d);
  ASSERT_EQ(2u, d.observable_count);
  EXPECT_EQ(-1, d.observables[0].step);
  EXPECT_EQ(0, d.observables[1].step);
  EXPECT_EQ(4u, d.observables[1].subject);
  ASSERT_EQ(1u, d.datum_count);
  EXPECT_EQ(unsigned(HOLO_DATUM_TIME), d.data[0].kind);
  EXPECT_EQ(2u, d.residual_count);
  EXPECT_EQ(0u, d.plain_value_count);
}

// (a - b)^2 + (a + t)^2 / 2 at a = 3, b = 1, t = 2.
TEST(LossEntry, ValueAndGradientOfAFewResiduals) {
  const Created created = create(0);
  ASSERT_EQ(0, created.status);
  const double z_values[] = {3, 0, 0, 1, 0, 0};
  holo::Blocks z(1, 6, [&](std::size_t, std::size_t k) { return z_values[k]; });
  holo::Blocks d(1, 1, [](std::size_t, std::size_t) { return 2; }), value(1, 1), gradient(1, 6);
  holo_loss_batch batch = {sizeof(holo_loss_batch), 1, z.data(), d.data(), value.data()};
  holo_error error = {sizeof(holo_error), ""};
  ASSERT_EQ(0, holo::plugin::run_loss_operation(created.instance.get(), HOLO_LOSS_VALUE, &batch, &error)) << error.message;
  EXPECT_EQ(4 + 12.5, value.at(0, 0));
  batch.output = gradient.data();
  ASSERT_EQ(0, holo::plugin::run_loss_operation(created.instance.get(), HOLO_LOSS_GRADIENT, &batch, &error));
  const double expected[] = {4 + 5, 0, 0, -4, 0, 0};
  for (std::size_t k = 0; k < 6; ++k) EXPECT_EQ(expected[k], gradient.at(0, k)) << k;
}

TEST(LossEntryBadInput, ObservableAtAStepToComeIsRefused) {
  const Created created = create(1);
  EXPECT_NE(0, created.status);
  EXPECT_NE(std::string(created.error.message).find("asked for at step 1; allowed are 0 (this one), -1 and -2"),
            std::string::npos)
      << created.error.message;
}

TEST(LossEntryBadInput, ResidualsThatAddNothingAreRefused) {
  EXPECT_NE(std::string(create(2).error.message).find("neither a residual nor a value"), std::string::npos);
}

TEST(LossEntryBadInput, ExceptionsOfReadAreReported) {
  EXPECT_NE(std::string(create(3).error.message).find("the weights do not fit together"), std::string::npos);
}

// ([Maloisel2023] Eq 16) -ln(z)^3 with z = distance / width inside, 0 from there on, and its Taylor polynomial near the limit.
TEST(Limits, BarrierIsTheCubeOfTheLogarithmAndGoesOnAsAQuadratic) {
  EXPECT_NEAR(std::pow(std::log(2.0), 3), holo::limit_barrier(0.05, 0.1), 1e-15);
  EXPECT_EQ(0.0, holo::limit_barrier(0.1, 0.1));
  EXPECT_EQ(0.0, holo::limit_barrier(7.0, 0.1));
  const double h = 1e-6, at = 1e-3, far = -1;
  const auto barrier = [](double z) { return holo::limit_barrier(z, 1.0); };
  const double slope = -3 * std::pow(std::log(at), 2) / at, curvature = 3 * std::log(at) * (std::log(at) - 2) / (at * at);
  EXPECT_NEAR(slope, (barrier(at + h) - barrier(at - h)) / (2 * h), 1e-3 * std::abs(slope));
  const double past = far - at, expected = -std::pow(std::log(at), 3) + past * slope + past * past * curvature / 2;
  EXPECT_NEAR(expected, barrier(far), 1e-12 * expected);
}

}  // namespace
