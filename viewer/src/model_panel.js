// A body that is changed by sliders: its parameters, its frequency, and its shape, which swings in its mode.
import { element, message, on_theme_change } from './dom.js';
import { format_number } from './numbers.js';
import { ModelView } from './model_view.js';
import { decode_model, node_weights, quantity_at, write_field } from './parameter_model.js';
import { SceneRenderer } from './scene_renderer.js';
import { format_quantity, in_words } from './units.js';
import { view_buttons } from './view_buttons.js';

const swings_per_second = 0.6;  // of a body with the target's frequency
const swing = 0.06;             // largest displacement in the picture, over the body's diagonal
const slider_steps = 1000;

export class ModelPanel {
  constructor(model) {
    this.description = model;
    this.values = model.parameters.map(({ value }) => value);
    this.canvas = element('div', { class: 'canvas' }, element('p', { class: 'loading' }, 'Unpacking the model …'));
    this.readout = element('dl', { class: 'model-readout', 'aria-live': 'polite' });
    this.sliders = model.parameters.map((parameter, k) => this.make_slider(parameter, k));
    this.reset = element('button', { type: 'button', onclick: () => this.set_all() }, 'Back to the designed values');
    this.motion = element('input', { type: 'checkbox', onchange: () => this.restart() });
    this.motion.checked = !matchMedia('(prefers-reduced-motion: reduce)').matches;
    this.toolbar = element('div', { class: 'toolbar' }, element('label', {}, this.motion, element('span', {}, 'swing')));
    this.node = element('section', { class: 'panel model' }, element('h2', {}, model.title),
      element('div', { class: 'model-parts' },
        element('div', { class: 'model-picture' }, this.toolbar, this.canvas),
        element('div', { class: 'model-controls' }, this.readout, this.sliders.map((slider) => slider.node), this.reset)),
      element('p', { class: 'caption' }, model.caption));
  }

  make_slider({ name, unit, minimum, maximum }, k) {
    const value = element('output', {});
    const input = element('input', { type: 'range', min: 0, max: slider_steps, step: 1, name,
      oninput: () => this.set(k, minimum + (maximum - minimum) * (input.valueAsNumber / slider_steps)) });
    const quantity = (number) => `${format_number(number, 4)} ${unit === '1' ? '' : unit}`.trim();
    const show = () => {
      input.value = slider_steps * (this.values[k] - minimum) / (maximum - minimum);
      value.textContent = quantity(this.values[k]);
      input.setAttribute('aria-valuetext', value.textContent);
    };
    show();
    const node = element('label', { class: 'model-slider' }, element('span', { class: 'model-name' }, in_words(name)), value, input,
      element('span', { class: 'model-ends' }, element('span', {}, quantity(minimum)), element('span', {}, quantity(maximum))));
    return { node, show };
  }

  set(k, value) {
    this.values[k] = value;
    this.sliders[k].show();
    this.refresh();
  }

  set_all() {
    this.description.parameters.forEach(({ value }, k) => this.set(k, value));
  }

  async load() {
    try {
      this.model = await decode_model(this.description);
      this.positions = new Float32Array(3 * this.model.vertex_count);
      this.displacements = new Float32Array(3 * this.model.vertex_count);
      const box = this.largest_box();
      write_field(this.model.positions, node_weights(this.model, this.values), this.positions);
      this.canvas.replaceChildren();
      this.renderer = new SceneRenderer(this.canvas, box);
      this.renderer.show_ground(true);
      on_theme_change(() => this.renderer.show_ground(true));
      const surface = this.renderer.renderer.domElement;
      surface.setAttribute('role', 'img');
      surface.setAttribute('aria-label', 'The body in three dimensions. Drag to turn, scroll to zoom, drag with the right button to move.');
      this.toolbar.append(view_buttons(() => this.renderer));
      this.view = new ModelView(this.model.triangles, this.positions);
      this.renderer.add(this.view);
      this.refresh();
      this.restart();
    } catch (problem) {
      this.renderer = null;
      const reason = /webgl/i.test(problem.message) ? 'this browser offers no WebGL, or it is switched off' : problem.message;
      this.canvas.replaceChildren(message(`The body cannot be shown: ${reason}.`, 'error'));
    }
  }

  // Around the swinging bodies at all corners of the bounds, so that the picture does not move with the sliders.
  largest_box() {
    const { parameters, positions, displacements } = this.model;
    const box = { minimum: [Infinity, Infinity, Infinity], maximum: [-Infinity, -Infinity, -Infinity] };
    const far = [0, 0, 0];  // largest displacement along each axis
    const corners = parameters.reduce((all, { minimum, maximum }) => all.flatMap((corner) => [[...corner, minimum], [...corner, maximum]]), [[]]);
    for (const corner of corners) {
      const weights = node_weights(this.model, corner);
      write_field(positions, weights, this.positions);
      write_field(displacements, weights, this.displacements);
      this.positions.forEach((coordinate, i) => {
        box.minimum[i % 3] = Math.min(box.minimum[i % 3], coordinate);
        box.maximum[i % 3] = Math.max(box.maximum[i % 3], coordinate);
        far[i % 3] = Math.max(far[i % 3], Math.abs(this.displacements[i]));
      });
    }
    this.diagonal = Math.hypot(...[0, 1, 2].map((axis) => box.maximum[axis] - box.minimum[axis]));
    far.forEach((distance, axis) => {
      box.minimum[axis] -= swing * this.diagonal * distance;
      box.maximum[axis] += swing * this.diagonal * distance;
    });
    return box;
  }

  // After a change of the values.
  refresh() {
    if (!this.model) return;
    const weights = node_weights(this.model, this.values);
    const numbers = this.model.quantities.map((quantity) => quantity_at(quantity, weights));
    this.readout.replaceChildren(...this.model.quantities.flatMap((quantity, q) => this.quantity_rows(quantity, numbers[q])));
    const [first] = this.model.quantities;
    this.rate = swings_per_second * numbers[0] / (first.target || numbers[0]);
    if (!this.renderer) return;
    write_field(this.model.positions, weights, this.positions);
    write_field(this.model.displacements, weights, this.displacements);
    this.view.show_colors(this.displacements);
    this.draw();
  }

  quantity_rows(quantity, number) {
    const rows = [element('dt', {}, in_words(quantity.name)), element('dd', { class: 'model-number' }, format_quantity(number, quantity.unit, 4))];
    if (!quantity.target) return rows;
    const percent = 100 * (number / quantity.target - 1);
    // What the model cannot tell from the target counts as the target.
    const gap = Math.abs(percent) <= Math.max(0.005, 100 * quantity.error) ? 'reached' : `${percent > 0 ? '+' : '−'}${format_number(Math.abs(percent), 3)} %`;
    return [...rows, element('dt', {}, 'target'), element('dd', {}, `${format_quantity(quantity.target, quantity.unit, 4)} (${gap})`)];
  }

  draw() {
    this.view.show(this.positions, this.displacements, swing * this.diagonal * (this.motion.checked ? Math.sin(this.phase ?? 0) : 1));
    this.renderer.request();
  }

  restart() {
    cancelAnimationFrame(this.requested);
    if (!this.renderer) return;
    this.draw();
    if (!this.motion.checked) return;
    let before = null;
    const next = (now) => {
      if (!this.renderer || !this.motion.checked) return;
      this.phase = (this.phase ?? 0) + (before === null ? 0 : (2 * Math.PI * this.rate * Math.min(100, now - before)) / 1000);
      before = now;
      this.draw();
      this.requested = requestAnimationFrame(next);
    };
    this.requested = requestAnimationFrame(next);
  }

  draw_now() {
    this.renderer?.draw();
  }
}
