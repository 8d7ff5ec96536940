// Body energies as the host sees them: their tables, what they may observe, and parameters that name subsets and targets.
#include "holo/core/plugins/body_energy_plugin.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>

#include "plugins/plugin_tables.h"
#include "refusal_message.h"

namespace holo {
namespace body_energy_plugin_tests {

// A right energy, made by hand: one quantity, two mean positions, one target.
struct Handmade {
  std::vector<holo_observable> observables = {{HOLO_OBSERVABLE_POINT, 0, {0, 0, 0}, 0},
                                              {HOLO_OBSERVABLE_CENTER_OF_MASS, 1, {0, 0, 0}, 0}};
  std::vector<holo_measure> quantities = {{"stretch", "1"}};
  std::vector<std::uint32_t> targets = {0};
  std::string failure;
  int destroyed = 0;
};

Handmade& handmade() {
  static Handmade energy;
  return energy;
}

int fail(holo_error* error) {
  std::snprintf(error->message, sizeof error->message, "%s", handmade().failure.c_str());
  return 1;
}

double ask(const holo_parameter_reader* reader, holo_parameter_kind kind, const char* name, holo_subject subject) {
  holo_parameter request = {};
  request.size = sizeof request;
  request.kind = kind;
  request.name = name;
  request.unit = "1";
  request.documentation = "";
  request.minimum = -HUGE_VAL;
  request.maximum = HUGE_VAL;
  request.subject = subject;
  double value[3] = {};
  reader->read(reader->self, &request, value, nullptr);
  return value[0];
}

int create(const holo_parameter_reader* reader, holo_body_energy_instance** instance, holo_error* error) {
  ask(reader, HOLO_PARAMETER_NUMBER, "stiffness", HOLO_SUBJECT_BODY);
  handmade().observables[0].subject = std::uint32_t(ask(reader, HOLO_PARAMETER_SUBJECT, "from", HOLO_SUBJECT_BODY));
  handmade().targets[0] = std::uint32_t(ask(reader, HOLO_PARAMETER_SUBJECT, "shape", HOLO_SUBJECT_TARGET));
  if (handmade().failure == "the stiffness is too small") return fail(error);
  *instance = reinterpret_cast<holo_body_energy_instance*>(&handmade());
  return 0;
}
void destroy(holo_body_energy_instance*) { ++handmade().destroyed; }
void describe(const holo_body_energy_instance*, holo_body_energy_description* description) {
  const Handmade& h = handmade();
  *description = {sizeof(holo_body_energy_description),
                  std::uint32_t(h.observables.size()),
                  h.observables.data(),
                  std::uint32_t(h.quantities.size()),
                  h.quantities.data(),
                  std::uint32_t(h.targets.size()),
                  h.targets.data()};
}
int quantities(const holo_body_energy_instance*, const double*, const double*, const double*, double* o, double*, double*,
               holo_error* error) {
  o[0] = 0.5;
  return handmade().failure.empty() ? 0 : fail(error);
}
int run(const holo_body_energy_instance*, std::uint32_t, const holo_body_energy_batch*, holo_error* error) {
  return handmade().failure.empty() ? 0 : fail(error);
}

holo_body_energy right_table() { return {HOLO_STAMP, "handmade", "summary", "", create, destroy, describe, quantities, run}; }

class BodyEnergyPlugins : public testing::Test {
 protected:
  void SetUp() override { handmade() = {}; }
  std::shared_ptr<const BodyEnergyInstance> read(const std::string& yaml) const {
    ConfigurationFile file = ConfigurationFile::parse(yaml, "energy.yaml");
    Configuration root = file.root();
    auto made = create_body_energy(plugin_, root, {{"left", "right"}, {"bulge", "dent"}});
    file.finish();
    return made;
  }
  std::string refusal(const std::string& yaml = "{stiffness: 1, from: left, shape: bulge}") const {
    return test::message([&] { read(yaml); });
  }
  static void expect_part(const std::string& text, const std::string& part) {
    EXPECT_NE(text.find(part), std::string::npos) << "no '" << part << "' in: " << text;
  }

  holo_body_energy table_ = right_table();
  std::shared_ptr<const BodyEnergyPlugin> plugin_ = std::make_shared<const BodyEnergyPlugin>(nullptr, &table_, "");
};

using BodyEnergyPluginsBadInput = BodyEnergyPlugins;

TEST_F(BodyEnergyPlugins, ResolveSubsetsAndTargetsByName) {
  const auto made = read("{stiffness: 1, from: right, shape: dent}");
  ASSERT_TRUE(made);
  EXPECT_EQ(made->description().observables[0].subject, 1u);
  EXPECT_EQ(made->description().targets[0], 1u);
  EXPECT_EQ(made->observable_size(), 6u);
  EXPECT_EQ(made->output_size(HOLO_BODY_ENERGY_GRADIENT), 10u);
  EXPECT_EQ(made->output_size(HOLO_BODY_ENERGY_HESSIAN), 55u);
}

TEST_F(BodyEnergyPlugins, AreDestroyedOnce) {
  { const auto made = read("{stiffness: 1, from: right, shape: dent}"); }
  EXPECT_EQ(handmade().destroyed, 1);
}

TEST_F(BodyEnergyPlugins, RecordTheirParameters) {
  const auto parameters = plugin_->parameters();
  ASSERT_EQ(parameters.size(), 3u);
  EXPECT_EQ(parameters[1].path, "from");
  expect_part(parameters[1].documentation, "subsets");
  expect_part(parameters[2].documentation, "targets");
  EXPECT_EQ(handmade().destroyed, 1);
}

TEST_F(BodyEnergyPluginsBadInput, UnknownNamesGiveTheNearestAndAllThereAre) {
  const std::string text = refusal("{stiffness: 1, from: lefd, shape: dend}");
  expect_part(text, "energy.yaml:1:22");
  expect_part(text, "no subset of the body's vertices 'lefd'. Did you mean 'left'? There are: left, right");
  expect_part(text, "no target 'dend'. Did you mean 'dent'? There are: bulge, dent");
}

TEST_F(BodyEnergyPluginsBadInput, PluginRefusesItsParameters) {
  handmade().failure = "the stiffness is too small";
  expect_part(refusal(), "the body energy 'handmade' refuses its parameters: the stiffness is too small");
}

TEST_F(BodyEnergyPluginsBadInput, TooManyQuantitiesOrObservables) {
  handmade().quantities.assign(9, {"stretch", "1"});
  expect_part(refusal(), "it has 9 quantities that all elements share; allowed are 8");
  handmade() = {};
  handmade().observables.assign(9, {HOLO_OBSERVABLE_POINT, 0, {0, 0, 0}, 0});
  expect_part(refusal(), "it observes 27 numbers; allowed are 24");
}

TEST_F(BodyEnergyPluginsBadInput, ObservablesThatAreNotLinearInThePositionsOrOfAnotherStep) {
  handmade().observables[1].kind = HOLO_OBSERVABLE_INERTIA_TENSOR;
  expect_part(refusal(), "it observes the inertia tensor");
  handmade() = {};
  handmade().observables[1].step = -1;
  expect_part(refusal(), "it observes step -1");
  handmade() = {};
  handmade().quantities[0].name = nullptr;
  expect_part(refusal(), "the name or unit of its quantity number 0 is a null pointer");
}

TEST_F(BodyEnergyPluginsBadInput, NumbersThatTheHostDidNotGive) {
  handmade().observables[1].subject = 2;
  expect_part(refusal(), "the plugin 'handmade'");
  expect_part(refusal(), "it observes the subset number 2; the body has 2");
  handmade() = {};
  handmade().targets = {0, 7};
  expect_part(refusal(), "it uses the target number 7; the experiment has 2");
  handmade() = {};
  handmade().observables[1].point[2] = 0.5;
  expect_part(refusal(), "its observable number 1 has a point");
}

TEST_F(BodyEnergyPluginsBadInput, FailureWhileItRunsIsAnError) {
  const auto made = read("{stiffness: 1, from: left, shape: bulge}");
  handmade().failure = "out of memory";
  double o = 0;
  try {
    made->quantities(nullptr, nullptr, nullptr, &o, nullptr, nullptr);
    ADD_FAILURE() << "nothing was thrown";
  } catch (const Error& error) {
    EXPECT_EQ(error.failure(), Failure::environment);
    expect_part(error.what(), "the body energy 'handmade'");
    expect_part(error.what(), "out of memory");
  }
  EXPECT_THROW(made->run(HOLO_BODY_ENERGY_DENSITY, {}), Error);
}

std::string refusal_of(const holo_body_energy& table) {
  try {
    check(table, "handmade");
  } catch (const PluginRefusal& refusal) {
    return refusal.reason;
  }
  return "";
}

TEST_F(BodyEnergyPluginsBadInput, TablesThatLackAFunction) {
  EXPECT_EQ(refusal_of(table_), "");
  const auto without = [&](auto spoil) {
    holo_body_energy table = table_;
    spoil(table);
    return refusal_of(table);
  };
  expect_part(without([](holo_body_energy& t) { t.stamp.body_energy_size += 8; }), "another interface");
  expect_part(without([](holo_body_energy& t) { t.name = "other"; }), "'other'");
  expect_part(without([](holo_body_energy& t) { t.summary = nullptr; }), "summary");
  expect_part(without([](holo_body_energy& t) { t.create = nullptr; }), "'create'");
  expect_part(without([](holo_body_energy& t) { t.destroy = nullptr; }), "'destroy'");
  expect_part(without([](holo_body_energy& t) { t.describe = nullptr; }), "'describe'");
  expect_part(without([](holo_body_energy& t) { t.quantities = nullptr; }), "'quantities'");
  expect_part(without([](holo_body_energy& t) { t.run = nullptr; }), "'run'");
  holo_body_energy_reference reference = {};
  reference.stamp = HOLO_STAMP;
  reference.name = "handmade";
  try {
    check(reference, "handmade");
    ADD_FAILURE() << "the reference is taken";
  } catch (const PluginRefusal& refusal) {
    expect_part(refusal.reason, "required function of its reference table");
  }
}

}  // namespace body_energy_plugin_tests
}  // namespace holo
