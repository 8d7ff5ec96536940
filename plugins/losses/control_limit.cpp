// A barrier before both ends of a control's range.
#include <holo/plugin/limits.h>
#include <holo/plugin/loss.h>

struct ControlLimit {
  Control control;
  Limits limits;

  static ControlLimit read(const LossReader& p) { return {p.control("control"), Limits::read(p, "rad or m", 0.05)}; }

  template <class S>
  void residuals(const Observer<S>& observe, LossResiduals<S>& residuals) const {
    const S value = observe.control(control);
    limits.add_barriers(value, residuals);
    residuals.measure("control_margin", "rad or m", limits.margin(value));
  }
};

HOLO_LOSS(ControlLimit, "control_limit", "keeps a control within its range")
