// The surface of a deformable body: one mesh, rewritten for each frame.
import {
  BufferAttribute, BufferGeometry, Color, DataTexture, DoubleSide, DynamicDrawUsage, Group, LinearFilter, LineBasicMaterial,
  LineSegments, Mesh, MeshStandardMaterial, SRGBColorSpace, Vector3,
} from 'three';
import { code_steps, missing_code } from './array_decoding.js';
import { color_map_image, missing_color } from './color_map.js';
import { theme } from './dom.js';
import { category_of, write_positions } from './scene_data.js';
import { edges, split_creases, write_normals } from './shading.js';

const map_width = 256;

// The colors are looked up for each pixel at the interpolated value, so that they match the legend between the vertices too.
function color_map_texture() {
  const texture = new DataTexture(color_map_image(map_width), map_width, 2);
  texture.colorSpace = SRGBColorSpace;
  texture.magFilter = texture.minFilter = LinearFilter;
  texture.needsUpdate = true;
  return texture;
}

export class DeformableBodyView {
  constructor(body, color) {
    Object.assign(this, { body, name: body.name, kind: '', group: body.group });
    this.rest = new Float32Array(3 * body.entries);
    write_positions(body, 0, this.rest);
    const { index, entry_of_point } = split_creases(body.triangles, body.entries, this.rest);
    this.entry_of_point = entry_of_point;
    this.positions = new Float32Array(3 * body.entries);
    this.geometry = this.make_geometry(index);
    this.plain = new MeshStandardMaterial({ color: new Color(color), ...surface });
    this.mapped = new MeshStandardMaterial({ map: color_map_texture(), ...surface });
    this.by_category = new MeshStandardMaterial({ vertexColors: true, ...surface });
    this.mesh = new Mesh(this.geometry, this.plain);
    this.mesh.frustumCulled = false;  // its bounds move
    this.object = new Group();
    this.object.add(this.mesh);
  }

  make_geometry(index) {
    const geometry = new BufferGeometry();
    const attribute = (size) => new BufferAttribute(new Float32Array(size * this.entry_of_point.length), size).setUsage(DynamicDrawUsage);
    geometry.setAttribute('position', attribute(3));
    geometry.setAttribute('normal', attribute(3));
    geometry.setAttribute('uv', attribute(2));
    geometry.setAttribute('color', attribute(3));
    geometry.setIndex(new BufferAttribute(index, 1));
    return geometry;
  }

  show_frame(frame) {
    write_positions(this.body, frame, this.positions);
    const { position, normal } = this.geometry.attributes;
    this.entry_of_point.forEach((entry, point) => {
      for (let axis = 0; axis < 3; ++axis) position.array[3 * point + axis] = this.positions[3 * entry + axis];
    });
    write_normals(this.geometry.index.array, position.array, normal.array);
    position.needsUpdate = normal.needsUpdate = true;
  }

  // Brightens the body that the reader points at.
  mark(marked) {
    for (const material of [this.plain, this.mapped, this.by_category]) material.emissive.set(marked ? 0x553300 : 0x000000);
  }

  // The position of the body's name.
  anchor() {
    const middle = new Vector3();
    for (let i = 0; i < this.positions.length; i += 3) middle.add(new Vector3(...this.positions.subarray(i, i + 3)));
    return middle.divideScalar(Math.max(1, this.body.entries));
  }

  // `field` of the scene with its index, or null: the body's own color.
  show_field(frame, field, low, high) {
    const codes = field && this.body.fields[field.index];
    this.mesh.material = !codes ? this.plain : field.categories.length > 0 ? this.by_category : this.mapped;
    if (!codes) return;
    if (field.categories.length > 0) return void this.show_categories(frame, field, codes);
    const { uv } = this.geometry.attributes;
    const step = (field.maximum - field.minimum) / code_steps;
    const scale = high > low ? 1 / (high - low) : 0;
    const first = frame * this.body.entries;
    this.entry_of_point.forEach((entry, point) => {
      const code = codes[first + entry];
      const part = Math.min(1, Math.max(0, (field.minimum + step * code - low) * scale));
      // The middles of the first and the last texel are the ends of the map.
      uv.array[2 * point] = (0.5 + part * (map_width - 1)) / map_width;
      uv.array[2 * point + 1] = code === missing_code ? 0.75 : 0.25;
    });
    uv.needsUpdate = true;
  }

  show_categories(frame, field, codes) {
    const { color } = this.geometry.attributes;
    const colors = field.categories.map((category) => new Color(theme(`--hue-${category.hue}`)));
    const missing = new Color(missing_color);
    const first = frame * this.body.entries;
    this.entry_of_point.forEach((entry, point) => (colors[category_of(field, codes[first + entry])] ?? missing).toArray(color.array, 3 * point));
    color.needsUpdate = true;
  }

  show_wireframe(visible, color) {
    if (!this.wireframe && visible) {
      const geometry = new BufferGeometry();
      geometry.setAttribute('position', this.geometry.attributes.position);
      geometry.setIndex(new BufferAttribute(edges(this.geometry.index.array, this.entry_of_point, this.body.entries), 1));
      this.wireframe = new LineSegments(geometry, new LineBasicMaterial({ transparent: true, opacity: 0.32 }));
      this.wireframe.frustumCulled = false;
      this.object.add(this.wireframe);
    }
    if (!this.wireframe) return;
    this.wireframe.raycast = () => {};
    this.wireframe.visible = visible;
    this.wireframe.material.color.set(color);
  }
}

const surface = { roughness: 0.62, metalness: 0, side: DoubleSide, polygonOffset: true, polygonOffsetFactor: 1, polygonOffsetUnits: 1 };
