#pragma once
// The first, second and third derivative of exp(x) / (x^4 + x^2 + 1) at many points, in several codings.

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace holo::benchmark {

// derivatives[i] of the order that the kernel is for, at points[i].
using Kernel = void (*)(std::span<const double> points, std::span<double> derivatives);

struct Coding {
  std::string name;
  int order;
  Kernel run;
  enum class Role { hand_written, judged, reported } role;
};

std::vector<Coding> hand_written_codings();
std::vector<Coding> library_codings();  // by holo/diff

template <double (*f)(double)>
void each_point(std::span<const double> points, std::span<double> derivatives) {
  for (std::size_t i = 0; i < points.size(); ++i) derivatives[i] = f(points[i]);
}

}  // namespace holo::benchmark
