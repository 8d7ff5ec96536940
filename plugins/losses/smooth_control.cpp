// w/2 (rate of a control)^2.
#include <holo/plugin/loss.h>

struct SmoothControl {
  Control control;
  Signal<1> weight;

  static SmoothControl read(const LossReader& p) {
    return {p.control("control"), p.weight("weight", "s^2", {.default_value = 1e-7})};
  }

  template <class S>
  void residuals(const Observer<S>& observe, LossResiduals<S>& residuals) const {
    residuals.add(observe.control_rate(control), observe.at(weight)[0]);
  }
};

HOLO_LOSS(SmoothControl, "smooth_control", "a control changes slowly")
