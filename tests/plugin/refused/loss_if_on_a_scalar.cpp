// refused: write select(condition, a, b) instead of if
#include <holo/plugin/loss.h>

struct Forward {
  Control control;
  static Forward read(const LossReader& p) { return {p.control("control")}; }
  template <class S>
  void rows(const Observer<S>& observe, LossRows<S>& rows) const {
    const S rate = observe.control_rate(control);
#ifdef HOLO_REFUSED
    if (rate < 0) rows.add(rate, S(1.0));
#else
    rows.add(select(rate < 0, rate, S(0.0)), S(1.0));
#endif
  }
};
HOLO_LOSS(Forward, "forward", "branches on a scalar")
