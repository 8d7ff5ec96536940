// refused: A loss needs its residuals
#include <holo/plugin/loss.h>

struct Still {
  Control control;
  static Still read(const LossReader& p) { return {p.control("control")}; }
#ifndef HOLO_REFUSED
  template <class S>
  void residuals(const Observer<S>& observe, LossResiduals<S>& residuals) const {
    residuals.add(observe.control_rate(control), S(1.0));
  }
#endif
};
HOLO_LOSS(Still, "still", "has no residuals")
