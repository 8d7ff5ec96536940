// Dots at some vertices of a deformable body, such as a handle's.
import { BufferAttribute, BufferGeometry, GreaterDepth, Points, PointsMaterial, Vector3 } from 'three';
import { theme } from './dom.js';
import { point_at } from './scene_data.js';

const width = 6, marked_width = 10;  // pixels

export class VertexSetView {
  constructor(set, body) {
    Object.assign(this, { set, body, name: set.name, kind: set.kind, hue: set.hue, group: body.group, asked_for: !set.on_request, marked: false });
    this.positions = new BufferAttribute(new Float32Array(3 * set.entries.length), 3);
    const geometry = new BufferGeometry();
    geometry.setAttribute('position', this.positions);
    this.material = new PointsMaterial({ size: width, sizeAttenuation: false });
    // Those within the body, and on its far side, show through it.
    this.pale = Object.assign(this.material.clone(), { transparent: true, opacity: 0.3, depthFunc: GreaterDepth, depthWrite: false });
    this.object = new Points(geometry, this.material);
    this.object.add(new Points(geometry, this.pale));
    [this.object, ...this.object.children].forEach((points) => { points.frustumCulled = false; });
    this.refresh_theme();
    this.show(this.asked_for);
  }

  // One that is drawn on request is also drawn while it is marked.
  show(asked_for) {
    this.asked_for = asked_for;
    this.object.visible = asked_for || this.marked;
  }

  show_frame(frame) {
    this.set.entries.forEach((entry, i) => this.positions.array.set(point_at(this.body.positions, frame, entry), 3 * i));
    this.positions.needsUpdate = true;
    this.object.geometry.boundingSphere = null;
  }

  refresh_theme() {
    [this.material, this.pale].forEach((material) => material.color.set(theme(`--hue-${this.hue}`)));
  }

  mark(marked) {
    if (this.set.on_request && marked !== this.marked) this.object.visible = this.asked_for || marked;
    this.marked = marked;
    [this.material, this.pale].forEach((material) => { material.size = marked ? marked_width : width; });
  }

  fade() {}

  anchor() {
    const { array } = this.positions, middle = new Vector3();
    for (let i = 0; i < array.length; i += 3) middle.add(new Vector3(array[i], array[i + 1], array[i + 2]));
    return middle.divideScalar(Math.max(1, array.length / 3));
  }
}
