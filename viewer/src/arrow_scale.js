// The scale of arrows: one for all frames, in round numbers.
const longest = 0.25;    // over the scene's extent: the length of an arrow that few exceed
const typical = 0.99;    // the share of arrows that are not longer

// The largest of 1, 2 and 5 times a power of ten that is not above `value`.
export function round_down(value) {
  const power = 10 ** Math.floor(Math.log10(value) + 1e-9);
  return [5, 2, 1].map((digit) => digit * power).find((number) => number <= value * (1 + 1e-9)) ?? power;
}

// {amount, length}: an arrow of `amount`, in the arrows' unit, is `length` [m] long. Null where no arrow has a length.
export function scale_of(amounts, extent) {
  const sorted = amounts.filter((amount) => amount > 0).sort((a, b) => a - b);
  if (sorted.length === 0) return null;
  const large = sorted[Math.ceil(typical * (sorted.length - 1))], amount = round_down(large);
  return { amount, length: round_down((longest * extent * amount) / large) };
}
