// The surface of a model's body, displaced by a part of its mode and colored by the size of the displacement.
import { BufferAttribute, BufferGeometry, Color, DoubleSide, DynamicDrawUsage, Mesh, MeshStandardMaterial, SRGBColorSpace } from 'three';
import { color_at } from './color_map.js';
import { split_creases, write_normals } from './shading.js';

export class ModelView {
  // `positions` [entry][3] of a body in the middle of the bounds tell where its edges are sharp.
  constructor(triangles, positions) {
    const { index, entry_of_point } = split_creases(triangles, positions.length / 3, positions);
    this.entry_of_point = entry_of_point;
    this.geometry = new BufferGeometry();
    for (const name of ['position', 'normal', 'color'])
      this.geometry.setAttribute(name, new BufferAttribute(new Float32Array(3 * entry_of_point.length), 3).setUsage(DynamicDrawUsage));
    this.geometry.setIndex(new BufferAttribute(index, 1));
    this.object = new Mesh(this.geometry, new MeshStandardMaterial({ vertexColors: true, roughness: 0.62, metalness: 0, side: DoubleSide }));
    this.object.frustumCulled = false;  // its bounds move
  }

  // Colors of the displacements [entry][3], of which the largest is about 1.
  show_colors(displacements) {
    const { color } = this.geometry.attributes;
    const shade = new Color();
    this.entry_of_point.forEach((entry, point) => {
      const size = Math.hypot(displacements[3 * entry], displacements[3 * entry + 1], displacements[3 * entry + 2]);
      shade.setRGB(...color_at(size), SRGBColorSpace).toArray(color.array, 3 * point);
    });
    color.needsUpdate = true;
  }

  show(positions, displacements, factor) {
    const { position, normal } = this.geometry.attributes;
    this.entry_of_point.forEach((entry, point) => {
      for (let axis = 0; axis < 3; ++axis) position.array[3 * point + axis] = positions[3 * entry + axis] + factor * displacements[3 * entry + axis];
    });
    write_normals(this.geometry.index.array, position.array, normal.array);
    position.needsUpdate = normal.needsUpdate = true;
  }
}
