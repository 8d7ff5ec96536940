// w/2 (control - its initial value)^2.
#include <holo/plugin/loss.h>

struct KeepControl {
  Control control;
  Signal<1> weight;

  static KeepControl read(const LossReader& p) {
    return {p.control("control"), p.weight("weight", "1", {.default_value = 1e-5})};
  }

  template <class S>
  void residuals(const Observer<S>& observe, LossResiduals<S>& residuals) const {
    residuals.add(observe.control(control) - observe.initial(control), observe.at(weight)[0]);
  }
};

HOLO_LOSS(KeepControl, "keep_control", "a control stays near its initial value")
