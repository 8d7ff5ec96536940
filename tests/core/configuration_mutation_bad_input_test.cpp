// Experiments cut off and damaged at random: read, or refused with a place.
#include <random>

#include "bad_experiments.h"

namespace holo {
namespace {

using namespace bad_experiments;

constexpr const char* valid_experiment = R"(# question
name: drop
study: elastic_dynamics
scene:
  time_step: 0.01            # s
  gravity: [0, 0, -9.81]
  bodies:
    - name: "body \u00e9\n"
      mesh: {shape: box, size: [1.2, 0.4, 0.4], elements: 3e2}
      text: |
        literal [ { "
         more
      folded: >-
        one
        two
  flag: true
paper:
  values: {elements: 69074, 'quoted': 'it''s'}
variants:
  quick: {scene.bodies.0.mesh.elements: 60, scene.duration: 0.2}
)";

void read_valid(Configuration& root) {
  root.text("name");
  root.branch("study", {{"elastic_dynamics", "", [](Configuration& p) {
                           Configuration scene = p.section("scene");
                           scene.number("time_step", {.unit = "s", .minimum = 0});
                           scene.vector3("gravity");
                           scene.boolean("flag", {});
                           scene.each("bodies", [](Configuration& body) {
                             body.text("name");
                             Configuration mesh = body.section("mesh");
                             mesh.branch_on_key({{"file", "", [](Configuration& q) { q.text("file"); }},
                                                 {"shape", "", [](Configuration& q) {
                                                    q.text("shape");
                                                    q.vector3("size");
                                                    q.integer("elements", {.minimum = 1});
                                                  }}});
                             body.text("text");
                             body.text("folded");
                           });
                         }}});
  root.section("paper").entries("values");
}

// Either the text is an experiment, which then survives being written out, or it is refused with a place.
void expect_read_or_refused(const std::string& text, int* valid) {
  try {
    ConfigurationFile file = ConfigurationFile::parse(text, "x.yaml", {.variant = text.size() % 2 == 0 ? "quick" : ""});
    Configuration root = file.root();
    read_valid(root);
    file.finish();
    const std::string resolved = file.resolved();
    ASSERT_EQ(ConfigurationFile::parse(resolved, "y.yaml").resolved(), resolved) << text;
    ++*valid;
  } catch (const Error& error) {
    ASSERT_EQ(error.failure(), Failure::input);
    ASSERT_EQ(std::string(error.what()).rfind("x.yaml:", 0), 0u) << error.what() << "\nof\n" << text;
  }
}

TEST_F(ConfigurationBadInput, EveryPrefixIsReadOrRefused) {
  ASSERT_EQ(message(valid_experiment, read_valid), "");
  const std::string text = valid_experiment;
  int valid = 0;
  for (std::size_t size = 0; size <= text.size(); ++size) expect_read_or_refused(text.substr(0, size), &valid);
  EXPECT_GE(valid, 1);
}

TEST_F(ConfigurationBadInput, EveryMutationIsReadOrRefused) {
  std::mt19937 random(20240607);
  const std::string indicators = "[]{}:,-?#&*!|>'\"%@`\n \t~\\$0e.<";
  int valid = 0;
  for (int i = 0; i < 6000; ++i) {
    std::string text = valid_experiment;
    const std::size_t place = random() % text.size();
    const char byte = i % 2 == 0 ? indicators[random() % indicators.size()] : static_cast<char>(random() % 256);
    switch (random() % 3) {
      case 0:
        text[place] = byte;
        break;
      case 1:
        text.insert(place, 1, byte);
        break;
      default:
        text.erase(place, 1);
    }
    expect_read_or_refused(text, &valid);
  }
  EXPECT_GT(valid, 100);
  EXPECT_LT(valid, 5900);
}

}  // namespace
}  // namespace holo
