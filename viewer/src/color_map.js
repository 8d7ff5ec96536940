// The perceptual color map (viridis by van der Walt and Smith, public domain), as equidistant samples, and its legend.
import { element } from './dom.js';
import { format_number, nice_step, with_unit } from './numbers.js';
import { format_quantity, in_words, readable_unit } from './units.js';

// Without the darkest fifth, whose shape does not show.
const viridis = ['#414487', '#355f8d', '#2a788e', '#21918c', '#22a884', '#44bf70', '#7ad151', '#bddf26', '#fde725'];
export const missing_color = '#9a9a9a';

const channels = (hex) => [1, 3, 5].map((at) => parseInt(hex.slice(at, at + 2), 16));

// Bytes of an RGBA image, `width` wide: row 0 the map, row 1 the color of missing values.
export function color_map_image(width) {
  const image = new Uint8Array(2 * width * 4).fill(255);
  for (let i = 0; i < width; ++i) {
    color_at(i / (width - 1)).forEach((value, c) => { image[4 * i + c] = Math.round(255 * value); });
    image.set(channels(missing_color), 4 * (width + i));
  }
  return image;
}

// The color [red, green, blue] from 0 to 1 of a part of the map.
export function color_at(part) {
  const at = Math.min(1, Math.max(0, part)) * (viridis.length - 1);
  const left = Math.min(Math.floor(at), viridis.length - 2);
  const [a, b] = [channels(viridis[left]), channels(viridis[left + 1])];
  return a.map((value, c) => (value + (b[c] - value) * (at - left)) / 255);
}

// [low, high] moved outwards to round numbers.
export function rounded_range([low, high]) {
  if (!(high > low)) return [low, high];
  const step = nice_step((high - low) / 5);
  return [Math.floor(low / step + 1e-9) * step, Math.ceil(high / step - 1e-9) * step];
}

// Round values between low and high, at most seven.
function ticks(low, high) {
  if (!(high > low)) return [low];
  const step = nice_step((high - low) / 3.5);
  const first = Math.ceil(low / step - 1e-9);
  const inner = Array.from({ length: Math.floor(high / step + 1e-9) - first + 1 }, (_, i) => (first + i) * step);
  return high - inner.at(-1) > 0.45 * step ? [...inner, high] : inner;  // the end of the bar has a number
}

// A swatch for each category that a vertex is of, and what else is to be told apart by color.
export function category_legend(field, others) {
  const items = field ? field.categories.filter((category) => category.occurs).map((category) => [category.name, `hue-${category.hue}`]) : [];
  if (field?.missing > 0) items.push(['missing', 'missing-color']);
  return element('ul', { class: 'legend categories', 'aria-label': field ? in_words(field.name) : 'lines' },
    items.map(([name, kind]) => element('li', {}, element('span', { class: `swatch ${kind}` }), name)), others);
}

// Whether the values differ by more than rounding: `field.floor` is what is nothing of such a field, and values are stored with
// seven digits.
export function varies(field) {
  const largest = Math.max(Math.abs(field.minimum), Math.abs(field.maximum));
  return field.maximum - field.minimum > Math.max(field.floor ?? 0, 1e-6 * largest);
}

// In the place of the bar, for a field that does not vary.
export function constant_legend(field) {
  const [low, high] = [field.minimum, field.maximum];
  const floor = Math.max(field.floor ?? 0, 1e-6 * Math.max(Math.abs(low), Math.abs(high)));
  const value = Math.max(Math.abs(low), Math.abs(high)) <= (field.floor ?? 0) ? 0 : (low + high) / 2;
  const why = high > low ? ` The values differ by ${format_quantity(high - low, field.unit, 2)}; differences up to ${format_quantity(floor, field.unit, 2)} are rounding.` : '';
  return element('div', { class: 'legend constant' }, element('div', { class: 'legend-title' }, in_words(field.name)),
    `${format_quantity(value, field.unit, 4)} everywhere, in all frames: drawn in the bodies' colors.${why}`);
}

// A bar from low to high with round numbers, in a unit that suits them. "≤" and "≥" stand at an end where values lie beyond the
// colors.
export function legend(field, low, high) {
  const bar = element('div', { class: 'legend-bar', 'aria-hidden': 'true' });
  bar.style.background = `linear-gradient(to right, ${viridis.join(', ')})`;
  const shown = readable_unit(Math.max(Math.abs(low), Math.abs(high)), field.unit);
  const number = (value) => format_number(Number((value * shown.factor).toPrecision(12)), 4);
  const labels = ticks(low, high).map((value) => {
    const part = high > low ? (value - low) / (high - low) : 0;
    const beyond = part < 1e-6 && field.minimum < low ? '≤ ' : part > 1 - 1e-6 && field.maximum > high ? '≥ ' : '';
    const label = element('span', {}, beyond + number(value));
    label.style.left = `${100 * part}%`;
    label.style.transform = `translateX(${-100 * part}%)`;  // the first and the last one stay within the bar
    return label;
  });
  const swatch = element('span', { class: 'swatch' });
  swatch.style.background = missing_color;
  return element('div', { class: 'legend', role: 'img',
    'aria-label': `Colors from ${number(low)} to ${number(high)} ${shown.unit}` },
    element('div', { class: 'legend-title' }, with_unit(in_words(field.name), shown.unit),
      field.missing > 0 ? element('span', { class: 'legend-missing' }, swatch, 'missing') : null),
    bar, element('div', { class: 'legend-labels' }, labels));
}
