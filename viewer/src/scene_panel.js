// One scene with its controls: colour by field, wireframe, grid, bodies, views, legend.
import { category_legend, constant_legend, legend, rounded_range, varies } from './colour_map.js';
import { DeformableBodyView } from './deformable_body_view.js';
import { element, message, on_theme_change, theme } from './dom.js';
import { axes_cross } from './ground.js';
import { make_labels } from './labels.js';
import { Picker } from './picking.js';
import { bounds, decode_scene } from './scene_data.js';
import { SceneRenderer } from './scene_renderer.js';
import { trace_legend, TraceView } from './trace_view.js';
import { format_quantity, in_words } from './units.js';
import { view_buttons } from './view_buttons.js';

const body_colour_count = 6;

export class ScenePanel {
  constructor(scene, titled, selection) {
    this.description = scene;
    this.selection = selection;
    this.field = null;
    this.frame = 0;
    this.views = [];
    this.canvas = element('div', { class: 'canvas' }, element('p', { class: 'loading' }, 'Unpacking the animation …'));
    this.toolbar = element('div', { class: 'toolbar' });
    this.legend = element('div', { class: 'legend-place' });
    this.node = element('section', { class: 'scene', 'aria-label': scene.title || 'animation' },
      titled ? element('h2', {}, scene.title) : null, this.toolbar, this.canvas, this.legend);
  }

  // Unpacks and draws; what cannot be drawn is told in its place, and the rest of the page works on.
  async load() {
    try {
      this.scene = await decode_scene(this.description);
      const box = bounds(this.scene);
      this.canvas.replaceChildren();
      if (!box) return void this.canvas.append(message('There is nothing to draw in this scene.'));
      this.start_renderer(box);
      this.fill_toolbar();
      this.refresh();
    } catch (problem) {
      this.fail(problem);
    }
  }

  fail(problem) {
    this.renderer = null;
    this.toolbar.replaceChildren();
    this.legend.replaceChildren();
    const reason = /webgl/i.test(problem.message) ? 'this browser offers no WebGL, or it is switched off' : problem.message;
    this.canvas.replaceChildren(message(`The animation cannot be shown: ${reason}. Plots and tables are not affected.`, 'error'));
  }

  start_renderer(box) {
    this.renderer = new SceneRenderer(this.canvas, box, this.scene.ground_height);
    const cross = axes_cross();
    this.scale = element('span', { class: 'grid-scale' });
    this.labels = make_labels(this.scene.bodies);
    this.canvas.append(this.labels.node, cross.node, this.scale);
    this.renderer.after_draw = (camera) => {
      cross.update(camera);
      this.labels.update(camera);
    };
    const surface = this.renderer.renderer.domElement;
    surface.setAttribute('role', 'img');
    surface.setAttribute('aria-label', 'The bodies in three dimensions. Drag to turn, scroll to zoom, drag with the right button to move.');
    surface.addEventListener('webglcontextlost', () => this.fail(new Error('the graphics driver gave up; load the page again')));
    this.views = this.scene.bodies.map((body, i) => new DeformableBodyView(body, theme(`--body-${i % body_colour_count}`)));
    this.traces = this.scene.bodies.map((body) => new TraceView(body));
    [...this.views, ...this.traces].forEach((view) => this.renderer.add(view));
    on_theme_change(() => this.refresh_theme());
    this.picker = new Picker(this.renderer, this.canvas, () => this.targets(), this.selection);
    this.selection.on_change(() => this.mark());
  }

  // What the pointer can be at.
  targets() {
    return this.views.filter((view) => view.object.visible).map((view) => ({ object: view.mesh, name_at: () => view.body.name, kind: '' }));
  }

  mark() {
    this.views.forEach((view) => view.mark(view.body.name === this.selection.marked));
    this.renderer?.request();
  }

  fill_toolbar() {
    const fields = this.scene.fields.map((field, index) => ({ ...field, index }));
    this.wireframe = false;
    this.ground = true;
    this.full_range = false;
    this.paths = true;
    if (fields.length > 0) this.toolbar.append(this.field_choice(fields));
    this.range_box = this.checkbox('all values', 'full_range', () => this.refresh(), 'Colours from the smallest to the largest value; otherwise the outermost half percent is left out');
    this.toolbar.append(this.range_box,
      this.checkbox('wireframe', 'wireframe', () => this.refresh_theme()),
      this.checkbox('grid', 'ground', () => this.refresh_theme()),
      this.has_traces() ? this.checkbox('paths', 'paths', () => this.refresh()) : '',
      view_buttons(() => this.renderer));
    if (this.views.length > 1) this.toolbar.append(this.body_choice());
    this.choose_field(fields[0] ?? null);
    this.refresh_theme();
  }

  field_choice(fields) {
    const choice = element('select', { onchange: () => this.choose_field(fields[choice.value] ?? null) },
      fields.map((field, index) => element('option', { value: index }, in_words(field.name))),
      element('option', { value: 'none' }, 'body'));
    return element('label', {}, element('span', {}, 'colour by'), choice);
  }

  checkbox(text, property, then, title) {
    const box = element('input', { type: 'checkbox', checked: this[property], onchange: () => { this[property] = box.checked; then(); } });
    return element('label', { title }, box, ` ${text}`);
  }

  body_choice() {
    return element('span', { class: 'bodies', role: 'group', 'aria-label': 'bodies shown' }, this.views.map((view, i) => {
      const box = element('input', { type: 'checkbox', checked: true, onchange: () => {
        view.object.visible = box.checked;
        this.labels.show(i, box.checked);
        this.refresh();
      } });
      return element('label', {}, box, element('span', { class: `swatch body-${i % body_colour_count}` }), view.body.name);
    }));
  }

  choose_field(field) {
    this.field = field;
    this.range_box.hidden = !field || this.is_categorical() || !varies(field) || (this.robust_range()[0] <= field.minimum && field.high >= field.maximum);
    this.refresh();
  }

  // The field whose values the colours show; null where it does not vary.
  shown_field() {
    return this.field && (this.is_categorical() || varies(this.field)) ? this.field : null;
  }

  is_categorical() {
    return Boolean(this.field?.categories.length);
  }

  has_traces() {
    return this.scene.bodies.some((body) => body.traces.length > 0);
  }

  // Of the colours, and of the lines.
  legends() {
    const lines = this.paths ? trace_legend(this.scene.bodies.filter((_, i) => this.views[i].object.visible)) : [];
    const amounts = this.field && !this.is_categorical();
    return [!amounts ? '' : this.shown_field() ? legend(this.field, ...this.range) : constant_legend(this.field),
      this.is_categorical() || lines.length > 0 ? category_legend(this.is_categorical() ? this.field : null, lines) : ''];
  }

  // [low, high] of the colours; the low end of what cannot be negative is 0 where that wastes few colours.
  robust_range() {
    const { minimum, low, high } = this.field;
    return [minimum >= 0 && low < 0.1 * high ? 0 : low, high];
  }

  colour_range() {
    if (!this.field || this.is_categorical()) return [0, 0];
    return rounded_range(this.full_range ? [this.field.minimum, this.field.maximum] : this.robust_range());
  }

  refresh() {
    if (!this.renderer) return;
    const range = this.colour_range();
    for (const view of this.views) {
      view.show_frame(this.frame);
      view.show_field(this.frame, this.shown_field(), ...range);
    }
    this.traces.forEach((traces, i) => { traces.object.visible = this.paths && this.views[i].object.visible; });
    this.range = range;
    this.legend.replaceChildren(...this.legends());
    this.node.classList.toggle('by-field', Boolean(this.shown_field()));
    this.renderer.request();
  }

  refresh_theme() {
    if (!this.renderer) return;
    this.views.forEach((view, i) => {
      view.plain.color.set(theme(`--body-${i % body_colour_count}`));
      view.show_wireframe(this.wireframe, theme('--wireframe'));
    });
    this.traces.forEach((traces) => traces.refresh_theme());
    if (this.is_categorical()) this.refresh();
    const cell = this.renderer.show_ground(this.ground);
    this.scale.textContent = cell ? `grid ${format_quantity(cell, 'm')}` : '';
  }

  // The last frame that is not after `time`.
  show_time(time) {
    const { times } = this.description;
    let frame = 0;
    while (frame + 1 < times.length && times[frame + 1] <= time) ++frame;
    if (frame === this.frame) return;
    this.frame = frame;
    if (!this.renderer) return;
    for (const view of this.views) {
      view.show_frame(frame);
      view.show_field(frame, this.shown_field(), ...this.range);
    }
    this.renderer.request();
  }

  draw_now() {
    this.renderer?.draw();
  }
}
