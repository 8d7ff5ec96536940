#pragma once
// Runs a material's batched operations on elements chosen by a test.

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <string>
#include <vector>

#include "holo/core/plugins/plugin_host.h"
#include "holo/diff/matrix.h"
#include "plugin_batch.h"

namespace holo {

inline std::vector<double> read_coefficients(const holo_material& material, SampleReader& reader,
                                             std::vector<double>* tangents = nullptr) {
  const holo_parameter_reader abi = reader.abi();
  std::vector<double> coefficients(material.coefficient_count);
  if (tangents != nullptr) tangents->resize(material.coefficient_count);
  holo_error error = {sizeof(holo_error), ""};
  EXPECT_EQ(0, material.read(&abi, coefficients.data(), tangents == nullptr ? nullptr : tangents->data(), &error))
      << error.message;
  return coefficients;
}

// One element's input.
struct Element {
  Matrix3<double> F;
  std::vector<double> coefficients;
  Matrix3<double> direction1, direction2;
  std::string parameters = "parameters of a test";  // for messages
  Matrix3<double> direction3 = {};
};

inline std::size_t entry_count(holo_material_operation operation, std::size_t coefficient_count) {
  switch (operation) {
    case HOLO_MATERIAL_ENERGY:
      return 1;
    case HOLO_MATERIAL_STRESS:
    case HOLO_MATERIAL_THIRD_ORDER_CONTRACTION:
    case HOLO_MATERIAL_FOURTH_ORDER_CONTRACTION:
    case HOLO_MATERIAL_ANALYTIC_STRESS:
    case HOLO_MATERIAL_CSFD_STRESS:
    case HOLO_MATERIAL_INVARIANT_SLOPES:
    case HOLO_MATERIAL_STRESS_DIFFERENTIAL:
    case HOLO_MATERIAL_ANALYTIC_STRESS_DIFFERENTIAL:
    case HOLO_MATERIAL_CSFD_STRESS_DIFFERENTIAL:
      return 9;
    case HOLO_MATERIAL_COEFFICIENT_GRADIENT:
      return coefficient_count;
    case HOLO_MATERIAL_COEFFICIENT_STRESS:
      return 9 * coefficient_count;
    default:
      return 45;
  }
}

// The operation's output for each element. `uniform`: the first element's coefficients serve all.
inline std::vector<std::vector<double>> run(const holo_material& material, holo_material_operation operation,
                                            const std::vector<Element>& elements, bool uniform) {
  const std::size_t n = elements.size(), c = material.coefficient_count, entries = entry_count(operation, c);
  Blocks F(n, 9, [&](std::size_t e, std::size_t k) { return elements[e].F[int(k)]; });
  Blocks coefficients(uniform ? 1 : n, c, [&](std::size_t e, std::size_t k) { return elements[e].coefficients[k]; });
  Blocks direction1(n, 9, [&](std::size_t e, std::size_t k) { return elements[e].direction1[int(k)]; });
  Blocks direction2(n, 9, [&](std::size_t e, std::size_t k) { return elements[e].direction2[int(k)]; });
  Blocks direction3(n, 9, [&](std::size_t e, std::size_t k) { return elements[e].direction3[int(k)]; });
  Blocks output(n, entries);
  const bool fourth = operation == HOLO_MATERIAL_FOURTH_ORDER_CONTRACTION;
  const bool third = fourth || operation == HOLO_MATERIAL_THIRD_ORDER_CONTRACTION;
  const bool directed =
      third || operation == HOLO_MATERIAL_DIRECTIONAL_HESSIAN || operation == HOLO_MATERIAL_STRESS_DIFFERENTIAL ||
      operation == HOLO_MATERIAL_ANALYTIC_STRESS_DIFFERENTIAL || operation == HOLO_MATERIAL_CSFD_STRESS_DIFFERENTIAL;
  const holo_batch batch = {sizeof(holo_batch),
                            F.block_count(),
                            F.data(),
                            coefficients.data(),
                            uniform ? 0 : c * Blocks::width,
                            directed ? direction1.data() : nullptr,
                            third ? direction2.data() : nullptr,
                            fourth ? direction3.data() : nullptr,
                            output.data(),
                            nullptr};
  material.operations[operation](&batch);
  std::vector<std::vector<double>> result(n, std::vector<double>(entries));
  for (std::size_t e = 0; e < n; ++e)
    for (std::size_t k = 0; k < entries; ++k) result[e][k] = output.at(e, k);
  return result;
}

}  // namespace holo
