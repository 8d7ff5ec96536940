// Plots with uPlot, their legends, and the cursor that follows the animation.
import uPlot from 'uplot';
import { element, message, on_theme_change, theme } from './dom.js';
import { format_number, with_unit } from './numbers.js';
import { aligned, decades, padded_range, value_at, with_air, zoomed } from './plot_data.js';
import { color_count } from './plot_style.js';
import { plot_tools } from './plot_tools.js';
import { follow_row } from './selection.js';
import { format_quantity, readable_unit } from './units.js';

export const small = 210, tall = 380;  // px; tall where the plots are the page's main thing

export class PlotPanel {
  // `playback` may be null.
  constructor(plot, marks, playback, selection, height = small) {
    this.plot = plot;
    this.height = height;
    this.zoom = null;  // {x: [low, high], y: the same or null}; null: all is shown
    this.on_zoom = () => {};
    this.marks = [...(plot.x_is_time ? marks.map(({ time }) => ({ x: time, label: '' })) : []), ...plot.marks];
    this.playback = plot.x_is_time ? playback : null;
    this.data = aligned(plot);
    this.place = element('div', { class: 'plot-place' });
    this.values = plot.series.map(() => element('span', { class: 'value' }));
    this.head = element('div', { class: 'plot-head' }, element('h2', {}, plot.title));
    this.node = element('section', { class: 'plot panel', 'aria-label': `plot: ${plot.title}` }, this.head,
      this.place, this.legend(selection), this.remarks());
    if (!this.has_points()) return void this.place.append(message('This plot has no points.'));
    this.head.append(plot_tools(this));
    new ResizeObserver(() => this.resize()).observe(this.place);
    on_theme_change(() => this.rebuild());
    this.playback?.on_change(() => this.follow());
  }

  has_points() {
    return this.data.columns.some((column) => column.some((value) => value !== null && value !== undefined));
  }

  legend(selection) {
    return element('ul', { class: 'series' }, this.plot.series.map((series, i) => {
      const item = element('li', {}, element('span', { class: `key series-${i % color_count} ${series.style} ${series.reference ? 'reference' : ''}` }),
        series.name, this.values[i]);
      const name = selection.named_in(series.name);
      if (name !== null) follow_row(item, name, selection);
      return item;
    }));
  }

  // Shows a part of the plot, {x: [low, high], y: [low, high] or null}, or all of it (null).
  zoom_to(part) {
    this.zoom = part;
    this.on_zoom();
    this.rebuild();
  }

  // Points need air: uPlot leaves out those that share the last x of the axis.
  whole_x() {
    const { logarithmic } = this.plot.x;
    const range = padded_range(this.data.x, logarithmic, false);
    return this.plot.series.some(({ style }) => style === 'points') ? with_air(range, 0.02, logarithmic) : range;
  }

  // The part of x that is `factor` as long, around the middle of what is shown; all where that is no part.
  zoom_by(factor) {
    const all = this.whole_x();
    const part = zoomed(this.zoom?.x ?? all, factor, all, this.plot.x.logarithmic);
    this.zoom_to(part && { x: part, y: factor < 1 ? this.zoom?.y ?? null : null });
  }

  // Zooms to the box that the user has drawn, which uPlot gives in pixels.
  take_selection(chart) {
    const { left, top, width, height } = chart.select;
    if (width < 5 && height < 5) return;
    this.dragged = performance.now();
    const span = (scale, a, b) => [chart.posToVal(a, scale), chart.posToVal(b, scale)].sort((low, high) => low - high);
    const whole = chart.over.clientHeight;
    this.zoom_to({ x: width < 5 || width >= chart.over.clientWidth - 1 ? this.zoom?.x ?? null : span('x', left, left + width),
      y: height >= whole - 1 || height < 5 ? this.zoom?.y ?? null : span('y', top, top + height) });
  }

  remarks() {
    const { hidden } = this.data;
    const reason = this.plot.x.logarithmic || this.plot.y.logarithmic ? 'not a finite number, or not positive' : 'not a finite number';
    return [
      this.plot.caption ? element('p', { class: 'caption' }, this.plot.caption) : null,
      hidden > 0 ? element('p', { class: 'caption' }, `${hidden} ${hidden === 1 ? 'point is' : 'points are'} not shown: ${reason}.`) : null,
    ].filter(Boolean).reduce((all, each) => (all.append(each), all), document.createDocumentFragment());
  }

  resize() {
    const width = Math.floor(this.place.clientWidth);
    if (width < 50) return;
    if (!this.chart) this.rebuild();
    else if (width !== this.chart.width) this.chart.setSize({ width, height: this.height });
    this.follow();
  }

  rebuild() {
    this.chart?.destroy();
    const width = Math.floor(this.place.clientWidth);
    if (width < 50) return void (this.chart = null);
    const { plot, data } = this;
    const all = data.columns.flat();
    const x_range = this.zoom?.x ?? this.whole_x();
    const y_range = this.zoom?.y ?? padded_range(this.zoom ? this.values_within(x_range) : all, plot.y.logarithmic, true);
    const counts = !plot.y.unit && all.every((value) => value === null || value === undefined || Number.isInteger(value));
    this.chart = new uPlot({
      width, height: this.height,
      legend: { show: false },
      cursor: { y: false, points: { show: false }, drag: { x: true, y: true, uni: 24, setScale: false } },
      scales: {
        x: { time: false, distr: plot.x.logarithmic ? 3 : 1, range: () => x_range },
        y: { distr: plot.y.logarithmic ? 3 : 1, range: () => y_range },
      },
      axes: [this.axis(plot.x, x_range, 26), this.axis(plot.y, y_range, undefined, counts)],
      series: [{}, ...plot.series.map((series, i) => this.series(series, i))],
      hooks: { draw: [(chart) => this.draw_marks(chart)], setCursor: [(chart) => this.hover(chart)], setSelect: [(chart) => this.take_selection(chart)] },
    }, [data.x, ...data.columns], this.place);
    this.chart.over.addEventListener('dblclick', () => this.zoom_to(null));
    if (this.playback) this.add_time_line();
    this.follow();
  }

  // The values whose x lies in the range; all where none does.
  values_within([low, high]) {
    const { x, columns } = this.data;
    const inside = columns.flatMap((column) => column.filter((value, i) => x[i] >= low && x[i] <= high && value !== null && value !== undefined));
    return inside.length > 0 ? inside : columns.flat();
  }

  // `size` in pixels: of the axis along x; of the other it follows from its numbers. Each number of a logarithmic axis has a unit.
  axis(axis, [low, high], size, counts = false) {
    const line = { stroke: theme('--plot-grid'), width: 1 };
    const shown = axis.logarithmic ? { factor: 1, unit: '' } : readable_unit(Math.max(Math.abs(low), Math.abs(high)), axis.unit);
    const number = (value) => (axis.logarithmic && axis.unit ? format_quantity(value, axis.unit, 4) : format_number(Number((value * shown.factor).toPrecision(12)), 4));
    return {
      label: with_unit(axis.label, shown.unit), labelSize: 20, labelGap: 0, labelFont: '12px system-ui, sans-serif', font: '11px system-ui, sans-serif',
      stroke: theme('--text'), grid: line, ticks: { ...line, size: 4 }, gap: 4,
      size: (chart, values) => size ?? 18 + 6.6 * Math.max(1, ...(values ?? []).map((value) => (value ?? '').length)),
      values: (chart, splits) => splits.map(number),
      ...(counts ? { incrs: [1, 2, 5].flatMap((step) => Array.from({ length: 9 }, (_, power) => step * 10 ** power)).sort((a, b) => a - b) } : {}),
      space: size ? 56 : 34,
      ...(axis.logarithmic ? { splits: (chart, index, low, high) => decades(low, high, size ? chart.width / 60 : this.height / 30), filter: (chart, splits) => splits } : {}),
    };
  }

  series(series, i) {
    const stroke = theme(`--series-${i % color_count}`);
    const points = series.style === 'points' || this.plot.series[i].x.length === 1;
    return {
      stroke, width: points ? 0 : 1.75, dash: series.reference && !points ? [7, 5] : undefined,
      paths: points ? () => null : series.style === 'steps' ? uPlot.paths.stepped({ align: -1 }) : undefined,
      points: { show: points, size: 7, stroke, fill: series.reference ? theme('--panel') : stroke, width: 1.5 },
    };
  }

  draw_marks(chart) {
    const { ctx, bbox } = chart;
    ctx.save();
    ctx.strokeStyle = theme('--muted');
    ctx.setLineDash([2 * devicePixelRatio, 4 * devicePixelRatio]);
    for (const mark of this.marks) {
      const x = chart.valToPos(mark.x, 'x', true);
      if (!(x >= bbox.left && x <= bbox.left + bbox.width)) continue;
      ctx.beginPath();
      ctx.moveTo(x, bbox.top);
      ctx.lineTo(x, bbox.top + bbox.height);
      ctx.stroke();
      if (mark.label) this.write_along(ctx, mark.label, x, bbox);
    }
    ctx.restore();
  }

  // A mark's label, upwards along its line: to its right, or to its left where it would leave the plot.
  write_along(ctx, label, x, bbox) {
    const size = 11 * devicePixelRatio, right = x + 1.5 * size < bbox.left + bbox.width;
    ctx.save();
    ctx.font = `${size}px system-ui, sans-serif`;
    ctx.translate(right ? x + 3 * devicePixelRatio : x - 3 * devicePixelRatio, bbox.top + bbox.height - 4 * devicePixelRatio);
    ctx.rotate(-Math.PI / 2);
    ctx.textAlign = 'left';
    ctx.textBaseline = right ? 'top' : 'bottom';
    ctx.lineWidth = 3 * devicePixelRatio;
    ctx.setLineDash([]);
    ctx.strokeStyle = theme('--panel');
    ctx.strokeText(label, 0, 0);
    ctx.fillStyle = theme('--muted');
    ctx.fillText(label, 0, 0);
    ctx.restore();
  }

  add_time_line() {
    this.time_line = element('div', { class: 'time-line' });
    this.chart.over.append(this.time_line);
    this.chart.over.addEventListener('click', (event) => {
      if (performance.now() - (this.dragged ?? -Infinity) < 300) return;  // the end of a drag
      this.playback.pause();
      this.playback.show_time(this.chart.posToVal(event.offsetX, 'x'));
    });
    this.chart.over.style.cursor = 'pointer';
  }

  follow() {
    if (!this.chart || !this.playback) return;
    const left = this.chart.valToPos(this.playback.time, 'x');
    this.time_line.hidden = !(left >= -0.5 && left <= this.chart.over.clientWidth + 0.5);
    this.time_line.style.transform = `translateX(${left}px)`;
    if (!this.hovered) this.show_values(this.playback.time);
  }

  hover(chart) {
    this.hovered = chart.cursor.left >= 0;
    if (this.hovered) this.show_values(chart.posToVal(chart.cursor.left, 'x'));
    else if (this.playback) this.show_values(this.playback.time);
    else this.values.forEach((value) => { value.textContent = ''; });
  }

  show_values(x) {
    this.plot.series.forEach((series, i) => {
      if (series.style === 'points') return;
      const value = value_at(series, x);
      this.values[i].textContent = value === undefined ? '' : value === null ? 'missing' : format_quantity(value, this.plot.y.unit, 4);
    });
  }
}
