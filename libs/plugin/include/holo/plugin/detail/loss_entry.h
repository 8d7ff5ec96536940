#pragma once
// A loss as a graph, which its `residuals` records, run over knots in lanes; and its registration.

#include <memory>
#include <vector>

#include "holo/diff/graph/derivative.h"
#include "holo/diff/graph/interpreter.h"
#include "holo/diff/lanes/lanes.h"
#include "holo/plugin/detail/entry.h"
#include "holo/plugin/detail/loss_traits.h"
#include "holo/plugin/observer.h"

namespace holo::plugin {

inline constexpr int loss_graph_capacity = 1 << 20;  // nodes

// The nodes of a recorded loss. Leaves: the observables z, then the data d.
struct LossGraph {
  holo::graph::Graph graph;
  int observable_count;                 // numbers in z
  std::vector<int> residuals, weights;  // of the same length
  std::vector<int> values;              // plain ones
  std::vector<int> distances;
  std::vector<int> measures;

  template <class L>
  LossGraph(const L& loss, const Observations& observations)
      : graph(observations.size + int(observations.data.size()), loss_graph_capacity), observable_count(observations.size) {
    using Recorded = holo::graph::Recorded;
    std::vector<Recorded> leaves;
    leaves.reserve(std::size_t(graph.size()));
    for (int k = 0; k < graph.size(); ++k) leaves.emplace_back(&graph, k);
    LossResiduals<Recorded> recorded;
    loss.residuals(Observer<Recorded>(observations, leaves.data(), leaves.data() + observable_count), recorded);
    for (const auto& term : recorded.weighted()) {
      residuals.push_back(term.residual.node_in(graph));
      weights.push_back(term.weight.node_in(graph));
    }
    for (const Recorded& value : recorded.values()) values.push_back(value.node_in(graph));
    for (const Recorded& distance : recorded.distances()) distances.push_back(distance.node_in(graph));
    for (const auto& measure : recorded.measures()) measures.push_back(measure.value.node_in(graph));
  }

  int sum_of_values() {
    int sum = holo::graph::zero;
    for (const int value : values) sum = graph.add(sum, value);
    return sum;
  }
  int total() {
    int sum = sum_of_values();
    for (std::size_t i = 0; i < residuals.size(); ++i)
      sum = graph.add(
          sum, graph.multiply(graph.multiply(graph.constant(0.5), weights[i]), graph.multiply(residuals[i], residuals[i])));
    return sum;
  }
  std::vector<int> gradient(int of) {
    std::vector<int> result(std::size_t(observable_count), holo::graph::zero);
    holo::graph::reverse(graph, of, {0, observable_count}, result.data());
    return result;
  }
  // Upper half by rows.
  std::vector<int> hessian(int of) {
    const std::vector<int> slopes = gradient(of);
    std::vector<int> result, row(slopes.size());
    for (int i = 0; i < observable_count; ++i) {
      holo::graph::tangent_of_leaf(graph, i, slopes.data() + i, observable_count - i, row.data());
      result.insert(result.end(), row.begin(), row.begin() + (observable_count - i));
    }
    return result;
  }
  std::vector<int> gauss_newton() {
    std::vector<int> result = hessian(sum_of_values());
    for (std::size_t r = 0; r < residuals.size(); ++r) {
      const std::vector<int> slopes = gradient(residuals[r]);
      std::size_t entry = 0;
      for (std::size_t i = 0; i < slopes.size(); ++i) {
        const int weighted = graph.multiply(weights[r], slopes[i]);
        for (std::size_t j = i; j < slopes.size(); ++j, ++entry)
          result[entry] = graph.add(result[entry], graph.multiply(weighted, slopes[j]));
      }
    }
    return result;
  }
};

// An instance: the observations, and a program for each operation.
struct LossPrograms {
  ListedLoss listed;
  std::vector<graph::Interpreter> operations;  // [HOLO_LOSS_OPERATION_COUNT]

  std::size_t largest() const {
    int nodes = 1;
    for (const graph::Interpreter& operation : operations)
      nodes = operation.counts().nodes > nodes ? operation.counts().nodes : nodes;
    return std::size_t(nodes);
  }
};

// Each operation has a graph of its own, so that none evaluates nodes of another.
template <class L>
LossPrograms compile_loss(const L& loss) {
  LossPrograms programs;
  programs.listed = list_loss(loss);
  for (int operation = 0; operation < HOLO_LOSS_OPERATION_COUNT; ++operation) {
    LossGraph recorded(loss, programs.listed.observations);
    std::vector<int> outputs;
    switch (operation) {
      case HOLO_LOSS_VALUE:
        outputs = {recorded.total()};
        break;
      case HOLO_LOSS_GRADIENT:
        outputs = recorded.gradient(recorded.total());
        break;
      case HOLO_LOSS_HESSIAN:
        outputs = recorded.hessian(recorded.total());
        break;
      case HOLO_LOSS_GAUSS_NEWTON:
        outputs = recorded.gauss_newton();
        break;
      case HOLO_LOSS_DISTANCES:
        outputs = recorded.distances;
        break;
      default:
        outputs = recorded.measures;
    }
    if (recorded.graph.overflowed())
      throw std::length_error("the graph of its derivatives has over " + std::to_string(loss_graph_capacity) +
                              " operations; split the loss");
    programs.operations.emplace_back(recorded.graph, outputs);
  }
  return programs;
}

inline void run_loss(const LossPrograms& programs, std::uint32_t operation, const holo_loss_batch& batch) {
  const graph::Interpreter& program = programs.operations.at(operation);
  const std::size_t observables = std::size_t(programs.listed.observations.size),
                    data = programs.listed.observations.data.size(), outputs = std::size_t(program.output_count()),
                    width = LaneBlock::width;
  thread_local std::vector<LaneBlock> values;
  if (values.size() < programs.largest()) values.resize(programs.largest());
  for (std::uint64_t block = 0; block < batch.block_count; ++block) {
    const double* z = batch.observables + block * observables * width;
    const double* d = batch.data + block * data * width;
    double* to = batch.output + block * outputs * width;
    program.run(
        values.data(),
        [&](int k) {
          const std::size_t leaf = std::size_t(k);
          return LaneBlock::load(leaf < observables ? z + leaf * width : d + (leaf - observables) * width);
        },
        [&](int i, const LaneBlock& value) { value.store(to + std::size_t(i) * width); });
  }
}

template <class L>
int create_loss(const holo_parameter_reader* reader, holo_loss_instance** instance, holo_error* error) noexcept {
  return guarded(error, "create", [&] {
    auto programs = std::make_unique<LossPrograms>(compile_loss(L::read(LossReader(reader))));
    *instance = reinterpret_cast<holo_loss_instance*>(programs.release());
    return 0;
  });
}

inline void destroy_loss(holo_loss_instance* instance) noexcept { delete reinterpret_cast<LossPrograms*>(instance); }

inline void describe_loss(const holo_loss_instance* instance, holo_loss_description* description) noexcept {
  *description = reinterpret_cast<const LossPrograms*>(instance)->listed.description();
}

inline int run_loss_operation(const holo_loss_instance* instance, std::uint32_t operation, const holo_loss_batch* batch,
                              holo_error* error) noexcept {
  return guarded(error, "run", [&] {
    run_loss(*reinterpret_cast<const LossPrograms*>(instance), operation, *batch);
    return 0;
  });
}

template <class L>
int enter_loss(const char* name, const char* summary, const holo_stamp* host, const holo_registrar* registrar,
               holo_error* error) noexcept {
  return guarded(error, name, [&] {
    if (!same_stamp(host, error)) return 1;
    if constexpr (check_loss<L>()) {
      static const holo_loss loss = {HOLO_STAMP,     name,         summary,       loss_documentation<L>(),
                                     create_loss<L>, destroy_loss, describe_loss, run_loss_operation};
      return registrar->add_loss(registrar->self, &loss, error);
    }
    return 1;
  });
}

}  // namespace holo::plugin
