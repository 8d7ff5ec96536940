// A rigid mesh with a pose in each frame, in the color of its kind.
import { BufferAttribute, BufferGeometry, DoubleSide, FrontSide, Mesh, MeshStandardMaterial, Vector3 } from 'three';
import { theme } from './dom.js';
import { middle_of } from './scene_bounds.js';
import { pose_at } from './scene_data.js';
import { is_flat, split_creases, write_normals } from './shading.js';

const marked_glow = 0x775500;

export class RigidBodyView {
  constructor(body, poses) {
    Object.assign(this, { body, poses, name: body.name, kind: body.kind, hue: body.hue, group: body.group });
    const { index, entry_of_point } = split_creases(body.triangles, body.points.length / 3, body.points);
    const points = new Float32Array(3 * entry_of_point.length), normals = new Float32Array(points.length);
    entry_of_point.forEach((entry, point) => points.set(body.points.subarray(3 * entry, 3 * entry + 3), 3 * point));
    write_normals(index, points, normals);
    const geometry = new BufferGeometry();
    geometry.setAttribute('position', new BufferAttribute(points, 3));
    geometry.setAttribute('normal', new BufferAttribute(normals, 3));
    geometry.setIndex(new BufferAttribute(index, 1));
    // Planes hide nothing behind them: a wall between the viewer and the scene is not drawn.
    this.material = new MeshStandardMaterial({ roughness: 0.62, metalness: 0, side: is_flat(normals) ? FrontSide : DoubleSide });
    this.object = new Mesh(geometry, this.material);
    this.middle = middle_of(body.points).middle;
    this.refresh_theme();
  }

  show_frame(frame) {
    const { position, turn } = pose_at(this.poses, frame, this.body.number);
    this.object.position.set(...position);
    this.object.quaternion.set(...turn).normalize();
    this.object.updateMatrix();
  }

  refresh_theme() {
    this.material.color.set(theme(`--hue-${this.hue}`));
  }

  mark(marked) {
    this.material.emissive.set(marked ? marked_glow : 0x000000);
  }

  // Pale where another group is drawn in the same place.
  fade(opacity) {
    this.material.transparent = opacity < 1;
    this.material.opacity = opacity;
    this.material.needsUpdate = true;
  }

  // The position of the body's name, in the coordinates of its group.
  anchor() {
    return new Vector3(...this.middle).applyMatrix4(this.object.matrix);
  }
}
