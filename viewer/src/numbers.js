// Numbers as text.

// About `digits` significant digits, without a tail of zeros; very large and small ones with a power of ten.
export function format_number(value, digits = 6) {
  if (value === 0) return '0';
  if (!Number.isFinite(value)) return String(value);
  const magnitude = Math.abs(value);
  if (magnitude >= 1e-3 && magnitude < 10 ** Math.max(digits, 5)) return String(Number(value.toPrecision(digits)));
  const [mantissa, exponent] = value.toExponential(digits - 1).split('e');
  return `${Number(mantissa)}e${Number(exponent)}`;
}

// "von_mises_stress", "Pa" -> "von_mises_stress [Pa]"
export function with_unit(name, unit) {
  return unit && unit !== '1' ? `${name} [${unit}]` : name;
}

// The greatest of 1, 2, 5 times a power of ten that is not above `value`.
export function nice_step(value) {
  const power = 10 ** Math.floor(Math.log10(value));
  for (const factor of [5, 2]) if (factor * power <= value) return factor * power;
  return power;
}

const series_time = (time, step) => time.toFixed(Math.max(0, Math.min(9, Math.ceil(-Math.log10(step)) + 1)));

// Times of one clip, all with as many decimals as its steps need.
export function time_formatter(times) {
  const step = times.length > 1 ? (times[times.length - 1] - times[0]) / (times.length - 1) : 1;
  return (time) => series_time(time, step > 0 ? step : 1);
}
