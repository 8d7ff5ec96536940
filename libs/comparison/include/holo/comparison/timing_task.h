#pragma once
// Timing tasks: several contestants compute the same derivatives from the same inputs.

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "holo/comparison/element_kernels.h"
#include "holo/core/plugins/plugin_host.h"
#include "holo/sim/mesh/tetrahedral_mesh.h"

namespace holo::comparison {

// One method of a task.
struct Contestant {
  std::string name;
  std::string summary;
  bool is_yardstick = false;  // written by hand; the times of the others are compared with the fastest one of these
  // Computes all evaluations of the task once, on one thread. Null if the build lacks a required library, which `summary`
  // names.
  std::function<void()> run;
  // The largest difference of the last run's results from the reference, over the largest result; call it directly after `run`,
  // before that of another contestant. Null if `run` is.
  std::function<double()> difference;
};

struct TimingTask {
  std::string evaluation;       // the name of one evaluation, for tables
  std::size_t evaluations = 0;  // number of evaluations in one run
  std::vector<Contestant> contestants;
};

// d/dx x^(1/3) at different points between 1 and 3: [Luo2019] Table 1. The reference is exact to 64 bits of mantissa.
TimingTask root_derivative_task(std::size_t evaluations);

// The derivative of `order` 1 to 3 of exp(x) / (x^4 + x^2 + 1) at different points around 4: [Luo2019] Table 2. The contestants
// include other libraries: `adolc`, `cppad`, `boost_autodiff`.
TimingTask quartic_derivative_task(int order, std::size_t evaluations);

// The derivative of a product of `factors` numbers with given values and derivatives: [Luo2019] section 5.2.
TimingTask product_chain_task(std::size_t factors, std::size_t evaluations);

// The gradient or Hessian of every element of a deformed mesh, with gathered records and stored results: [Luo2019] Table 3 and
// Fig 11. Contestants: the plugin's compiled operation and its accelerated complex step (`csfd`); the codings written by hand,
// if there are any; for `stvk` and `neo_hookean_paper` other libraries (`adolc`, `cppad`, `boost_autodiff`); and the complex
// steps in the entries of F, with and without the acceleration, that the material's reference offers (null: none). The mesh is
// deformed by random displacements up to `strain` (relative). Differences are those from the compiled operation, over the
// element's largest entry. If the number of elements is not a multiple of the lane width, the last element is repeated.
TimingTask element_derivative_task(const MaterialPlugin& material, const MaterialReference* reference,
                                   const std::vector<double>& coefficients, DerivativeKind quantity,
                                   const TetrahedralMesh& mesh, double strain);

// The names of all contestants of that task that a material's reference may offer.
const std::vector<std::string>& reference_contestants();

// The names of that task's contestants; it needs no mesh.
std::vector<std::string> element_derivative_contestants(const MaterialPlugin& material, const MaterialReference* reference,
                                                        const std::vector<double>& coefficients, DerivativeKind quantity);

}  // namespace holo::comparison
