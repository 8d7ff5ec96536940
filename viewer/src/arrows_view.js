// Arrows at vertices, such as forces of contact: in each frame at other vertices, all with one scale.
import { ConeGeometry, CylinderGeometry, DoubleSide, Group, InstancedMesh, Matrix4, MeshStandardMaterial, Quaternion, Vector3 } from 'three';
import { scale_of } from './arrow_scale.js';
import { theme } from './dom.js';
import { shine_through } from './glyph_view.js';
import { vector_at } from './scene_data.js';
import { format_quantity } from './units.js';

const thickest = 0.006;  // over the extent: half the width of a head
const upwards = new Vector3(0, 1, 0);

export class ArrowsView {
  constructor(arrows, extent) {
    Object.assign(this, { arrows, extent, name: arrows.name, hue: arrows.hue, group: -1, shown: false });
    const amounts = Array.from({ length: arrows.total }, (_, i) => Math.hypot(...vector_at(arrows, i).vector));
    this.scale = scale_of(amounts, extent);
    this.material = new MeshStandardMaterial({ roughness: 0.62, metalness: 0, side: DoubleSide });
    this.pale = shine_through(this.material);
    this.object = new Group();
    this.object.visible = false;
    const most = Math.max(1, ...arrows.counts);
    const parts = [new CylinderGeometry(0.4, 0.4, 0.75, 8).translate(0, 0.375, 0), new ConeGeometry(1, 0.25, 12).translate(0, 0.875, 0)];
    this.meshes = parts.flatMap((part) => [this.material, this.pale].map((material) => new InstancedMesh(part, material, most)));
    this.meshes.forEach((mesh) => { mesh.frustumCulled = false; });
    this.object.add(...this.meshes);
    this.refresh_theme();
  }

  // In the legend: what the arrows are, and their scale.
  get kind() {
    if (!this.scale) return '';
    const { amount, length } = this.scale;
    return `${this.title}: ${format_quantity(amount, this.arrows.unit)} is ${format_quantity(length, 'm')} long`;
  }

  get title() {
    return this.arrows.name.replaceAll('_', ' ');
  }

  name_at(hit) {
    const { vector } = vector_at(this.arrows, this.arrows.first[this.frame] + hit.instanceId);
    return `${this.title} ${format_quantity(Number(Math.hypot(...vector).toPrecision(3)), this.arrows.unit)}`;
  }

  show_frame(frame) {
    this.frame = frame;
    if (!this.shown || !this.scale) return;
    const { arrows, scale: { amount, length } } = this;
    const matrix = new Matrix4(), turn = new Quaternion();
    for (let i = 0; i < arrows.counts[frame]; ++i) {
      const { place, vector } = vector_at(arrows, arrows.first[frame] + i);
      const size = Math.hypot(...vector) * (length / amount), width = Math.min(thickest * this.extent, 0.2 * size);
      turn.setFromUnitVectors(upwards, new Vector3(...vector).normalize());
      matrix.compose(new Vector3(...place), turn, new Vector3(width, Math.max(size, 1e-12), width));
      this.meshes.forEach((mesh) => mesh.setMatrixAt(i, matrix));
    }
    this.meshes.forEach((mesh) => {
      mesh.count = arrows.counts[frame];
      mesh.instanceMatrix.needsUpdate = true;
      mesh.boundingSphere = null;
    });
  }

  show(visible) {
    this.shown = this.object.visible = visible;
    if (this.frame !== undefined) this.show_frame(this.frame);
  }

  refresh_theme() {
    [this.material, this.pale].forEach((material) => material.color.set(theme(`--hue-${this.hue}`)));
  }

  mark() {}

  fade() {}

  anchor() {
    return new Vector3();
  }
}
