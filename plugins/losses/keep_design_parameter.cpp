// w/2 (parameter - its initial value)^2.
#include <holo/plugin/loss.h>

struct KeepDesignParameter {
  DesignParameter design_parameter;
  Signal<1> weight;

  static KeepDesignParameter read(const LossReader& p) {
    return {p.design_parameter("design_parameter"), p.weight("weight", "1", {.default_value = 1e-4})};
  }

  template <class S>
  void residuals(const Observer<S>& observe, LossResiduals<S>& residuals) const {
    residuals.add(observe.design_parameter(design_parameter) - observe.initial(design_parameter), observe.at(weight)[0]);
  }
};

HOLO_LOSS(KeepDesignParameter, "keep_design_parameter", "a design parameter stays near its initial value")
