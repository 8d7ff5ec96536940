// Series with x of their own, as uPlot wants them: one ascending x for all, undefined where a series has no point, null for a gap.

// {x, columns: [series] y, hidden: how many points an axis cannot show}
export function aligned(plot) {
  const visible = (value, axis) => value !== null && (!axis.logarithmic || value > 0);
  const points = new Map();  // "x#k": the k-th point at x, for series with several
  let hidden = 0;
  plot.series.forEach((series, s) => {
    const seen = new Map();
    series.x.forEach((x, i) => {
      if (!visible(x, plot.x)) return void ++hidden;
      const repeat = seen.get(x) ?? 0;
      seen.set(x, repeat + 1);
      const key = `${x}#${repeat}`;
      if (!points.has(key)) points.set(key, { x, repeat, values: new Array(plot.series.length).fill(undefined) });
      const shown = visible(series.y[i], plot.y);
      if (!shown) ++hidden;
      points.get(key).values[s] = shown ? series.y[i] : null;
    });
  });
  const sorted = [...points.values()].sort((a, b) => a.x - b.x || a.repeat - b.repeat);
  return { x: sorted.map((point) => point.x), columns: plot.series.map((_, s) => sorted.map((point) => point.values[s])), hidden };
}

// The value of a series at x: of a line its last point not after x, of steps the end of the step that x lies in; undefined outside.
export function value_at(series, x) {
  if (series.x.length === 0 || x > series.x[series.x.length - 1]) return undefined;
  if (series.style === 'steps') return series.y[series.x.findIndex((end) => end >= x)];
  let low = 0, high = series.x.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (series.x[middle] <= x) low = middle + 1;
    else high = middle;
  }
  return low > 0 ? series.y[low - 1] : undefined;
}

// Powers of ten for the ticks of a logarithmic axis, at most `count`; with 2 and 5 between them if these are not too many.
export function decades(low, high, count) {
  const [first, last] = [Math.floor(Math.log10(low) + 1e-9), Math.ceil(Math.log10(high) - 1e-9)];
  const stride = Math.max(1, Math.ceil((last - first) / Math.max(1, count)));
  const factors = 3 * (last - first) < count ? [1, 2, 5] : [1];
  const all = [];
  for (let power = Math.ceil(first / stride) * stride; power <= last; power += stride) all.push(...factors.map((factor) => factor * 10 ** power));
  return all.filter((value) => value >= low * (1 - 1e-9) && value <= high * (1 + 1e-9));
}

// [low, high] of an axis: whole decades on a logarithmic one; else some air, and 0 where it is near.
export function padded_range(values, logarithmic, air) {
  let low = Infinity, high = -Infinity;
  for (const value of values)
    if (value !== null && value !== undefined) {
      low = Math.min(low, value);
      high = Math.max(high, value);
    }
  if (logarithmic) {
    if (!air && low < high) return [low, high];
    const [bottom, top] = [Math.floor(Math.log10(low) + 1e-9), Math.ceil(Math.log10(high) - 1e-9)];
    return [10 ** bottom, 10 ** (top > bottom ? top : bottom + 1)];
  }
  if (low === high) return [low - (Math.abs(low) * 0.1 || 1), high + (Math.abs(high) * 0.1 || 1)];
  if (!air) return [low, high];
  const pad = 0.06 * (high - low);
  return [low >= 0 && low < 0.4 * high ? 0 : low - pad, high <= 0 && high > 0.4 * low ? 0 : high + pad];
}

// [low, high] longer by the part `air` of its length at both ends.
export function with_air([low, high], air, logarithmic) {
  if (logarithmic) return [low * (low / high) ** air, high * (high / low) ** air];
  return [low - air * (high - low), high + air * (high - low)];
}

// The part of an axis that is `factor` times as long as [low, high] around its middle, within `all`; null where that is all of it.
export function zoomed([low, high], factor, all, logarithmic) {
  const [to, from] = logarithmic ? [Math.log10, (value) => 10 ** value] : [(value) => value, (value) => value];
  const middle = (to(low) + to(high)) / 2, half = (factor * (to(high) - to(low))) / 2;
  const part = [Math.max(to(all[0]), middle - half), Math.min(to(all[1]), middle + half)];
  const whole = to(all[1]) - to(all[0]);
  return part[1] - part[0] > (1 - 1e-9) * whole ? null : part.map(from);
}
