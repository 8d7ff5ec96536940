#pragma once
// Parts of a function that the tape does not keep: of a checkpointed part it holds the inputs and the result alone, and records
// it once more when the sweep reaches it. A loop of N steps of which each is a checkpoint takes the memory of one step and N
// states, and the time of a second evaluation. Checkpoints may contain checkpoints.
//
//   MatrixVariable<T> state = ...;
//   for (int step = 0; step < steps; ++step) state = checkpoint([=](const auto& x) { return advance(x); }, state);
//
// The part is a function of its inputs alone: it takes no variables from outside, its captures are numbers and pointers that
// stay as they are until the sweep, and both recordings do the same. Throws Error(internal) where that shows not to hold.
// Kinks are counted in the first recording. Factorizations are kept, and shared as elsewhere.

#include <cstring>
#include <utility>

#include "holo/diff/singular/kinks.h"
#include "holo/diff/tape/matrix_variable.h"

namespace holo {

namespace detail {

template <class T, class F>
struct Recording {
  TapeBlock *input, *output;

  // Runs the part on the empty tape.
  Recording(Tape<T>& tape, const F& part, const TapeBlock* x) : input(tape.block(x->rows, x->columns)) {
    std::copy_n(x->values, x->size() * Planes<T>::count, input->values);
    const MatrixVariable<T> result = part(MatrixVariable<T>(&tape, input));
    if (&result.tape() != &tape)
      throw Error(Failure::internal,
                  "a checkpointed function gave what another tape holds: it is a function of its argument alone, give it all "
                  "variables that it needs");
    output = result.block();
  }
  bool equals(const TapeBlock* z) const {
    return output->rows == z->rows && output->columns == z->columns &&
           std::memcmp(output->values, z->values, z->size() * Planes<T>::count * sizeof(double)) == 0;
  }
};

}  // namespace detail

// part: a matrix to a matrix.
template <class F, class T>
MatrixVariable<T> checkpoint(const F& part, const MatrixVariable<T>& x) {
  Tape<T>& tape = x.tape();
  TapeBlock* a = x.block();
  const std::size_t first = tape.next_result();
  Tape<T>& apart = tape.nested(first);
  const detail::Recording<T, F> recording(apart, part, a);
  TapeBlock* z = tape.block(recording.output->rows, recording.output->columns);
  std::copy_n(recording.output->values, z->size() * detail::Planes<T>::count, z->values);
  tape.set_next_result(apart.next_result());
  return detail::block_node(tape, z, [part, a, z, first](Tape<T>& t) {
    const KinkCounters counted = kink_counters();
    Tape<T>& again = t.nested(first);
    const detail::Recording<T, F> second(again, part, a);
    kink_counters() = counted;
    if (!second.equals(z))
      throw Error(Failure::internal,
                  "a checkpointed function gave another result when the sweep recorded it again: what it captures must stay as "
                  "it is until then");
    again.begin_sweep();
    detail::add_planes<T>(1.0, z->adjoints, z->size(), again.adjoint(second.output));
    again.sweep();
    if (second.input->adjoints != nullptr) detail::add_planes<T>(1.0, second.input->adjoints, a->size(), t.adjoint(a));
  });
}

// part: a std::span<const Variable<T>> to a Variable<T>, or to a std::vector of them; the result is of the same kind. At least
// one of the inputs is a variable of a tape.
template <class F, class T>
auto checkpoint(const F& part, std::span<const Variable<T>> inputs) {
  using Result = std::remove_cvref_t<decltype(part(inputs))>;
  const auto of_matrices = [part](const MatrixVariable<T>& x) {
    std::vector<Variable<T>> entries;
    for (int k = 0; k < x.rows(); ++k) entries.push_back(x(k));
    std::vector<Variable<T>> results;
    if constexpr (std::is_same_v<Result, Variable<T>>)
      results.push_back(part(std::span<const Variable<T>>(entries)));
    else
      results = part(std::span<const Variable<T>>(entries));
    for (Variable<T>& y : results) y = detail::on_tape(&x.tape(), y);
    return gather(results, int(results.size()));
  };
  const MatrixVariable<T> y = checkpoint(of_matrices, gather(inputs, int(inputs.size())));
  if constexpr (std::is_same_v<Result, Variable<T>>) {
    return y(0);
  } else {
    Result results;
    for (int k = 0; k < y.rows(); ++k) results.push_back(y(k));
    return results;
  }
}
template <class F, class T>
auto checkpoint(const F& part, const std::vector<Variable<T>>& inputs) {
  return checkpoint(part, std::span<const Variable<T>>(inputs));
}

}  // namespace holo
