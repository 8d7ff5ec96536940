#pragma once
// A body energy as graphs, which its functions record: one of the quantities, interpreted for one body, and one of the density,
// run over elements in lanes; and its registration.

#include <memory>
#include <vector>

#include "holo/diff/graph/derivative.h"
#include "holo/diff/graph/interpreter.h"
#include "holo/diff/lanes/lanes.h"
#include "holo/plugin/detail/body_energy_traits.h"
#include "holo/plugin/detail/entry.h"

namespace holo::plugin {

inline constexpr int body_energy_graph_capacity = 1 << 20;  // nodes

using Nodes = std::vector<int>;

inline Nodes gradient_nodes(graph::Graph& graph, int of, graph::Range leaves) {
  Nodes result(std::size_t(leaves.size()), graph::zero);
  graph::reverse(graph, of, leaves, result.data());
  return result;
}
// Upper half by rows.
inline Nodes hessian_nodes(graph::Graph& graph, const Nodes& slopes, int first_leaf) {
  Nodes result, row(slopes.size());
  const int n = int(slopes.size());
  for (int i = 0; i < n; ++i) {
    graph::tangent_of_leaf(graph, first_leaf + i, slopes.data() + i, n - i, row.data());
    result.insert(result.end(), row.begin(), row.begin() + (n - i));
  }
  return result;
}
inline void append(Nodes& nodes, const Nodes& more) { nodes.insert(nodes.end(), more.begin(), more.end()); }

inline graph::Interpreter compiled(const graph::Graph& graph, const Nodes& outputs) {
  if (graph.overflowed())
    throw std::length_error("the graph of its derivatives has over " + std::to_string(body_energy_graph_capacity) +
                            " operations; split the energy");
  return {graph, outputs};
}

inline std::vector<graph::Recorded> leaves_of(graph::Graph& graph) {
  std::vector<graph::Recorded> leaves;
  leaves.reserve(std::size_t(graph.size()));
  for (int k = 0; k < graph.size(); ++k) leaves.emplace_back(&graph, k);
  return leaves;
}

// The quantities, their derivatives do/dz [no][nz], and d2(w . o)/dz2 [nz][nz]. Leaves: z, its values at the start, and w.
template <class E>
graph::Interpreter compile_quantities(const E& energy, const Observations& observations) {
  const int nz = observations.size, no = quantity_count<E>;
  graph::Graph graph(2 * nz + no, body_energy_graph_capacity);
  const std::vector<graph::Recorded> leaves = leaves_of(graph);
  const Observer<graph::Recorded> now(observations, leaves.data(), nullptr), start(observations, leaves.data() + nz, nullptr);
  const auto recorded = quantities_at<E>(energy, now, start);
  Nodes outputs, jacobian;
  int weighted = graph::zero;
  for (int i = 0; i < no; ++i) {
    const int node = recorded[std::size_t(i)].node_in(graph);
    outputs.push_back(node);
    append(jacobian, gradient_nodes(graph, node, {0, nz}));
    weighted = graph.add(weighted, graph.multiply(2 * nz + i, node));
  }
  append(outputs, jacobian);
  const Nodes slopes = gradient_nodes(graph, weighted, {0, nz});
  for (int i = 0; i < nz; ++i) {
    Nodes row(slopes.size());
    graph::tangent_of_leaf(graph, i, slopes.data(), nz, row.data());
    append(outputs, row);
  }
  return compiled(graph, outputs);
}

// One operation of the density. Leaves: F [9], the quantities, the targets [target][9].
template <class E>
graph::Interpreter compile_density(const E& energy, const ListedBodyEnergy& listed, int operation) {
  const int no = quantity_count<E>;
  graph::Graph graph(9 + no + 9 * int(listed.targets.size()), body_energy_graph_capacity);
  const std::vector<graph::Recorded> leaves = leaves_of(graph);
  const Targets<graph::Recorded> targets(listed.targets, leaves.data() + 9 + no);
  const int density = density_at<E>(energy, leaves.data(), leaves.data() + 9, targets).node_in(graph);
  if (operation == HOLO_BODY_ENERGY_DENSITY) return compiled(graph, {density});
  const Nodes in_F = gradient_nodes(graph, density, {0, 9}), in_o = gradient_nodes(graph, density, {9, 9 + no});
  Nodes outputs;
  if (operation == HOLO_BODY_ENERGY_GRADIENT) {
    outputs = in_F;
    append(outputs, in_o);
    return compiled(graph, outputs);
  }
  outputs = hessian_nodes(graph, in_F, 0);
  for (int i = 0; i < no; ++i) {
    Nodes row(9);
    graph::tangent_of_leaf(graph, 9 + i, in_F.data(), 9, row.data());
    append(outputs, row);
  }
  append(outputs, hessian_nodes(graph, in_o, 9));
  return compiled(graph, outputs);
}

// An instance.
struct BodyEnergyPrograms {
  ListedBodyEnergy listed;
  graph::Interpreter quantities;
  std::vector<graph::Interpreter> operations;  // [HOLO_BODY_ENERGY_OPERATION_COUNT]
};

template <class E>
std::unique_ptr<BodyEnergyPrograms> compile_body_energy(const E& energy) {
  ListedBodyEnergy listed = list_body_energy(energy);
  graph::Interpreter quantities = compile_quantities(energy, listed.observations);
  auto programs = std::make_unique<BodyEnergyPrograms>(BodyEnergyPrograms{std::move(listed), std::move(quantities), {}});
  for (int operation = 0; operation < HOLO_BODY_ENERGY_OPERATION_COUNT; ++operation)
    programs->operations.push_back(compile_density(energy, programs->listed, operation));
  return programs;
}

inline void run_quantities(const BodyEnergyPrograms& programs, const double* z, const double* start, const double* w, double* o,
                           double* jacobian, double* hessian) {
  const int nz = programs.listed.observations.size, no = int(programs.listed.quantities.size());
  std::vector<double> values(std::size_t(programs.quantities.counts().nodes) + 1);
  programs.quantities.run(
      values.data(), [&](int k) { return k < nz         ? z[k]
                                         : k < 2 * nz   ? start[k - nz]
                                         : w != nullptr ? w[k - 2 * nz]
                                                        : 0.0; },
      [&](int i, double value) {
        if (i < no)
          o[i] = value;
        else if (i < no + no * nz) {
          if (jacobian != nullptr) jacobian[i - no] = value;
        } else if (hessian != nullptr) {
          hessian[i - no - no * nz] = value;
        }
      });
}

inline void run_density(const BodyEnergyPrograms& programs, std::uint32_t operation, const holo_body_energy_batch& batch) {
  const graph::Interpreter& program = programs.operations.at(operation);
  const std::size_t targets = 9 * programs.listed.targets.size(), outputs = std::size_t(program.output_count()),
                    width = LaneBlock::width;
  const int no = int(programs.listed.quantities.size());
  thread_local std::vector<LaneBlock> values;
  if (values.size() <= std::size_t(program.counts().nodes)) values.resize(std::size_t(program.counts().nodes) + 1);
  for (std::uint64_t block = 0; block < batch.block_count; ++block) {
    const double* F = batch.deformation_gradient + block * 9 * width;
    const double* T = batch.targets + block * targets * width;
    double* to = batch.output + block * outputs * width;
    program.run(
        values.data(),
        [&](int k) {
          if (k < 9) return LaneBlock::load(F + std::size_t(k) * width);
          if (k < 9 + no) return LaneBlock(batch.quantities[k - 9]);
          return LaneBlock::load(T + std::size_t(k - 9 - no) * width);
        },
        [&](int i, const LaneBlock& value) { value.store(to + std::size_t(i) * width); });
  }
}

template <class E>
int create_body_energy(const holo_parameter_reader* reader, holo_body_energy_instance** instance, holo_error* error) noexcept {
  return guarded(error, "create", [&] {
    *instance = reinterpret_cast<holo_body_energy_instance*>(compile_body_energy(E::read(BodyEnergyReader(reader))).release());
    return 0;
  });
}

inline void destroy_body_energy(holo_body_energy_instance* instance) noexcept {
  delete reinterpret_cast<BodyEnergyPrograms*>(instance);
}

inline void describe_body_energy(const holo_body_energy_instance* instance,
                                 holo_body_energy_description* description) noexcept {
  *description = reinterpret_cast<const BodyEnergyPrograms*>(instance)->listed.description();
}

inline int run_body_quantities(const holo_body_energy_instance* instance, const double* z, const double* start, const double* w,
                               double* o, double* jacobian, double* hessian, holo_error* error) noexcept {
  return guarded(error, "quantities", [&] {
    run_quantities(*reinterpret_cast<const BodyEnergyPrograms*>(instance), z, start, w, o, jacobian, hessian);
    return 0;
  });
}

inline int run_body_energy(const holo_body_energy_instance* instance, std::uint32_t operation,
                           const holo_body_energy_batch* batch, holo_error* error) noexcept {
  return guarded(error, "run", [&] {
    run_density(*reinterpret_cast<const BodyEnergyPrograms*>(instance), operation, *batch);
    return 0;
  });
}

template <class E>
int enter_body_energy(const char* name, const char* summary, const holo_stamp* host, const holo_registrar* registrar,
                      holo_error* error) noexcept {
  return guarded(error, name, [&] {
    if (!same_stamp(host, error)) return 1;
    if constexpr (check_body_energy<E>()) {
      static const holo_body_energy energy = {HOLO_STAMP,
                                              name,
                                              summary,
                                              body_energy_documentation<E>(),
                                              create_body_energy<E>,
                                              destroy_body_energy,
                                              describe_body_energy,
                                              run_body_quantities,
                                              run_body_energy};
      return registrar->add_body_energy(registrar->self, &energy, error);
    }
    return 1;
  });
}

}  // namespace holo::plugin
