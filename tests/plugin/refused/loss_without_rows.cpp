// refused: A loss needs its rows
#include <holo/plugin/loss.h>

struct Still {
  Control control;
  static Still read(const LossReader& p) { return {p.control("control")}; }
#ifndef HOLO_REFUSED
  template <class S>
  void rows(const Observer<S>& observe, LossRows<S>& rows) const {
    rows.add(observe.control_rate(control), S(1.0));
  }
#endif
};
HOLO_LOSS(Still, "still", "has no rows")
