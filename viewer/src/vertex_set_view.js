// Dots at some vertices of a deformable body, such as a handle's.
import { BufferAttribute, BufferGeometry, Points, PointsMaterial, Vector3 } from 'three';
import { theme } from './dom.js';
import { point_at } from './scene_data.js';

const width = 6, marked_width = 10;  // pixels

export class VertexSetView {
  constructor(set, body) {
    Object.assign(this, { set, body, name: set.name, kind: set.kind, hue: set.hue, group: body.group });
    this.positions = new BufferAttribute(new Float32Array(3 * set.entries.length), 3);
    const geometry = new BufferGeometry();
    geometry.setAttribute('position', this.positions);
    this.material = new PointsMaterial({ size: width, sizeAttenuation: false });
    this.object = new Points(geometry, this.material);
    this.object.frustumCulled = false;
    this.refresh_theme();
  }

  show_frame(frame) {
    this.set.entries.forEach((entry, i) => this.positions.array.set(point_at(this.body.positions, frame, entry), 3 * i));
    this.positions.needsUpdate = true;
    this.object.geometry.boundingSphere = null;
  }

  refresh_theme() {
    this.material.color.set(theme(`--hue-${this.hue}`));
  }

  mark(marked) {
    this.material.size = marked ? marked_width : width;
  }

  fade() {}

  anchor() {
    const { array } = this.positions, middle = new Vector3();
    for (let i = 0; i < array.length; i += 3) middle.add(new Vector3(array[i], array[i + 1], array[i + 2]));
    return middle.divideScalar(Math.max(1, array.length / 3));
  }
}
