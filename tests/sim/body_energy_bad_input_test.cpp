// Body energies and targets that are refused, and fields that are targets.
#include <gtest/gtest.h>

#include "elastic/affine/affine_definition.h"
#include "example_bar.h"
#include "refusal_message.h"

namespace holo::test {
namespace body_energy_tests {

std::string refusal_of_reading(const std::string& yaml) {
  ElasticBodyDefinition body;
  return message([&] { read_into(yaml, body); });
}
std::string replaced_in_example(const std::string& from, const std::string& to) {
  std::string text = example();
  text.replace(text.find(from), from.size(), to);
  return text;
}

void expect_refusal(const std::string& text, const std::vector<std::string>& parts) {
  for (const std::string& part : parts) EXPECT_NE(text.find(part), std::string::npos) << "no '" << part << "' in: " << text;
}

TEST(BodyEnergyBadInput, NamesThatAreNotThere) {
  expect_refusal(refusal_of_reading(example("upp")),
                 {"bar.yaml:12:15", "no target 'upp'", "Did you mean 'up'", "down_mirrored"});
  expect_refusal(refusal_of_reading(replaced_in_example("outer: outer", "outer: out")),
                 {"bar.yaml:11:12", "no subset of the body's vertices 'out'", "inner, outer"});
  expect_refusal(refusal_of_reading(replaced_in_example("type: example_based", "type: example_base")),
                 {"bar.yaml:6:11", "no body energy plugin 'example_base'", "example_based"});
  expect_refusal(refusal_of_reading(replaced_in_example("stiffness: 3.0e4", "stiffnes: 3.0e4")), {"stiffness"});
  expect_refusal(refusal_of_reading(replaced_in_example("normal: [0, 0, 1]", "normal: [0, 0, 0]")),
                 {"bar.yaml:9:13", "normal"});
}

TEST(BodyEnergyBadInput, TargetsThatCannotBeRead) {
  expect_refusal(
      refusal_of_reading(replaced_in_example("strain: [0.1, 0.02*x, -0.05, 0.01*y, 0, 0.03*z]", "strain: [0.1, 0, 0]")),
      {"bar.yaml:", "strain"});
  expect_refusal(refusal_of_reading(replaced_in_example("[0.1, 0.02*x,", "[0.1, 0.02*u,")), {"bar.yaml:19", "u"});
  expect_refusal(refusal_of_reading(replaced_in_example("strains: {strain:", "strains: {stress:")),
                 {"bar.yaml:19", "shape", "field"});
}

std::string refusal_of_building(const std::string& yaml) {
  return message([&] { ElasticModel model(bar(yaml)); });
}

TEST(BodyEnergyBadInput, TargetsThatDoNotFitTheMesh) {
  const std::string strains = "strain: [0.1, 0.02*x, -0.05, 0.01*y, 0, 0.03*z]";
  const auto with = [&](const std::string& target) {
    std::string text = example("strains", "up");
    text.replace(text.find(strains), strains.size(), target);
    return text;
  };
  expect_refusal(refusal_of_building(with("field: bend")), {"bar.yaml:19", "the target 'strains'", "bend"});
  expect_refusal(refusal_of_building(with("strain: [1/(x - x), 0, 0, 0, 0, 0]")), {"bar.yaml:19", "finite"});
  expect_refusal(refusal_of_building(with("shape: [x, y, -z]")), {"bar.yaml:19", "the target 'strains'", "volume", "> 0"});
}

TEST(BodyEnergyTerm, FieldsOfTheMeshAreStrains) {
  TetrahedralMesh mesh = box_mesh({1, 0.3, 0.2}, 60);
  MeshField six{"bend", MeshField::Support::elements, 6, {}}, five{"five", MeshField::Support::elements, 5, {}},
      crooked{"crooked", MeshField::Support::elements, 9, std::vector<double>(9 * mesh.tetrahedra.size())};
  for (std::size_t i = 0; i < 6 * mesh.tetrahedra.size(); ++i) six.values.push_back(0.01 * double(i));
  five.values.resize(5 * mesh.tetrahedra.size());
  crooked.values[1] = 1;
  mesh.fields = {six, five, crooked};
  const auto target_of = [&](const std::string& field) {
    std::string text = example("strains", "up");
    const std::string strains = "strain: [0.1, 0.02*x, -0.05, 0.01*y, 0, 0.03*z]";
    text.replace(text.find(strains), strains.size(), "field: " + field);
    ElasticBodyDefinition body;
    read_into(text, body);
    const BodyEnergy energy = make_body_energy(body.energies[0], mesh);
    for (const StrainTarget& target : energy.targets)
      if (target.name == "strains") return target.strains;
    return std::vector<double>();
  };
  const std::vector<double> strains = target_of("bend");
  ASSERT_EQ(strains.size(), 9 * mesh.tetrahedra.size());
  const std::vector<double> second(strains.begin() + 9, strains.begin() + 18);
  EXPECT_EQ(second, (std::vector<double>{0.06, 0.09, 0.10, 0.09, 0.07, 0.11, 0.10, 0.11, 0.08}));
  expect_refusal(message([&] { target_of("five"); }), {"5 components", "6 (xx, yy, zz, xy, xz, yz) or 9"});
  expect_refusal(message([&] { target_of("crooked"); }), {"element", "not symmetric"});
}

TEST(BodyEnergyBadInput, AffineBodiesHaveNone) {
  ElasticBodyDefinition body;
  read_into(example(), body);
  body.subsets.clear();
  EXPECT_TRUE(keys_excluded_by_affine(body).empty());
  body.deformation = Deformation::affine;
  ASSERT_EQ(keys_excluded_by_affine(body).size(), 1u);
  EXPECT_EQ(keys_excluded_by_affine(body)[0][0], "body_energies");
}

}  // namespace body_energy_tests
}  // namespace holo::test
