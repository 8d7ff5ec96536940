#pragma once
// The kernels that are compared. Each reads all records and writes all gradients [element][12] or Hessians [element][144].

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "holo/comparison/elements.h"
#include "holo/core/abi.h"

namespace holo::comparison {

enum class Quantity { gradient, hessian };
inline constexpr Quantity quantities[] = {Quantity::gradient, Quantity::hessian};

using Kernel = std::function<void(std::span<const ElementRecord> elements, double* output)>;

struct NamedKernel {
  std::string name;
  Kernel run;
};

// The yardsticks: closed forms written by hand for one element at a time, in two codings, for the materials stvk, neo_hookean,
// neo_hookean_paper and stable_neo_hookean; empty for others. The coefficients are the plugin's.
std::vector<NamedKernel> hand_written_kernels(const std::string& material, Quantity quantity,
                                              const std::vector<double>& coefficients);

// A plugin's batched operation between gather and chain, a few blocks at a time.
Kernel plugin_kernel(holo_batch_function operation, Quantity quantity, const std::vector<double>& coefficients);

// Nothing but the stores of the lane kernels, in their order: the memory's share of their time.
Kernel store_kernel(Quantity quantity);

}  // namespace holo::comparison
