// refused: write select(condition, a, b) instead of if
#include <holo/plugin/loss.h>

struct Forward {
  Control control;
  static Forward read(const LossReader& p) { return {p.control("control")}; }
  template <class S>
  void residuals(const Observer<S>& observe, LossResiduals<S>& residuals) const {
    const S rate = observe.control_rate(control);
#ifdef HOLO_REFUSED
    if (rate < 0) residuals.add(rate, S(1.0));
#else
    residuals.add(select(rate < 0, rate, S(0.0)), S(1.0));
#endif
  }
};
HOLO_LOSS(Forward, "forward", "branches on a scalar")
