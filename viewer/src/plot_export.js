// A plot as files: its data as CSV, its picture as SVG or PNG.
import { svg, theme } from './dom.js';
import { with_unit } from './numbers.js';
import { color_count } from './plot_style.js';

export function save(blob, name) {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(blob);
  link.download = name;
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}

export function file_name(plot, ending) {
  return `${plot.title.replace(/[^\p{L}\p{N}]+/gu, '_').replace(/^_|_$/g, '').slice(0, 80) || 'plot'}.${ending}`;
}

const quoted = (text) => (/[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

// One row for each x; an empty cell where a series has no value. Numbers in full, in the plot's units without prefixes.
export function plot_csv(plot, data) {
  const head = [with_unit(plot.x.label || 'x', plot.x.unit), ...plot.series.map((series) => with_unit(series.name, plot.y.unit))];
  const rows = data.x.map((x, i) => [x, ...data.columns.map((column) => column[i] ?? '')]);
  return [head.map(quoted), ...rows].map((row) => `${row.join(',')}\n`).join('');
}

// The picture that `chart` (uPlot) shows now, its legend below it, as a standalone SVG document.
export function plot_svg(plot, chart, data) {
  const ratio = devicePixelRatio, legend_line = 18;
  const box = { left: chart.bbox.left / ratio, top: chart.bbox.top / ratio, width: chart.bbox.width / ratio, height: chart.bbox.height / ratio };
  const { width } = chart, head = 26, height = chart.height + head + legend_line * plot.series.length + 8;
  const root = svg('svg', { xmlns: 'http://www.w3.org/2000/svg', width, height, viewBox: `0 0 ${width} ${height}`, 'font-family': 'sans-serif', 'font-size': 11 },
    svg('rect', { width, height, fill: theme('--panel') }), text(10, 17, plot.title, { 'font-size': 14, 'font-weight': 600 }));
  const body = svg('g', { transform: `translate(0 ${head})` },
    svg('clipPath', { id: 'inside' }, svg('rect', { x: box.left, y: box.top, width: box.width, height: box.height })),
    ...axis_lines(chart, box, 0), ...axis_lines(chart, box, 1),
    svg('g', { 'clip-path': 'url(#inside)' }, ...data.columns.map((column, i) => curve(chart, box, data.x, column, plot.series[i], i))));
  const keys = plot.series.map((series, i) => svg('g', { transform: `translate(14 ${head + chart.height + legend_line * (i + 0.5)})` },
    svg('line', { x2: 22, stroke: theme(`--series-${i % color_count}`), 'stroke-width': 2, 'stroke-dasharray': series.reference ? '7 5' : undefined }),
    text(30, 4, series.name)));
  root.append(body, ...keys);
  return new XMLSerializer().serializeToString(root);
}

function text(x, y, content, more = {}) {
  return svg('text', { x, y, fill: theme('--text'), ...more }, content);
}

// Grid lines with their numbers, and the axis' label: axis 0 is x, 1 is y.
function axis_lines(chart, box, number) {
  const axis = chart.axes[number], scale = number === 0 ? 'x' : 'y';
  const splits = axis._splits ?? [], values = axis._values ?? [];
  const nodes = splits.flatMap((split, i) => {
    const at = chart.valToPos(split, scale) + (number === 0 ? box.left : box.top);
    if (!Number.isFinite(at)) return [];
    const line = number === 0 ? { x1: at, x2: at, y1: box.top, y2: box.top + box.height } : { y1: at, y2: at, x1: box.left, x2: box.left + box.width };
    const label = number === 0 ? text(at, box.top + box.height + 14, values[i] ?? '', { 'text-anchor': 'middle' })
      : text(box.left - 6, at + 4, values[i] ?? '', { 'text-anchor': 'end' });
    return [svg('line', { ...line, stroke: theme('--plot-grid') }), label];
  });
  const label = typeof axis.label === 'function' ? axis.label() : axis.label;
  const middle = [box.left + box.width / 2, box.top + box.height / 2];
  nodes.push(number === 0 ? text(middle[0], box.top + box.height + 32, label, { 'text-anchor': 'middle', 'font-size': 12 })
    : text(0, 0, label, { 'text-anchor': 'middle', 'font-size': 12, transform: `translate(13 ${middle[1]}) rotate(-90)` }));
  return nodes;
}

function curve(chart, box, xs, ys, series, number) {
  const stroke = theme(`--series-${number % color_count}`);
  const place = (x, y) => [box.left + chart.valToPos(x, 'x'), box.top + chart.valToPos(y, 'y')];
  const known = xs.map((x, i) => [x, ys[i]]).filter(([, y]) => y !== undefined);
  if (series.style === 'points' || series.x.length === 1)
    return svg('g', { fill: stroke }, ...known.filter(([, y]) => y !== null).map(([x, y]) => {
      const [cx, cy] = place(x, y);
      return svg('circle', { cx, cy, r: 3 });
    }));
  let path = '', drawing = false, before = 0;
  for (const [x, y] of known) {
    if (y === null) {
      drawing = false;
      continue;
    }
    const [px, py] = place(x, y).map((value) => Number(value.toFixed(2)));
    path += !drawing ? `M${px} ${py}` : series.style === 'steps' ? `L${before} ${py}L${px} ${py}` : `L${px} ${py}`;
    drawing = true;
    before = px;
  }
  return svg('path', { d: path, fill: 'none', stroke, 'stroke-width': 1.75, 'stroke-dasharray': series.reference ? '7 5' : undefined });
}

// The canvas of the chart on the page's background.
export function plot_png(chart) {
  const canvas = document.createElement('canvas');
  [canvas.width, canvas.height] = [chart.ctx.canvas.width, chart.ctx.canvas.height];
  const context = canvas.getContext('2d');
  context.fillStyle = theme('--panel');
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.drawImage(chart.ctx.canvas, 0, 0);
  return new Promise((resolve) => canvas.toBlob(resolve, 'image/png'));
}
