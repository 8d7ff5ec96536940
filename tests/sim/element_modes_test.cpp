// Each mode of `differentiation.elements` runs what its name says: materials record the scalars that they are evaluated in.
#include <gtest/gtest.h>

#include <cmath>
#include <mutex>
#include <set>
#include <typeindex>

#include "holo/core/plugins/material_plugin.h"
#include "holo/plugin/detail/material_entry.h"
#include "holo/plugin/detail/material_reference_modes.h"
#include "holo/plugin/isotropic_moduli.h"
#include "holo/sim/elastic/element_differentiation.h"

namespace holo {
namespace {

using Types = std::set<std::type_index>;
using Mode = ElementDifferentiation;

Types& recorded() {
  static Types types;
  return types;
}

// Of evaluations while the program runs; what the compiler traces leaves no record.
template <class S>
constexpr void record() {
  if (!std::is_constant_evaluated()) recorded().insert(typeid(S));
}

template <class... S>
Types types() {
  return {typeid(S)...};
}

struct Recording : LameMaterial {
  static constexpr auto domain = Domain::positive_determinant;
};

struct OfEntries : Recording {
  template <class S>
  static constexpr S energy_density(const Matrix3<S>& F, const Coefficients<S>& c) {
    record<S>();
    const S J = determinant(F), log_J = log(J);
    return c.mu / 2 * (squared_norm(F) - 3) - c.mu * log_J + c.lambda / 2 * log_J * log_J;
  }
  template <class S>
  static Matrix3<S> first_piola_stress(const Matrix3<S>& F, const Coefficients<S>& c) {
    record<Matrix3<S>>();
    const S J = determinant(F);
    return c.mu * F + (c.lambda * log(J) - c.mu) / J * cofactor(F);
  }
  template <class S>
  static Matrix3<S> first_piola_stress_differential(const Matrix3<S>& F, const Matrix3<S>& dF, const Coefficients<S>& c) {
    record<Matrix3<S>>();
    const Matrix3<S> C = cofactor(F), dC = cofactor_differential(F, dF);
    const S J = determinant(F), dJ = dot(C, dF), a = (c.lambda * log(J) - c.mu) / J, da = (c.lambda / J - a) / J * dJ;
    return c.mu * dF + da * C + a * dC;
  }
};

struct OfInvariants : Recording {
  template <class S>
  static constexpr S energy_of_invariants(const S& I1, const S&, const S& J, const Coefficients<S>& c) {
    record<S>();
    const S log_J = log(J);
    return c.mu / 2 * (I1 - 3) - c.mu * log_J + c.lambda / 2 * log_J * log_J;
  }
};

struct OfStretches : Recording {
  template <class S>
  static constexpr S energy_of_stretches(const S& s1, const S& s2, const S& s3, const Coefficients<S>& c) {
    record<S>();
    const S log_J = log(s1 * s2 * s3);
    return c.mu / 2 * (s1 * s1 + s2 * s2 + s3 * s3 - 3) - c.mu * log_J + c.lambda / 2 * log_J * log_J;
  }
};

// The tables of the material's two libraries, as plugin and second library make them.
template <class M>
struct Tables {
  static const holo_material& material() {
    static const holo_material table = plugin::make_material<M>("recording", "records its scalars");
    return table;
  }
  static std::shared_ptr<const MaterialReference> reference() {
    static const holo_material_reference table = [] {
      using Modes = std::conditional_t<plugin::HasStretchEnergy<M, double>, plugin::StretchModes<M>, plugin::ReferenceModes<M>>;
      holo_material_reference result{};
      result.complex_step_stress = Modes::complex_step_stress;
      result.multicomplex_step_hessian = Modes::multicomplex_step_hessian;
      result.reverse_ad_stress = Modes::reverse_ad_stress;
      result.reverse_ad_hessian = Modes::reverse_ad_hessian;
      if constexpr (!plugin::HasStretchEnergy<M, double>) {
        result.cauchy_riemann_stress = Modes::cauchy_riemann_stress;
        result.cauchy_riemann_hessian = Modes::cauchy_riemann_hessian;
      }
      return result;
    }();
    return std::make_shared<const MaterialReference>(nullptr, &table);
  }
};

constexpr std::size_t W = HOLO_LANE_WIDTH;

// A batch of two blocks, strained by 10 %.
struct Batch {
  alignas(HOLO_BLOCK_ALIGNMENT) double F[2 * 9 * W], coefficients[2 * W], output[2 * 45 * W];
  holo_batch batch{};

  Batch() {
    for (std::size_t k = 0; k < 2 * 9 * W; ++k) F[k] = (k / W % 9 % 4 == 0 ? 1.0 : 0.0) + 0.1 * std::sin(1.7 * double(k));
    for (std::size_t k = 0; k < 2 * W; ++k) coefficients[k] = k < W ? 3.0 : 2.0;
    batch.size = sizeof(holo_batch);
    batch.block_count = 2;
    batch.deformation_gradient = F;
    batch.coefficients = coefficients;
    batch.output = output;
  }
  std::vector<double> run(const ElementFunction& operation, std::size_t entries) {
    operation(&batch);
    return {output, output + 2 * entries * W};
  }
};

struct Evaluated {
  Types of_stress, of_hessian;
};

template <class M>
ElementOperations operations(Mode mode) {
  return element_operations(mode, Tables<M>::material(), Tables<M>::reference);
}

// The scalars that the energy is evaluated in.
template <class M>
Evaluated evaluated(Mode mode) {
  const ElementOperations found = operations<M>(mode);
  Batch batch;
  Evaluated result;
  recorded().clear();
  batch.run(found.stress, 9);
  result.of_stress = recorded();
  recorded().clear();
  batch.run(found.hessian, 45);
  result.of_hessian = recorded();
  return result;
}

template <class M>
void expect_evaluated(Mode mode, const Types& of_stress, const Types& of_hessian) {
  const Evaluated found = evaluated<M>(mode);
  EXPECT_EQ(found.of_stress, of_stress) << to_string(mode);
  EXPECT_EQ(found.of_hessian, of_hessian) << to_string(mode);
}

template <class M>
void expect_slow_modes_and_differences() {
  expect_evaluated<M>(Mode::compiled, {}, {});
  expect_evaluated<M>(
      Mode::mcsfd_full, types<Complex<double>>(),
      plugin::HasStretchEnergy<M, double> ? types<Complex<double>, Multicomplex<2>>() : types<Multicomplex<2>>());
  expect_evaluated<M>(Mode::naive_complex_step, types<Complex<double>>(), types<Complex<double>>());
  expect_evaluated<M>(Mode::reverse_ad, types<ReverseNumber>(),
                      plugin::HasStretchEnergy<M, double> ? types<ReverseNumber, Nilpotent<1, ReverseNumber>>()
                                                          : types<Nilpotent<1, ReverseNumber>>());
  expect_evaluated<M>(Mode::forward_difference, {}, {});
  expect_evaluated<M>(Mode::central_difference, {}, {});
}

TEST(ElementModes, EnergyOfEntriesIsEvaluatedInTheScalarsOfTheMode) {
  expect_slow_modes_and_differences<OfEntries>();
  expect_evaluated<OfEntries>(Mode::csfd, types<Nilpotent<1, LaneBlock>>(), types<Nilpotent<2, LaneBlock>>());
  expect_evaluated<OfEntries>(Mode::cr_form, types<CauchyRiemannNumber<1>>(), types<CauchyRiemannNumber<2>>());
  expect_evaluated<OfEntries>(Mode::analytic, types<Matrix3<LaneBlock>>(), types<Matrix3<LaneBlock>>());
}

TEST(ElementModes, EnergyOfInvariantsIsEvaluatedInTheScalarsOfTheMode) {
  expect_slow_modes_and_differences<OfInvariants>();
  expect_evaluated<OfInvariants>(Mode::csfd, types<Jet<1, 2, LaneBlock>>(), types<Jet<2, 2, LaneBlock>>());
  expect_evaluated<OfInvariants>(Mode::cr_form, types<CauchyRiemannNumber<1>>(), types<CauchyRiemannNumber<2>>());
}

TEST(ElementModes, EnergyOfStretchesIsEvaluatedInTheScalarsOfTheMode) {
  expect_slow_modes_and_differences<OfStretches>();
  const Evaluated found = evaluated<OfStretches>(Mode::csfd);
  EXPECT_EQ(found.of_stress, (types<Jet<1, 3, LaneBlock>>()));
  EXPECT_TRUE(found.of_hessian.contains(typeid(Jet<2, 3, LaneBlock>)));
}

// Differences call the energy's operation, and as often as they must: nothing else tells what `compiled` would give.
int energy_calls = 0;
void counted_energy(const holo_batch* batch) {
  ++energy_calls;
  Tables<OfEntries>::material().operations[HOLO_MATERIAL_ENERGY](batch);
}

TEST(ElementModes, DifferencesAreThoseOfTheEnergy) {
  holo_material counted = Tables<OfEntries>::material();
  counted.operations[HOLO_MATERIAL_ENERGY] = counted_energy;
  const auto calls = [&](Mode mode, bool stress) {
    const ElementOperations found = element_operations(mode, counted, {});
    Batch batch;
    energy_calls = 0;
    batch.run(stress ? found.stress : found.hessian, stress ? 9 : 45);
    return energy_calls;
  };
  EXPECT_EQ(calls(Mode::compiled, true), 0);
  EXPECT_EQ(calls(Mode::forward_difference, true), 2 * (1 + 9));
  EXPECT_EQ(calls(Mode::forward_difference, false), 2 * (1 + 9 + 45));
  EXPECT_EQ(calls(Mode::central_difference, true), 2 * 18);
  EXPECT_EQ(calls(Mode::central_difference, false), 2 * (1 + 18 + 4 * 36));
}

// Exact modes to rounding; differences by their error model, rounding e over the step's power and the step's own truncation
// (element_differences.h), with the sizes of energy and fourth derivatives at these strains, some 10 moduli.
template <class M>
void expect_agreement() {
  Batch batch;
  const ElementOperations compiled = operations<M>(Mode::compiled);
  const std::vector<double> P = batch.run(compiled.stress, 9), H = batch.run(compiled.hessian, 45);
  const auto largest_difference = [](const std::vector<double>& a, const std::vector<double>& b) {
    double largest = 0, size = 0;
    for (std::size_t k = 0; k < a.size(); ++k) {
      largest = std::max(largest, std::abs(a[k] - b[k]));
      size = std::max(size, std::abs(b[k]));
    }
    return largest / size;
  };
  for (const std::string& name : modes_of(Tables<M>::material(), Tables<M>::reference)) {
    const Mode mode = element_differentiation(name);
    const ElementOperations found = operations<M>(mode);
    const bool forward = mode == Mode::forward_difference, central = mode == Mode::central_difference;
    constexpr double e = 0x1p-53, size = 10;
    const double of_stress = forward ? size * (e * 0x1p27 + 0x1p-26) : central ? size * (e * 0x1p17 + 0x1p-34) : 1e-13;
    const double of_hessian = forward                            ? size * (4 * e * 0x1p34 + 0x1p-17)
                              : central                          ? size * (4 * e * 0x1p26 + 0x1p-26)
                              : mode == Mode::naive_complex_step ? size * (e * 0x1p17 + 0x1p-34)
                                                                 : 1e-13;
    EXPECT_LE(largest_difference(batch.run(found.stress, 9), P), of_stress) << name;
    EXPECT_LE(largest_difference(batch.run(found.hessian, 45), H), of_hessian) << name;
  }
}

TEST(ElementModes, AllGiveTheSameStressAndHessian) {
  expect_agreement<OfEntries>();
  expect_agreement<OfInvariants>();
  expect_agreement<OfStretches>();
}

TEST(ElementModes, KernelsAreNamedAndDiffer) {
  std::set<std::string> stresses, hessians;
  const std::vector<std::string> names = modes_of(Tables<OfEntries>::material(), Tables<OfEntries>::reference);
  EXPECT_EQ(names.size(), element_modes().size());
  for (const std::string& name : names) {
    const ElementOperations found = operations<OfEntries>(element_differentiation(name));
    stresses.insert(found.stress_kernel);
    hessians.insert(found.hessian_kernel);
  }
  EXPECT_EQ(stresses.size(), names.size() - 1) << "complex_step and mcsfd_full share their stress alone";
  EXPECT_EQ(hessians.size(), names.size());
}

std::string mode_refusal(Mode mode, const holo_material& material, const MaterialReferenceLoad& reference) {
  try {
    require_element_mode(mode, material, reference);
  } catch (const Error& error) {
    EXPECT_EQ(error.failure(), Failure::input);
    return error.what();
  }
  return "";
}

TEST(ElementModesBadInput, ModesThatTheMaterialLacksAreRefusedWithThoseThatItHas) {
  EXPECT_EQ(mode_refusal(Mode::analytic, Tables<OfStretches>::material(), Tables<OfStretches>::reference),
            "differentiation.elements is analytic, but the material 'recording' lacks it; it has: compiled, csfd, mcsfd_full, "
            "complex_step, reverse_ad, forward_difference, central_difference.");
  EXPECT_NE(mode_refusal(Mode::cr_form, Tables<OfStretches>::material(), Tables<OfStretches>::reference).find("lacks it"),
            std::string::npos);
  for (const ElementMode& mode : element_modes())
    EXPECT_EQ(mode_refusal(mode.mode, Tables<OfEntries>::material(), Tables<OfEntries>::reference), "");
  EXPECT_THROW(element_differentiation("autodiff"), Error);
}

TEST(ElementModesBadInput, MissingSecondLibraryIsNamedWithTheCommandThatBuildsIt) {
  const auto missing = []() -> std::shared_ptr<const MaterialReference> {
    throw Error(Failure::input, "there is no recording.reference.so");
  };
  for (const Mode mode : {Mode::mcsfd_full, Mode::naive_complex_step, Mode::cr_form, Mode::reverse_ad}) {
    const std::string text = mode_refusal(mode, Tables<OfEntries>::material(), missing);
    EXPECT_NE(text.find("there is no recording.reference.so"), std::string::npos) << text;
    EXPECT_NE(text.find("--target recording_reference"), std::string::npos) << text;
    EXPECT_NE(text.find("it the material has: compiled, csfd, forward_difference, central_difference, analytic."),
              std::string::npos)
        << text;
  }
  EXPECT_EQ(mode_refusal(Mode::csfd, Tables<OfEntries>::material(), missing), "");
}

}  // namespace
}  // namespace holo
