#pragma once
// The elements that every material is tested on, and how its operations are compared with hundred digits.

#include <gtest/gtest.h>

#include <algorithm>

#include "holo/diff/solid/tetrahedron_chain.h"
#include "holo/sim/elastic/positive_semidefinite.h"
#include "material_batch.h"
#include "material_words.h"
#include "plugin_choice.h"

namespace holo {

using std::vector;

inline double tolerance() { return 1e-13 * tolerance_scale(); }

inline const Matrix3<double> some_rotation{0.36, 0.48, -0.8, -0.8, 0.6, 0.0, 0.48, 0.64, 0.6};

class Materials : public testing::TestWithParam<std::string> {
 protected:
  void SetUp() override {
    plugin_ = host().get<MaterialPlugin>(GetParam());
    reference_ = host().get_reference<MaterialPlugin>(GetParam());
    make_elements();
  }

  const holo_material& material() const { return plugin_->abi(); }
  const holo_material_reference& reference() const { return reference_->abi(); }

  // Two full blocks and a part of a third, strained by 10 % and more; a quarter of them inverted where that is allowed. An
  // energy may have limits of its own (a largest stretch): deformations beyond them are passed over, but not all.
  void make_elements() {
    Sequence sequence;
    const auto matrix = [&sequence](double size) {
      Matrix3<double> result{};
      for (int k = 0; k < 9; ++k) result[k] = size * (2 * sequence.next() - 1);
      return result;
    };
    std::string refused = "every deformation that was tried";
    for (int tries = 0; elements_.size() < 2 * HOLO_LANE_WIDTH + 1; ++tries) {
      if (tries == 2000)
        FAIL() << GetParam() << ": the energy, of 100-digit arithmetic, is finite nearly nowhere; it is not for one,\n"
               << refused
               << "\nGive the parameters ranges or defaults that make sense, and every coefficient a value in `read`";
      Matrix3<double> F = identity3<double>() + matrix(0.4);
      if (elements_.size() % 4 == 3 && material().domain == HOLO_DOMAIN_ALL)
        for (int k = 0; k < 3; ++k) F[k] = -F[k];
      if (std::sqrt(squared_norm(F - identity3<double>())) < 0.1 || std::abs(determinant(F)) < 0.4) continue;
      if (determinant(F) < 0 && material().domain != HOLO_DOMAIN_ALL) continue;
      SampleReader reader(0.6 + 0.3 * sequence.next());
      const Element element = {F, read_coefficients(material(), reader), matrix(1), matrix(1), words_of(reader), matrix(1)};
      const vector<double>& uniform = elements_.empty() ? element.coefficients : elements_[0].coefficients;
      if (has_energy(element, element.coefficients) && has_energy(element, uniform))
        elements_.push_back(element);
      else
        refused = where(element);
    }
  }

  // Holds one number against another.
  bool expect_agreement(holo_material_operation operation, const Element& e, std::size_t entry, double expected, double found,
                        double allowed, const char* meaning = "of 100-digit arithmetic") const {
    const Disagreement d{GetParam(), operation, entry, expected, found, allowed, meaning};
    if (!agrees(d)) ADD_FAILURE() << words_of(d, e);
    return agrees(d);
  }

  // Whether the energy has a kink in one of its first three derivatives at the deformation or within rounding of it, as where a
  // `select` changes sides: differences of 100 digits straddle it there and mean nothing. They jump on a way of 1e-12.
  bool is_at_kink(const Element& e) const {
    Element beside = e;
    for (int k = 0; k < 9; ++k) beside.F[k] += 1e-12 * (0.3 + e.direction1[k]);
    const vector<double>& c = e.coefficients;
    const vector<double> here = reference_hessian(e, c), there = reference_hessian(beside, c);
    const vector<double> third = reference_third_order(e, c), moved = reference_third_order(beside, c);
    const double size = std::max(largest(here), largest(there)), third_size = std::max(largest(third), largest(moved));
    bool jumps = !std::isfinite(size + third_size);
    for (std::size_t k = 0; k < here.size(); ++k) jumps |= !(std::abs(here[k] - there[k]) <= 1e-6 * size);
    for (std::size_t k = 0; k < third.size(); ++k) jumps |= !(std::abs(third[k] - moved[k]) <= 1e-4 * (3 * third_size + size));
    return jumps;
  }

  bool has_energy(const Element& e, const vector<double>& c) const {
    return std::isfinite(reference().energy(&e.F.entries[0], c.data()));
  }

  vector<double> reference_stress(const Element& e, const vector<double>& c) const {
    vector<double> result(9);
    reference().stress(&e.F.entries[0], c.data(), result.data());
    return result;
  }
  vector<double> reference_hessian(const Element& e, const vector<double>& c) const {
    vector<double> full(81);
    reference().hessian(&e.F.entries[0], c.data(), full.data());
    return upper(full);
  }
  vector<double> reference_directional(const Element& e, const vector<double>& c, const Matrix3<double>& direction) const {
    vector<double> full(81);
    reference().directional_hessian(&e.F.entries[0], c.data(), &direction.entries[0], full.data());
    return upper(full);
  }
  vector<double> reference_third_order(const Element& e, const vector<double>& c) const {
    vector<double> T(9);
    reference().third_order_contraction(e.F.entries, c.data(), e.direction1.entries, e.direction2.entries, T.data());
    return T;
  }
  vector<double> reference_fourth_order(const Element& e, const vector<double>& c) const {
    vector<double> Q(9);
    reference().fourth_order_contraction(e.F.entries, c.data(), e.direction1.entries, e.direction2.entries,
                                         e.direction3.entries, Q.data());
    return Q;
  }
  static vector<double> upper(const vector<double>& full) {
    vector<double> result(45);
    for (int i = 0; i < 9; ++i)
      for (int j = i; j < 9; ++j) result[upper_index<9>(i, j)] = full[9 * i + j];
    return result;
  }

  // Holds the operation against expected(element, coefficients), which gives the entries and the size that errors are relative
  // to; on every `stride`-th element and the last.
  template <class Expected>
  void expect_reference(holo_material_operation operation, Expected&& expected, std::size_t stride = 1) {
    ASSERT_NE(nullptr, material().operations[operation]);
    ASSERT_NE(nullptr, material().kernels[operation]);
    double size = 0;
    for (const bool uniform : {true, false}) {
      const vector<vector<double>> found = run(material(), operation, elements_, uniform);
      for (std::size_t e = 0; e < elements_.size(); ++e) {
        if (e % stride != 0 && e + 1 != elements_.size()) continue;
        const auto [entries, scale] = expected(elements_[e], elements_[uniform ? 0 : e].coefficients);
        size = std::max(size, largest(entries));
        Element tested = elements_[e];
        if (uniform) tested.parameters = elements_[0].parameters;
        for (std::size_t k = 0; k < entries.size(); ++k)
          if (!expect_agreement(operation, tested, k, entries[k], found[e][k], tolerance() * scale)) return;
      }
    }
    if (material().coefficient_count > 0) {
      EXPECT_GT(size, 0) << "nothing was tested";
    }
  }

  // A stride over the elements: the reference is slow. Under the sanitizers, which look at memory and not at digits, it is only
  // the first element and the last, one of a full block and one of a part.
  static constexpr std::size_t sparse(std::size_t stride) {
#ifdef HOLO_ADDRESS_SANITIZER
    return stride * HOLO_LANE_WIDTH;
#else
    return stride;
#endif
  }
  void expect_stress(holo_material_operation operation) {
    expect_reference(
        operation,
        [this](const Element& e, const vector<double>& c) {
          const vector<double> P = reference_stress(e, c);
          return std::pair(P, largest(P) + largest(reference_hessian(e, c)));
        },
        sparse(3));
  }
  void expect_hessian(holo_material_operation operation) {
    expect_reference(
        operation,
        [this](const Element& e, const vector<double>& c) {
          const vector<double> H = reference_hessian(e, c);
          return std::pair(H, largest(H) + largest(reference_directional(e, c, e.F)));
        },
        sparse(5));
  }

  // Of every element, with coefficients of its own.
  vector<vector<double>> projected_hessians() const {
    if (material().operations[HOLO_MATERIAL_PROJECTED_HESSIAN] != nullptr)
      return run(material(), HOLO_MATERIAL_PROJECTED_HESSIAN, elements_, false);
    vector<vector<double>> result = run(material(), HOLO_MATERIAL_HESSIAN, elements_, false);
    Blocks F(elements_.size(), 9, [&](std::size_t e, std::size_t k) { return elements_[e].F[int(k)]; });
    Blocks H(elements_.size(), 45, [&](std::size_t e, std::size_t k) { return result[e][k]; });
    vector<std::uint8_t> projected(H.block_count() * Blocks::width);
    project_hessians(H.data(), F.data(), H.block_count(), projected.data());
    for (std::size_t e = 0; e < elements_.size(); ++e)
      for (std::size_t k = 0; k < 45; ++k) result[e][k] = H.at(e, k);
    return result;
  }

  std::shared_ptr<const MaterialPlugin> plugin_;
  std::shared_ptr<const MaterialReference> reference_;
  vector<Element> elements_;
};

}  // namespace holo
