#pragma once
// The error of tensor functions, with a kind by which a caller distinguishes a singular matrix from a wrong call.

#include <string>

#include "holo/core/error.h"

namespace holo {

class TensorError : public Error {
 public:
  enum class Kind {
    empty,                  // no rows or no columns
    dimension_mismatch,     // shapes or sets of derivatives differ
    not_finite,             // an entry of the input is NaN or infinite; index: its row
    not_symmetric,          // index: the row of the worst entry
    singular,               // index: the row whose pivot vanished, or -1
    not_positive_definite,  // index: the row whose pivot is not positive, or -1
    repeated_eigenvalue,    // a simple eigenvalue is required; index: its number in increasing order, or -1
    no_eigenpair            // A v = lambda v does not hold
  };
  static constexpr std::ptrdiff_t unknown = -1;

  TensorError(Kind kind, std::ptrdiff_t index, const std::string& text)
      : Error(Failure::input, text), kind_(kind), index_(index) {}
  Kind kind() const { return kind_; }
  std::ptrdiff_t index() const { return index_; }

 private:
  Kind kind_;
  std::ptrdiff_t index_;
};

}  // namespace holo
