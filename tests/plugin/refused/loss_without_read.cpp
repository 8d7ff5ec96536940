// refused: A loss needs its parameters
#include <holo/plugin/loss.h>

struct Still {
  Control control;
#ifndef HOLO_REFUSED
  static Still read(const LossReader& p) { return {p.control("control")}; }
#endif
  template <class S>
  void rows(const Observer<S>& observe, LossRows<S>& rows) const {
    rows.add(observe.control_rate(control), S(1.0));
  }
};
HOLO_LOSS(Still, "still", "has no parameters")
