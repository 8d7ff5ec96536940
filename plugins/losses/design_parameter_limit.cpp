// A barrier before both ends of a design parameter's range.
#include <holo/plugin/limits.h>
#include <holo/plugin/loss.h>

struct DesignParameterLimit {
  DesignParameter design_parameter;
  Limits limits;

  static DesignParameterLimit read(const LossReader& p) {
    return {p.design_parameter("design_parameter"), Limits::read(p, "rad or m", 0.05)};
  }

  template <class S>
  void residuals(const Observer<S>& observe, LossResiduals<S>& residuals) const {
    const S value = observe.design_parameter(design_parameter);
    limits.add_barriers(value, residuals);
    residuals.measure("design_parameter_margin", "rad or m", limits.margin(value));
  }
};

HOLO_LOSS(DesignParameterLimit, "design_parameter_limit", "keeps a design parameter within its range")
