#pragma once
// What is timed against what: tasks with several contestants that compute the same derivatives from the same inputs.

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "holo/comparison/element_kernels.h"
#include "holo/core/plugins/plugin_host.h"
#include "holo/sim/mesh/tetrahedral_mesh.h"

namespace holo::comparison {

struct Contestant {
  std::string name;
  std::string summary;
  bool is_yardstick = false;  // written by hand: what the others are compared with
  // All evaluations of the task, once, on one thread. Null where the build lacks the library that it needs; `summary` says so.
  std::function<void()> run;
  std::function<double()> difference;  // from the reference, right after its run, over the largest result; null as `run` is
};

struct TimingTask {
  std::string evaluation;       // what one evaluation is
  std::size_t evaluations = 0;  // in one run
  std::vector<Contestant> contestants;
};

// d/dx x^(1/3) at points between 1 and 3, another one each time: [Luo2019] Table 1. Exact to 64 bits of mantissa.
TimingTask root_derivative_task(std::size_t evaluations);

// The derivative of `order` 1 to 3 of exp(x) / (x^4 + x^2 + 1) at points around 4, another one each time: [Luo2019] Table 2.
// Among the contestants are other libraries: `adolc`, `boost_autodiff`.
TimingTask quartic_derivative_task(int order, std::size_t evaluations);

// The derivative of a product of `factors` numbers, of which values and derivatives are given: [Luo2019] section 5.2.
TimingTask product_chain_task(std::size_t factors, std::size_t evaluations);

// The gradient or Hessian of every element of a deformed mesh, records gathered, results stored: [Luo2019] Table 3 and Fig 11.
// The plugin's compiled operation, and its accelerated complex step (`csfd`); the codings written by hand where there are some;
// for `stvk` and `neo_hookean_paper` other libraries (`adolc`, `boost_autodiff`); and, where the material's reference offers
// them, complex steps in the entries of F with and without the acceleration. `reference` may be null. The difference is that to
// the compiled operation, over the element's largest entry. A task of a number of elements that is no multiple of the lane
// width repeats the last one.
TimingTask element_derivative_task(const MaterialPlugin& material, const MaterialReference* reference,
                                   const std::vector<double>& coefficients, DerivativeKind quantity,
                                   const TetrahedralMesh& mesh, double strain);

// Those among its contestants that the material's reference offers.
const std::vector<std::string>& reference_contestants();

// The names of that task's contestants, without its mesh.
std::vector<std::string> element_derivative_contestants(const MaterialPlugin& material, const MaterialReference* reference,
                                                        const std::vector<double>& coefficients, DerivativeKind quantity);

}  // namespace holo::comparison
