#include "timing/peers.h"

namespace holo::comparison {

std::vector<PeerMode> peer_modes(const std::string& material, int order, const std::vector<double>& coefficients) {
  if (material != "stvk" && material != "neo_hookean_paper") return {};
  return {adolc_mode(material, order, coefficients), cppad_mode(material, order, coefficients),
          boost_mode(material, order, coefficients)};
}

void add_scalar_peers(int order, const std::shared_ptr<const Points>& points, std::size_t evaluations,
                      std::vector<Contestant>& contestants) {
  contestants.push_back(adolc_contestant(order, points, evaluations));
  contestants.push_back(cppad_contestant(order, points, evaluations));
  contestants.push_back(boost_contestant(order, points, evaluations));
}

}  // namespace holo::comparison
