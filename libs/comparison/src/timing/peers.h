#pragma once
// Other libraries of automatic differentiation as contestants: ADOL-C, CppAD and Boost.Math. One that the build lacks is a
// contestant without `run`, whose summary says so.

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "holo/comparison/timing_task.h"
#include "timing/points.h"

namespace holo::comparison {

// Stress [9] or the upper half of the Hessian [45] of a material's energy, by its derivatives in the entries of F.
struct PeerMode {
  std::string name, summary;
  std::function<void(const double* F, double* result)> run;  // null where the library is missing
};

// Order 1 or 2, of `stvk` and `neo_hookean_paper`, whose energies are written once more for them (peer_functions.h); none of
// other materials. The coefficients are the plugin's.
std::vector<PeerMode> peer_modes(const std::string& material, int order, const std::vector<double>& coefficients);

PeerMode adolc_mode(const std::string& material, int order, const std::vector<double>& coefficients);
PeerMode cppad_mode(const std::string& material, int order, const std::vector<double>& coefficients);
PeerMode boost_mode(const std::string& material, int order, const std::vector<double>& coefficients);

// On the function of [Luo2019] Table 2.
void add_scalar_peers(int order, const std::shared_ptr<const Points>& points, std::size_t evaluations,
                      std::vector<Contestant>& contestants);
Contestant adolc_contestant(int order, const std::shared_ptr<const Points>& points, std::size_t evaluations);
Contestant cppad_contestant(int order, const std::shared_ptr<const Points>& points, std::size_t evaluations);
Contestant boost_contestant(int order, const std::shared_ptr<const Points>& points, std::size_t evaluations);

}  // namespace holo::comparison
