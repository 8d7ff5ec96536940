// ADOL-C: a tape that is recorded once and read for every element or point, as the paper's authors used it.
#include "timing/peers.h"

#ifdef HOLO_COMPARISON_ADOLC
#include <adolc/adolc.h>

#include <algorithm>
#include <atomic>
#include <memory>
#include <utility>

#include "timing/peer_functions.h"

namespace holo::comparison {
namespace {

// A tape of ADOL-C, known by a number that nobody else has. Recorded at its first use.
class AdolcTape {
 public:
  explicit AdolcTape(std::function<void(short tag)> record) : record_(std::move(record)) {}
  short tag() {
    if (tag_ < 0) {
      static std::atomic<short> next = 100;  // below are the benchmarks'
      record_(tag_ = next++);
    }
    return tag_;
  }

 private:
  std::function<void(short)> record_;
  short tag_ = -1;
};

void record_energy(short tag, const std::string& material, const std::vector<double>& coefficients) {
  static constexpr double start[9] = {1.1, 0.1, 0, 0, 1, 0, 0, 0, 0.9};
  trace_on(tag);
  adouble entries[9];
  for (int k = 0; k < 9; ++k) entries[k] <<= start[k];
  double value = 0;
  adouble energy = peer_energy(material, entries, coefficients);
  energy >>= value;
  trace_off();
}

void record_quartic(short tag, double at) {
  trace_on(tag);
  adouble x, y;
  double value = 0;
  x <<= at;
  y = peer_quartic(x);
  y >>= value;
  trace_off();
}

}  // namespace

PeerMode adolc_mode(const std::string& material, int order, const std::vector<double>& coefficients) {
  const auto tape = std::make_shared<AdolcTape>([=](short tag) { record_energy(tag, material, coefficients); });
  if (order == 1)
    return {"adolc", "ADOL-C, tape reused, gradient()", [tape](const double* F, double* P) {
              double x[9];
              std::copy_n(F, 9, x);
              ::gradient(tape->tag(), 9, x, P);
            }};
  return {"adolc", "ADOL-C, tape reused, hessian()", [tape](const double* F, double* H) {
            double x[9], lower[9][9], *rows[9];
            std::copy_n(F, 9, x);
            for (int k = 0; k < 9; ++k) rows[k] = lower[k];
            ::hessian(tape->tag(), 9, x, rows);
            for (int i = 0; i < 9; ++i)
              for (int j = i; j < 9; ++j) *H++ = lower[j][i];
          }};
}

Contestant adolc_contestant(int order, const std::shared_ptr<const Points>& points, std::size_t evaluations) {
  const auto tape = std::make_shared<AdolcTape>([at = points->x.front()](short tag) { record_quartic(tag, at); });
  // Taylor coefficients along x + t.
  return at_points("adolc", "ADOL-C, tape reused, forward()", false, points, evaluations, [tape, order](double x) {
    double X[4] = {x, 1, 0, 0}, Y[4], *X_row = X, *Y_row = Y, factorial = 1;
    ::forward(tape->tag(), 1, 1, order, 0, &X_row, &Y_row);
    for (int k = 2; k <= order; ++k) factorial *= k;
    return factorial * Y[order];
  });
}

}  // namespace holo::comparison

#else

namespace holo::comparison {

namespace {
constexpr const char* missing = "not timed: ADOL-C (libadolc-dev) was not found when this was built";
}

PeerMode adolc_mode(const std::string&, int, const std::vector<double>&) { return {"adolc", missing, {}}; }
Contestant adolc_contestant(int, const std::shared_ptr<const Points>&, std::size_t) {
  return {"adolc", missing, false, {}, {}};
}

}  // namespace holo::comparison
#endif
