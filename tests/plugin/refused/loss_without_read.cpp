// refused: A loss needs its parameters
#include <holo/plugin/loss.h>

struct Still {
  Control control;
#ifndef HOLO_REFUSED
  static Still read(const LossReader& p) { return {p.control("control")}; }
#endif
  template <class S>
  void residuals(const Observer<S>& observe, LossResiduals<S>& residuals) const {
    residuals.add(observe.control_rate(control), S(1.0));
  }
};
HOLO_LOSS(Still, "still", "has no parameters")
