// One scene with its controls: color by field, wireframe, grid, bodies or groups, views, legend.
import { ArrowsView } from './arrows_view.js';
import { category_legend, constant_legend, legend, rounded_range, varies } from './color_map.js';
import { DeformableBodyView } from './deformable_body_view.js';
import { element, message, on_theme_change, theme } from './dom.js';
import { GlyphView } from './glyph_view.js';
import { axes_cross } from './ground.js';
import { make_labels } from './labels.js';
import { Picker } from './picking.js';
import { RigidBodyView } from './rigid_body_view.js';
import { bounds, group_boxes } from './scene_bounds.js';
import { decode_scene } from './scene_data.js';
import { SceneGroups } from './scene_groups.js';
import { SceneRenderer } from './scene_renderer.js';
import { trace_legend, TraceView } from './trace_view.js';
import { format_quantity, in_words } from './units.js';
import { VertexSetView } from './vertex_set_view.js';
import { view_buttons } from './view_buttons.js';

const body_color_count = 6;

export class ScenePanel {
  constructor(scene, titled, selection) {
    this.description = scene;
    this.selection = selection;
    this.field = null;
    this.frame = 0;
    this.bodies = [];  // views of deformable bodies
    this.others = [];  // views of all else
    this.canvas = element('div', { class: 'canvas' }, element('p', { class: 'loading' }, 'Unpacking the animation …'));
    this.toolbar = element('div', { class: 'toolbar' });
    this.legend = element('div', { class: 'legend-place' });
    this.node = element('section', { class: 'scene', 'aria-label': scene.title || 'animation' },
      titled ? element('h2', {}, scene.title) : null, this.toolbar, this.canvas, this.legend);
  }

  get views() {
    return [...this.bodies, ...this.others];
  }

  // Unpacks and draws; what cannot be drawn is told in its place, and the rest of the page works on.
  async load() {
    try {
      this.scene = await decode_scene(this.description);
      this.boxes = group_boxes(this.scene);
      const box = bounds(this.scene, this.boxes, false);
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
    this.make_views();
    this.labels = make_labels([...this.groups.labels(this.boxes), ...this.bodies.filter((view) => view.body.labeled && view.body.entries > 0)
      .map((view) => ({ key: view, name: view.name, box: () => view.body.positions }))]);
    this.canvas.append(this.labels.node, cross.node, this.scale);
    this.renderer.after_draw = (camera) => {
      cross.update(camera);
      this.labels.update(camera);
    };
    const surface = this.renderer.renderer.domElement;
    surface.setAttribute('role', 'img');
    surface.setAttribute('aria-label', 'The bodies in three dimensions. Drag to turn, scroll to zoom, drag with the right button to move.');
    surface.addEventListener('webglcontextlost', () => this.fail(new Error('the graphics driver gave up; load the page again')));
    on_theme_change(() => this.refresh_theme());
    this.picker = new Picker(this.renderer, this.canvas, () => this.targets(), this.selection);
    this.selection.on_change(() => this.mark());
  }

  make_views() {
    const { bodies, rigid, glyphs, poses, points, times, arrows } = this.scene;
    this.groups = new SceneGroups(this.scene.groups);
    this.groups.objects.forEach((object) => this.renderer.add({ object }));
    this.bodies = bodies.map((body, i) => new DeformableBodyView(body, theme(`--body-${i % body_color_count}`)));
    this.traces = bodies.map((body) => new TraceView(body));
    this.arrows = arrows.filter((each) => each.total > 0).map((each) => new ArrowsView(each, this.renderer.extent()));
    this.others = [...this.arrows, ...rigid.map((body) => new RigidBodyView(body, poses)), ...glyphs.map((glyph) => new GlyphView(glyph, points, times.length, bodies.length > 0)),
      ...bodies.flatMap((body) => body.sets.map((set) => new VertexSetView(set, body)))];
    this.views.forEach((view) => this.groups.add(view.object, view.group));
    this.traces.forEach((view, i) => this.groups.add(view.object, bodies[i].group));
  }

  is_shown(view) {
    return view.object.visible && view.object.parent.visible;
  }

  // The objects that the pointer can select.
  targets() {
    return this.views.filter((view) => this.is_shown(view)).map((view) => ({ object: view.mesh ?? view.object, name_at: (hit) => view.name_at?.(hit) ?? view.name, kind: view.name_at ? '' : view.kind, through: Boolean(view.pale) }));
  }

  mark() {
    if (!this.renderer) return;
    this.views.forEach((view) => view.mark(view.name !== '' && view.name === this.selection.marked));
    const marked = this.views.filter((view) => view.name === this.selection.chosen && this.is_shown(view));
    this.labels.choose(marked.filter((view, i) => marked.findIndex((other) => other.group === view.group) === i));
    this.renderer.request();
  }

  fill_toolbar() {
    const fields = this.scene.fields.map((field, index) => ({ ...field, index }));
    this.wireframe = false;
    this.ground = true;
    this.full_range = false;
    this.paths = true;
    if (fields.length > 0) this.toolbar.append(this.field_choice(fields));
    this.range_box = this.checkbox('all values', 'full_range', () => this.refresh(), 'Colors from the smallest to the largest value; otherwise the outermost half percent is left out');
    this.toolbar.append(this.range_box,
      this.bodies.length > 0 ? this.checkbox('wireframe', 'wireframe', () => this.refresh_theme()) : '',
      this.checkbox('grid', 'ground', () => this.refresh_theme()),
      this.has_traces() ? this.checkbox('paths', 'paths', () => this.refresh()) : '',
      ...this.arrows.map((view) => this.choice(view.title, `${view.title} as arrows`, [view])), ...this.set_choices(), view_buttons(() => this.renderer));
    const regroup = (overlaid) => {
      this.groups.overlay(overlaid, this.views);
      this.renderer.set_box(bounds(this.scene, this.boxes, overlaid));
      this.refresh_theme();
    };
    const changed = (group, visible) => {
      this.labels.show(group, visible);
      this.refresh();
    };
    if (this.scene.groups.length > 0) this.toolbar.append(this.groups.controls(changed, regroup));
    else if (this.bodies.length > 1) this.toolbar.append(this.body_choice());
    this.choose_field(fields[0] ?? null);
    this.refresh_theme();
  }

  field_choice(fields) {
    const choice = element('select', { onchange: () => this.choose_field(fields[choice.value] ?? null) },
      fields.map((field, index) => element('option', { value: index }, in_words(field.name))),
      element('option', { value: 'none' }, 'body'));
    return element('label', {}, element('span', {}, 'color by'), choice);
  }

  // Of views that are not drawn at first: many arrows or dots hide what they are on.
  choice(text, title, views) {
    const box = element('input', { type: 'checkbox', onchange: () => { views.forEach((view) => view.show(box.checked)); this.refresh(); } });
    return element('label', { title }, box, ` ${text}`);
  }

  // One for each kind of sets that are drawn on request.
  set_choices() {
    const sets = this.others.filter((view) => view.set?.on_request);
    return [...new Set(sets.map((view) => view.kind))].map((kind) =>
      this.choice(`${kind}s`, `the vertices of each ${kind}; a name in a table shows one of them`, sets.filter((view) => view.kind === kind)));
  }

  checkbox(text, property, then, title) {
    const box = element('input', { type: 'checkbox', checked: this[property], onchange: () => { this[property] = box.checked; then(); } });
    return element('label', { title }, box, ` ${text}`);
  }

  body_choice() {
    return element('span', { class: 'bodies', role: 'group', 'aria-label': 'bodies shown' }, this.bodies.map((view, i) => {
      const box = element('input', { type: 'checkbox', checked: true, onchange: () => {
        view.object.visible = box.checked;
        this.others.filter((other) => other.body === view.body && !other.set.on_request).forEach((dots) => { dots.object.visible = box.checked; });
        this.labels.show(view, box.checked);
        this.refresh();
      } });
      return element('label', {}, box, element('span', { class: `swatch body-${i % body_color_count}` }), view.name);
    }));
  }

  choose_field(field) {
    this.field = field;
    this.range_box.hidden = !field || this.is_categorical() || !varies(field) || (this.robust_range()[0] <= field.minimum && field.high >= field.maximum);
    this.refresh();
  }

  // The field whose values the colors show; null where it does not vary.
  shown_field() {
    return this.field && (this.is_categorical() || varies(this.field)) ? this.field : null;
  }

  is_categorical() {
    return Boolean(this.field?.categories.length);
  }

  has_traces() {
    return this.scene.bodies.some((body) => body.traces.length > 0) || this.scene.glyphs.some((glyph) => glyph.trace !== '');
  }

  // The legends of the colors, of the kinds of objects, and of the lines.
  legends() {
    const shown = this.others.filter((view) => this.is_shown(view));
    const kinds = new Map(shown.filter((view) => view.kind !== '').map((view) => [`${view.kind} ${view.hue}`, view]));
    const lines = [...this.bodies.filter((view) => this.is_shown(view)).flatMap((view) => view.body.traces),
      ...shown.filter((view) => view.path).map(({ glyph }) => ({ name: glyph.trace, hue: glyph.hue, reference: glyph.reference }))];
    const others = [...[...kinds.values()].map((view) => element('li', {}, element('span', { class: `swatch hue-${view.hue}` }), view.kind)),
      ...(this.paths ? trace_legend(lines) : [])];
    const amounts = this.field && !this.is_categorical();
    return [!amounts ? '' : this.shown_field() ? legend(this.field, ...this.range) : constant_legend(this.field),
      this.is_categorical() || others.length > 0 ? category_legend(this.is_categorical() ? this.field : null, others) : ''];
  }

  // [low, high] of the colors; the low end of what cannot be negative is 0 where that wastes few colors.
  robust_range() {
    const { minimum, low, high } = this.field;
    return [minimum >= 0 && low < 0.1 * high ? 0 : low, high];
  }

  color_range() {
    if (!this.field || this.is_categorical()) return [0, 0];
    return rounded_range(this.full_range ? [this.field.minimum, this.field.maximum] : this.robust_range());
  }

  draw_frame() {
    this.views.forEach((view) => view.show_frame(this.frame));
    this.bodies.forEach((view) => view.show_field(this.frame, this.shown_field(), ...this.range));
    this.renderer.request();
  }

  refresh() {
    if (!this.renderer) return;
    this.range = this.color_range();
    this.traces.forEach((traces, i) => { traces.object.visible = this.paths && this.bodies[i].object.visible; });
    this.others.forEach((view) => view.show_paths?.(this.paths));
    this.draw_frame();
    this.legend.replaceChildren(...this.legends());
    this.node.classList.toggle('by-field', Boolean(this.shown_field()));
  }

  refresh_theme() {
    if (!this.renderer) return;
    this.bodies.forEach((view, i) => {
      view.plain.color.set(theme(`--body-${i % body_color_count}`));
      view.show_wireframe(this.wireframe, theme('--wireframe'));
    });
    [...this.others, ...this.traces].forEach((view) => view.refresh_theme());
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
    if (this.renderer) this.draw_frame();
  }

  draw_now() {
    this.renderer?.draw();
  }
}
