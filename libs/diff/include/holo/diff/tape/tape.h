#pragma once
// A tape: the operations of one evaluation, in order, from which the reverse sweep finds the derivatives of a result with
// respect to everything before it. Generic in its scalar T: over double it gives a gradient; over nilpotent numbers each
// adjoint carries derivatives of the gradient along the directions of the inputs, hence columns of the Hessian [Shen2024, 5]:
//
//   Tape<Nilpotent<1>> tape;
//   Variable x = tape.variable(Nilpotent<1>::seed(1.0, {1.0})), y = tape.variable(2.0);
//   Variable f = x * x + y * y;
//   tape.reverse(f);
//   tape.adjoint(x);                // 2 + 2 eps: df/dx and d2f/dx2
//
// T: double, Nilpotent<n>, Nilpotent<n, double, lanes or Directions>, Complex<double>. All adjoint rules are the real rules in
// the algebra of T, with transposes and never conjugates. Constants are not taped. The tape is recorded anew for every
// evaluation (its branches follow real parts), and clear() keeps the memory. Partial derivatives are computed in the sweep from
// stored values: 9 + 2 sizeof(T) bytes for a scalar operation. Long loops need not be kept whole: holo/diff/tape/checkpoint.h.
//
// A tape belongs to one thread at a time.

#include <memory>
#include <span>
#include <vector>

#include "holo/core/error.h"
#include "holo/diff/tape/arena.h"
#include "holo/diff/tape/factor_pool.h"
#include "holo/diff/tape/plane_algebra.h"
#include "holo/diff/tape/scalar_operations.h"

namespace holo {

template <class T>
class Variable;

// A matrix on a tape, by columns, as one real matrix for each coefficient of T ("plane").
struct TapeBlock {
  int rows = 0, columns = 0;
  double* values = nullptr;    // [planes][columns][rows]
  double* adjoints = nullptr;  // the same, once an adjoint came in
  std::uint32_t number = 0;    // among the tape's blocks
  std::size_t size() const { return std::size_t(rows) * std::size_t(columns); }
};

template <class T>
class Tape {
 public:
  using Scalar = T;
  using Index = std::uint32_t;
  using Operation = detail::TapeOperation;
  static_assert(std::is_trivially_destructible_v<T>, "a tape holds numbers without memory of their own");

  // Factorizations may be shared between tapes that record the same function at the same point (holo/diff/tape/factor_pool.h).
  explicit Tape(std::shared_ptr<FactorPool> shared = nullptr)
      : owns_pool_(!shared), pool_(shared ? std::move(shared) : std::make_shared<FactorPool>()) {}
  Tape(const Tape&) = delete;
  Tape& operator=(const Tape&) = delete;

  void clear() {
    size_ = 0;
    constants_.clear();
    blocks_.clear();
    nodes_.clear();
    memory_.clear();
    next_result_ = 0;
    if (owns_pool_) pool_->renew();
  }
  std::size_t size() const { return size_; }
  // Bytes that the tape holds, with the tape on which it records parts again: they grow to the largest recording and stay.
  std::size_t memory() const {
    return chunks_.size() * sizeof(Chunk) + memory_.size() + adjoint_memory_.size() + (nested_ ? nested_->memory() : 0);
  }

  // An input.
  Variable<T> variable(const T& value) { return {this, record(Operation::leaf, 0, 0, value)}; }

  const T& value(Index i) const { return chunk(i).values[i % chunk_size]; }
  // Zero where nothing came in since the last sweep began.
  T adjoint(Index i) const { return touched(i) ? chunk(i).adjoints[i % chunk_size] : T(0.0); }
  T adjoint(const Variable<T>& x) const { return x.tape() == this ? adjoint(x.index()) : T(0.0); }

  // Sweeps from the result back to the inputs, with the given adjoint of the result.
  void reverse(const Variable<T>& result, const T& seed = T(1.0)) {
    begin_sweep();
    if (result.tape() == nullptr) return;
    accumulate(result.index(), seed);
    sweep();
  }
  // For several results: begin_sweep(), accumulate() each, sweep().
  void begin_sweep() {
    for (Index i = 0; i < size_; ++i) chunk(i).operations[i % chunk_size] &= ~touched_bit;
    for (TapeBlock* block : blocks_) block->adjoints = nullptr;
    adjoint_memory_.clear();
  }
  void accumulate(Index i, const T& amount) {
    Chunk& c = chunk(i);
    const Index k = i % chunk_size;
    if (c.operations[k] & touched_bit) {
      c.adjoints[k] = c.adjoints[k] + amount;
    } else {
      c.adjoints[k] = amount;
      c.operations[k] |= touched_bit;
    }
  }
  bool touched(Index i) const { return chunk(i).operations[i % chunk_size] & touched_bit; }
  void sweep() {
    for (Index i = Index(size_); i-- > 0;) step_back(i);
  }

  // For the operations on scalars.
  Index record(Operation operation, Index a, Index b, const T& value) {
    if (size_ == chunks_.size() * chunk_size) chunks_.push_back(std::make_unique<Chunk>());
    const Index i = Index(size_++), k = i % chunk_size;
    Chunk& c = chunk(i);
    c.values[k] = value;
    c.first[k] = a;
    c.second[k] = b;
    c.operations[k] = std::uint8_t(operation);
    return i;
  }
  Index constant(double value) {
    constants_.push_back(value);
    return Index(constants_.size() - 1);
  }

  // For matrix-level nodes. A block's memory lasts until clear().
  TapeBlock* block(int rows, int columns) {
    auto* b = new (memory_.allocate(sizeof(TapeBlock))) TapeBlock{rows, columns, nullptr, nullptr, Index(blocks_.size())};
    b->values = memory_.doubles(b->size() * detail::Planes<T>::count);
    blocks_.push_back(b);
    return b;
  }
  // Zeroed at the first call in a sweep.
  double* adjoint(TapeBlock* b) {
    if (b->adjoints == nullptr) {
      const std::size_t count = b->size() * detail::Planes<T>::count;
      b->adjoints = adjoint_memory_.doubles(count);
      std::fill_n(b->adjoints, count, 0.0);
    }
    return b->adjoints;
  }
  double* zeros(std::size_t count) {
    double* result = memory_.doubles(count);
    std::fill_n(result, count, 0.0);
    return result;
  }
  double* scratch(std::size_t count) { return adjoint_memory_.doubles(count); }  // until the sweep ends
  double* kept(std::size_t count) { return memory_.doubles(count); }             // until clear()
  Index entry(TapeBlock* b, std::size_t offset) {
    if (b->number >= blocks_.size() || blocks_[b->number] != b)
      throw Error(Failure::internal, "an entry was asked of a block that this tape does not hold");
    return record(Operation::entry, b->number, Index(offset), detail::Planes<T>::join(b->values + offset, b->size()));
  }
  // adjoint(tape) runs in the sweep, after all that was recorded later. It is kept in the tape's memory, so it holds pointers,
  // blocks and numbers only.
  template <class Adjoint>
  void node(const Adjoint& adjoint_rule) {
    static_assert(std::is_trivially_destructible_v<Adjoint>, "a node's rule lives in the arena: capture pointers and numbers");
    void* memory = memory_.allocate(sizeof(Adjoint));
    new (memory) Adjoint(adjoint_rule);
    nodes_.push_back({memory, [](const void* rule, Tape& tape) { (*static_cast<const Adjoint*>(rule))(tape); }});
    record(Operation::node, Index(nodes_.size() - 1), 0, T(0.0));
  }
  // The next result of this recording that depends on the value alone, made by `make` unless another tape of the pool has made
  // it already: a factorization, or anything else. It lasts until the pool is renewed.
  template <class Make>
  const RealFactorization* factor(std::span<const double> matrix, const Make& make) {
    return pool_->factorization(next_result_++, matrix, make);
  }
  template <class Product, class Make>
  const Product* result_of_value(std::span<const double> values, const Make& make) {
    return pool_->get<Product>(next_result_++, values, make);
  }
  // For parts of a function that are recorded apart, and again in the sweep: an empty tape whose results of values are those of
  // this tape's pool from number `first` on.
  Tape& nested(std::size_t first) {
    if (!nested_) nested_ = std::make_unique<Tape>(pool_);
    nested_->clear();
    nested_->next_result_ = first;
    return *nested_;
  }
  std::size_t next_result() const { return next_result_; }
  void set_next_result(std::size_t number) { next_result_ = number; }

 private:
  static constexpr std::size_t chunk_size = 1024;
  static constexpr std::uint8_t touched_bit = 0x80;
  struct Chunk {
    T values[chunk_size], adjoints[chunk_size];
    Index first[chunk_size], second[chunk_size];
    std::uint8_t operations[chunk_size];
  };
  struct Node {
    const void* rule;
    void (*run)(const void*, Tape&);
  };

  Chunk& chunk(Index i) { return *chunks_[i / chunk_size]; }
  const Chunk& chunk(Index i) const { return *chunks_[i / chunk_size]; }

  void step_back(Index i) {
    const Chunk& c = chunk(i);
    const Index k = i % chunk_size;
    const auto operation = Operation(c.operations[k] & ~touched_bit);
    if (operation == Operation::node) {
      const Node& n = nodes_[c.first[k]];
      n.run(n.rule, *this);
      return;
    }
    // Nodes on which the result does not depend are skipped, so that an infinite slope in a branch not taken has no effect.
    if (operation == Operation::leaf || !(c.operations[k] & touched_bit)) return;
    if (operation == Operation::entry) {
      TapeBlock* b = blocks_[c.first[k]];
      detail::Planes<T>::add(c.adjoints[k], adjoint(b) + c.second[k], b->size());
    } else if (operation >= Operation::add && operation <= Operation::hypot) {
      step_back_binary(operation, c.first[k], c.second[k], c.values[k], c.adjoints[k]);
    } else {
      step_back_unary(operation, c.first[k], c.second[k], c.values[k], c.adjoints[k]);
    }
  }
  void step_back_unary(Operation operation, Index a, Index constant, const T& z, const T& zbar) {
    if (operation == Operation::identity)
      accumulate(a, zbar);
    else if (operation == Operation::negate)
      accumulate(a, -zbar);
    else if (operation == Operation::scale)
      accumulate(a, constants_[constant] * zbar);
    else
      accumulate(a, zbar * detail::unary_partial(operation, value(a), z, constants_.empty() ? 0.0 : constants_[constant]));
  }
  void step_back_binary(Operation operation, Index a, Index b, const T& z, const T& zbar) {
    const T &x = value(a), &y = value(b);
    switch (operation) {
      case Operation::add:
        accumulate(a, zbar);
        return accumulate(b, zbar);
      case Operation::subtract:
        accumulate(a, zbar);
        return accumulate(b, -zbar);
      case Operation::multiply:
        accumulate(a, zbar * y);
        return accumulate(b, zbar * x);
      case Operation::divide: {
        const T slope = zbar / y;
        accumulate(a, slope);
        return accumulate(b, -(slope * z));
      }
      case Operation::power:
        accumulate(a, zbar * (y * pow(x, T(y - 1.0))));
        // 0^y is 0 for all y > 0: the logarithm does not come into it.
        return accumulate(b, detail::real_part(x) == 0.0 && detail::real_part(y) > 0.0 ? T(0.0) : T(zbar * (z * log(x))));
      case Operation::atan2: {  // of (y, x), here named x and y
        const T h = hypot(x, y), scale = zbar / h;
        const detail::DirectionCosines<T> direction(x, y, h);
        accumulate(a, scale * direction.y);
        return accumulate(b, -(scale * direction.x));
      }
      default: {  // hypot
        const detail::DirectionCosines<T> direction(x, y, z);
        accumulate(a, zbar * direction.x);
        accumulate(b, zbar * direction.y);
      }
    }
  }

  std::size_t size_ = 0;
  std::vector<std::unique_ptr<Chunk>> chunks_;
  std::vector<double> constants_;
  std::vector<TapeBlock*> blocks_;
  std::vector<Node> nodes_;
  detail::Arena memory_, adjoint_memory_;
  bool owns_pool_;
  std::shared_ptr<FactorPool> pool_;
  std::size_t next_result_ = 0;
  std::unique_ptr<Tape> nested_;
};

}  // namespace holo

#include "holo/diff/tape/variable.h"
