// The buttons above a plot: zoom without a mouse, the whole plot, and downloads.
import { element } from './dom.js';
import { file_name, plot_csv, plot_png, plot_svg, save } from './plot_export.js';

// `panel`: a PlotPanel with a chart.
export function plot_tools(panel) {
  const button = (text, title, onclick) => element('button', { type: 'button', title, 'aria-label': title, onclick }, text);
  const reset = button('all', 'show all of the plot again (double click)', () => panel.zoom_to(null));
  const show = () => { reset.disabled = panel.zoom === null; };
  panel.on_zoom = show;
  show();
  const { plot, data } = panel;
  return element('div', { class: 'plot-tools', role: 'group', 'aria-label': 'zoom and download' },
    button('+', 'zoom in along x (or drag over the plot)', () => panel.zoom_by(0.5)),
    button('−', 'zoom out along x', () => panel.zoom_by(2)), reset,
    button('CSV', 'download the data as CSV', () => save(new Blob([plot_csv(plot, data)], { type: 'text/csv' }), file_name(plot, 'csv'))),
    button('SVG', 'download the picture as SVG', () => save(new Blob([plot_svg(plot, panel.chart, data)], { type: 'image/svg+xml' }), file_name(plot, 'svg'))),
    button('PNG', 'download the picture as PNG', async () => save(await plot_png(panel.chart), file_name(plot, 'png'))));
}
