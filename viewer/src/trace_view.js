// Paths over the whole clip, as lines: of some of a body's vertices, of glyphs.
import { Color, Group } from 'three';
import { Line2 } from 'three/addons/lines/Line2.js';
import { LineGeometry } from 'three/addons/lines/LineGeometry.js';
import { LineMaterial } from 'three/addons/lines/LineMaterial.js';
import { element, theme } from './dom.js';
import { path_of } from './scene_data.js';

const width = 2.5, reference_width = 8;  // pixels
const paleness = 0.35;                   // of a reference, which is opaque: where its pieces overlap nothing shows

// {line, refresh_theme()} of a path [frame][3].
export function make_path(path, hue, reference) {
  const geometry = new LineGeometry();
  geometry.setPositions(path.length > 3 ? path : [...path, ...path]);
  // A reference is drawn first and hides nothing, so that a line along it lies on it.
  const material = new LineMaterial({ linewidth: reference ? reference_width : width, depthWrite: !reference });
  const line = new Line2(geometry, material);
  line.frustumCulled = false;
  line.renderOrder = reference ? -1 : 0;
  line.raycast = () => {};  // the pointer looks through it
  const refresh_theme = () => material.color.set(theme(`--hue-${hue}`)).lerp(new Color(theme('--panel')), reference ? paleness : 0);
  refresh_theme();
  return { line, refresh_theme };
}

export class TraceView {
  constructor(body) {
    this.object = new Group();
    this.paths = body.traces.map((trace) => make_path(path_of(body.positions, body.frames, trace.entry), trace.hue, trace.reference));
    this.paths.forEach((path) => this.object.add(path.line));
  }

  refresh_theme() {
    this.paths.forEach((path) => path.refresh_theme());
  }
}

// Each kind of trace, {name, hue, reference}, once.
export function trace_legend(traces) {
  const kinds = new Map(traces.map((trace) => [JSON.stringify([trace.name, trace.hue, trace.reference]), trace]));
  return [...kinds.values()].map((trace) => element('li', {},
    element('span', { class: `trace-key hue-${trace.hue}${trace.reference ? ' reference' : ''}` }), trace.name));
}
