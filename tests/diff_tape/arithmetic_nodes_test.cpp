#include "diff_tape/nodes.h"

namespace holo::test {
namespace {

const std::vector<int> places{2, 0, 2, 5};

}  // namespace

std::vector<Node> arithmetic_nodes() {
  return {HOLO_NODE(6, Gather, gather(x, 3, 2)),
          HOLO_NODE(12, Dot, dot(gather(x.first(6), 6), gather(x.last(6), 6))),
          HOLO_NODE(7, SquaredNorm, squared_norm(gather(x, 7))),
          HOLO_NODE(7, Norm, norm(gather(x, 7))),
          HOLO_NODE(5, Normalize, normalize(gather(x, 5))),
          HOLO_NODE(18, Product, gather(x.first(6), 2, 3) * gather(x.last(12), 3, 4)),
          HOLO_NODE(8, ConstantTimesMatrix, matrix(3, 4, 7) * gather(x, 4, 2)),
          HOLO_NODE(6, MatrixTimesConstant, gather(x, 2, 3) * matrix(3, 4, 7)),
          HOLO_NODE(8, Sum, gather(x.first(4), 2, 2) + gather(x.last(4), 2, 2)),
          HOLO_NODE(8, Difference, gather(x.first(4), 2, 2) - gather(x.last(4), 2, 2)),
          HOLO_NODE(7, NumberTimesMatrix, x[0] * gather(x.last(6), 2, 3)),
          HOLO_NODE(9, Trace, trace(gather(x, 3, 3))),
          HOLO_NODE(12, TraceOfProduct, trace_of_product(matrix(3, 4, 7), gather(x, 4, 3))),
          HOLO_NODE(12, SumOfEntries, sum(gather(x, 4, 3))),
          HOLO_NODE(6, Cross, cross(gather(x.first(3), 3), gather(x.last(3), 3))),
          HOLO_NODE(7, Outer, outer(gather(x.first(3), 3), gather(x.last(4), 4))),
          HOLO_NODE(12, Block, block(gather(x, 4, 3), 1, 1, 2, 2)),
          HOLO_NODE(6, Transpose, transpose(gather(x, 2, 3))),
          HOLO_NODE(4, ScatterAdd, scatter_add(gather(x, 4), places, 3, 2)),
          HOLO_NODE(6, GatherEntries, gather_entries(gather(x, 3, 2), places, 4))};
}

}  // namespace holo::test
