// A barrier before both ends of the range of a control's rate.
#include <holo/plugin/limits.h>
#include <holo/plugin/loss.h>

struct ControlRateLimit {
  Control control;
  Limits limits;

  static ControlRateLimit read(const LossReader& p) { return {p.control("control"), Limits::read(p, "rad/s or m/s", 0.1)}; }

  template <class S>
  void residuals(const Observer<S>& observe, LossResiduals<S>& residuals) const {
    const S value = observe.control_rate(control);
    limits.add_barriers(value, residuals);
    residuals.measure("control_rate_margin", "rad/s or m/s", limits.margin(value));
  }
};

HOLO_LOSS(ControlRateLimit, "control_rate_limit", "keeps the rate of a control within its range")
