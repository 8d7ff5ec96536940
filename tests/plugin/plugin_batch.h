#pragma once
// What the tests of every kind of plugin are made of: numbers, answers to a plugin's `read`, blocks of lanes.

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

#include "holo/core/abi.h"

namespace holo {

// Numbers in [0, 1) that are the same in every run.
class Sequence {
 public:
  double next() {
    state_ = state_ * 6364136223846793005u + 1442695040888963407u;
    return double(state_ >> 11) / 9007199254740992.0;
  }

 private:
  std::uint64_t state_ = 42;
};

// Answers a plugin's `read` with values inside the allowed ranges, `position` of the way through each, and notes what was
// asked.
class SampleReader {
 public:
  struct Request {
    std::string name;
    double value;  // the first
  };

  explicit SampleReader(double position, int direction = -1) : position_(position), direction_(direction) {}

  // One parameter's value is replaced.
  void replace(const std::string& name, double value) { replaced_ = {name, value}; }

  holo_parameter_reader abi() {
    return {sizeof(holo_parameter_reader), this,
            [](void* self, const holo_parameter* request, double* values, double* tangents) {
              static_cast<SampleReader*>(self)->answer(*request, values, tangents);
            }};
  }
  const std::vector<Request>& requests() const { return requests_; }
  double value(const std::string& name) const {
    for (const Request& request : requests_)
      if (request.name == name) return request.value;
    return std::nan("");
  }

 private:
  void answer(const holo_parameter& request, double* values, double* tangents) {
    if (request.kind == HOLO_PARAMETER_SUBJECT || request.kind == HOLO_PARAMETER_SIGNAL) {
      values[0] = double(requests_.size());  // numbers of things, all different
      requests_.push_back({request.name, values[0]});
      return;
    }
    const bool vector = request.kind == HOLO_PARAMETER_VECTOR3 || request.kind == HOLO_PARAMETER_DIRECTION;
    const double sample[] = {2 + position_, -1, 2};
    for (int i = 0; i < (vector ? 3 : 1); ++i) values[i] = vector ? sample[i] : number(request);
    if (replaced_.name == request.name) values[0] = replaced_.value;
    if (tangents != nullptr) {
      const bool differentiable = request.kind == HOLO_PARAMETER_NUMBER || vector;
      for (int i = 0; i < (vector ? 3 : 1); ++i) tangents[i] = 0;
      if (differentiable && int(requests_.size()) == direction_) tangents[0] = 1;
    }
    requests_.push_back({request.name, values[0]});
  }

  double number(const holo_parameter& request) const {
    if (request.kind != HOLO_PARAMETER_NUMBER) return request.has_default ? request.default_value[0] : 0;
    if (std::isfinite(request.minimum) && std::isfinite(request.maximum))
      return request.minimum + position_ * (request.maximum - request.minimum);
    if (request.has_default) return request.default_value[0] * (0.5 + position_);
    if (std::isfinite(request.minimum)) return request.minimum + 1 + position_;
    // One after the other, so that a minimum is below the maximum that is asked for after it.
    return std::isfinite(request.maximum) ? request.maximum - 1 - position_ : position_ + 2 * double(requests_.size());
  }

  double position_;
  int direction_;
  Request replaced_ = {"", 0};
  std::vector<Request> requests_;
};

class Blocks {
 public:
  static constexpr std::size_t width = HOLO_LANE_WIDTH;

  // `rows` numbers for each element; a last block that is not full holds copies of the first element.
  template <class Entry>
  Blocks(std::size_t elements, std::size_t rows, Entry&& entry) : Blocks(elements, rows) {
    for (std::size_t e = 0; e < block_count() * width; ++e)
      for (std::size_t r = 0; r < rows; ++r) at(e, r) = entry(e < elements ? e : 0, r);
  }
  Blocks(std::size_t elements, std::size_t rows)
      : rows_(rows), block_count_((elements + width - 1) / width), data_(allocate(block_count_ * rows * width + 1)) {}

  std::size_t block_count() const { return block_count_; }
  double* data() { return data_.get(); }
  double& at(std::size_t element, std::size_t row) { return data_[(element / width * rows_ + row) * width + element % width]; }

 private:
  struct Free {
    void operator()(double* p) const { std::free(p); }
  };
  static std::unique_ptr<double[], Free> allocate(std::size_t count) {
    const std::size_t bytes = (count * sizeof(double) + HOLO_BLOCK_ALIGNMENT - 1) / HOLO_BLOCK_ALIGNMENT * HOLO_BLOCK_ALIGNMENT;
    return std::unique_ptr<double[], Free>(static_cast<double*>(std::aligned_alloc(HOLO_BLOCK_ALIGNMENT, bytes)));
  }

  std::size_t rows_, block_count_;
  std::unique_ptr<double[], Free> data_;
};

}  // namespace holo
