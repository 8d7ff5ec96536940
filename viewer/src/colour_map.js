// The perceptual colour map (viridis by van der Walt and Smith, public domain), as ten equidistant samples, and its legend.
import { element } from './dom.js';
import { format_number } from './numbers.js';

const viridis = ['#440154', '#482878', '#3e4989', '#31688e', '#26828e', '#1f9e89', '#35b779', '#6ece58', '#b5de2b', '#fde725'];
export const missing_colour = '#9a9a9a';

const channels = (hex) => [1, 3, 5].map((at) => parseInt(hex.slice(at, at + 2), 16));

// Bytes of an RGBA image, `width` wide: row 0 the map, row 1 the colour of missing values.
export function colour_map_image(width) {
  const image = new Uint8Array(2 * width * 4).fill(255);
  for (let i = 0; i < width; ++i) {
    const at = (i / (width - 1)) * (viridis.length - 1);
    const left = Math.min(Math.floor(at), viridis.length - 2);
    const [a, b] = [channels(viridis[left]), channels(viridis[left + 1])];
    for (let c = 0; c < 3; ++c) image[4 * i + c] = Math.round(a[c] + (b[c] - a[c]) * (at - left));
    image.set(channels(missing_colour), 4 * (width + i));
  }
  return image;
}

// A bar from low to high with five labels. "≤" and "≥" stand where values lie beyond the colours.
export function legend(field, low, high) {
  const bar = element('div', { class: 'legend-bar', 'aria-hidden': 'true' });
  bar.style.background = `linear-gradient(to right, ${viridis.join(', ')})`;
  const constant = !(high > low);
  const values = constant ? [low] : [0, 0.25, 0.5, 0.75, 1].map((part) => low + part * (high - low));
  const labels = values.map((value, i) => {
    const digits = 3;
    const below = i === 0 && field.minimum < low ? '≤ ' : '';
    const above = i === values.length - 1 && field.maximum > high ? '≥ ' : '';
    return element('span', {}, `${below}${above}${format_number(value, digits)}`);
  });
  const unit = field.unit && field.unit !== '1' ? ` [${field.unit}]` : '';
  const swatch = element('span', { class: 'swatch' });
  swatch.style.background = missing_colour;
  return element('div', { class: 'legend', role: 'img',
    'aria-label': `Colours from ${format_number(low, 3)} to ${format_number(high, 3)} ${field.unit}` },
    element('div', { class: 'legend-title' }, `${field.name}${unit}`), bar, element('div', { class: 'legend-labels' }, labels),
    field.missing > 0 ? element('div', { class: 'legend-missing' }, swatch, 'missing (not a number)') : null);
}
