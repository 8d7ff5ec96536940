// The paths of some of a body's vertices over the whole clip, as lines.
import { Color, Group } from 'three';
import { Line2 } from 'three/addons/lines/Line2.js';
import { LineGeometry } from 'three/addons/lines/LineGeometry.js';
import { LineMaterial } from 'three/addons/lines/LineMaterial.js';
import { element, theme } from './dom.js';
import { path_of } from './scene_data.js';

const width = 2.5, reference_width = 8;  // pixels
const paleness = 0.35;                   // of a reference, which is opaque: where its pieces overlap nothing shows

export class TraceView {
  constructor(body) {
    this.object = new Group();
    this.lines = body.traces.map((trace) => {
      const path = path_of(body, trace.entry);
      const geometry = new LineGeometry();
      geometry.setPositions(path.length > 3 ? path : [...path, ...path]);
      // A reference is drawn first and hides nothing, so that a line along it lies on it.
      const material = new LineMaterial({ linewidth: trace.reference ? reference_width : width, depthWrite: !trace.reference });
      const line = new Line2(geometry, material);
      line.frustumCulled = false;
      line.renderOrder = trace.reference ? -1 : 0;
      this.object.add(line);
      return { trace, line };
    });
    this.refresh_theme();
  }

  refresh_theme() {
    const back = new Color(theme('--panel'));
    this.lines.forEach(({ trace, line }) => line.material.color.set(theme(`--hue-${trace.hue}`)).lerp(back, trace.reference ? paleness : 0));
  }
}

// Each kind of trace once.
export function trace_legend(bodies) {
  const kinds = new Map(bodies.flatMap((body) => body.traces).map((trace) => [JSON.stringify([trace.name, trace.hue, trace.reference]), trace]));
  return [...kinds.values()].map((trace) => element('li', {},
    element('span', { class: `trace-key hue-${trace.hue}${trace.reference ? ' reference' : ''}` }), trace.name));
}
