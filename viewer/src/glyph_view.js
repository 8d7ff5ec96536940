// A sign at points of each frame: a marker, a segment, an arrow or a ring; and the path of its first point.
import { ConeGeometry, CylinderGeometry, DoubleSide, FrontSide, GreaterDepth, Group, Mesh, MeshStandardMaterial, OctahedronGeometry, TorusGeometry, Vector3 } from 'three';
import { theme } from './dom.js';
import { path_of, point_at } from './scene_data.js';
import { make_path } from './trace_view.js';

const thin = 0.15;         // of an arrow's head: its shaft
const pale_opacity = 0.65;
const upwards = new Vector3(0, 1, 0), outwards = new Vector3(0, 0, 1);

// Draws once more, pale, what lies behind something: muscles lie within bodies.
export function shine_through(material) {
  const pale = material.clone();
  return Object.assign(pale, { transparent: true, opacity: pale_opacity, depthFunc: GreaterDepth, depthWrite: false, side: FrontSide });
}

export class GlyphView {
  // `inside`: the sign shows through what hides it.
  constructor(glyph, points, frames, inside = false) {
    Object.assign(this, { glyph, points, name: glyph.name, kind: glyph.size > 0 ? glyph.kind : '', hue: glyph.hue, group: glyph.group });
    this.material = new MeshStandardMaterial({ roughness: 0.62, metalness: 0, side: DoubleSide });
    this.pale = inside ? shine_through(this.material) : null;
    this.object = new Group();
    this.sign = glyph.size > 0 ? this.make_sign() : null;
    if (this.sign) this.object.add(this.sign);
    this.path = glyph.trace ? make_path(path_of(points, frames, glyph.first), glyph.hue, glyph.reference) : null;
    if (this.path) this.object.add(this.path.line);
    this.refresh_theme();
  }

  // A sign with a length (a segment, an arrow) has length 1 along y, and is scaled for each frame.
  make_sign() {
    const { shape, size } = this.glyph;
    const mesh = (geometry) => {
      const object = new Mesh(geometry, this.material);
      if (this.pale) object.add(new Mesh(geometry, this.pale));
      return object;
    };
    if (shape === 'marker') return mesh(new OctahedronGeometry(size));
    if (shape === 'segment') return mesh(new CylinderGeometry(size, size, 1, 10).translate(0, 0.5, 0));
    if (shape === 'ring') return mesh(new TorusGeometry(1, 0.15, 8, 32));
    const arrow = new Group();
    arrow.add(mesh(new CylinderGeometry(thin * 3 * size, thin * 3 * size, 0.8, 10).translate(0, 0.4, 0)), mesh(new ConeGeometry(size, 0.2, 16).translate(0, 0.9, 0)));
    return arrow;
  }

  show_frame(frame) {
    const first = new Vector3(...point_at(this.points, frame, this.glyph.first));
    this.place = first;
    if (!this.sign) return;
    this.sign.position.copy(first);
    if (this.glyph.shape === 'marker') return;
    const way = new Vector3(...point_at(this.points, frame, this.glyph.first + 1)).sub(first);
    const length = way.length();
    this.sign.visible = length > 0;
    if (this.glyph.shape === 'ring') {
      this.sign.quaternion.setFromUnitVectors(outwards, way.normalize());
      this.sign.scale.setScalar(length);
    } else {
      this.sign.quaternion.setFromUnitVectors(upwards, way.normalize());
      this.sign.scale.set(1, length, 1);
    }
  }

  refresh_theme() {
    [this.material, this.pale].forEach((material) => material?.color.set(theme(`--hue-${this.hue}`)));
    this.path?.refresh_theme();
  }

  show_paths(visible) {
    if (this.path) this.path.line.visible = visible;
  }

  mark(marked) {
    [this.material, this.pale].forEach((material) => material?.emissive.set(marked ? 0x775500 : 0x000000));
    if (this.sign && this.glyph.shape === 'marker') this.sign.scale.setScalar(marked ? 1.6 : 1);
  }

  fade(opacity) {
    this.material.transparent = opacity < 1;
    this.material.opacity = opacity;
    this.material.needsUpdate = true;
  }

  anchor() {
    return this.place.clone();
  }
}
