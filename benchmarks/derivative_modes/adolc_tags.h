#pragma once
// The numbers of ADOL-C's tapes, which are global.

namespace holo::benchmark {

inline constexpr short scalar_tag = 1, element_tag = 2, solve_graph_tag = 3;

}  // namespace holo::benchmark
