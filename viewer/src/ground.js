// A grid on the ground that fades out, and the small cross of the axes.
import { BufferGeometry, Color, Float32BufferAttribute, LineBasicMaterial, LineSegments, Vector3 } from 'three';
import { svg } from './dom.js';
import { nice_step } from './numbers.js';

// {object, cell}: lines at `height` [m] around the box, with square cells of `cell` [m].
export function make_ground(box, height, color) {
  const center = [0, 1].map((axis) => (box.minimum[axis] + box.maximum[axis]) / 2);
  const radius = 1.1 * Math.max(...[0, 1, 2].map((axis) => box.maximum[axis] - box.minimum[axis]), 1e-6);
  const cell = nice_step(radius / 5);
  const [cx, cy] = center.map((value) => Math.round(value / cell) * cell);
  const count = Math.ceil(radius / cell);
  const points = [];
  for (let i = -count; i <= count; ++i)
    for (let j = -count; j < count; ++j)
      points.push([i, j], [i, j + 1], [j, i], [j + 1, i]);
  const geometry = new BufferGeometry();
  geometry.setAttribute('position', new Float32BufferAttribute(points.flatMap(([i, j]) => [cx + i * cell, cy + j * cell, height]), 3));
  const { r, g, b } = new Color(color);
  const alpha = ([i, j]) => Math.max(0, 1 - Math.hypot(i, j) / count) ** 0.7;
  geometry.setAttribute('color', new Float32BufferAttribute(points.flatMap((point) => [r, g, b, alpha(point)]), 4));
  const material = new LineBasicMaterial({ vertexColors: true, transparent: true, depthWrite: false });
  return { object: new LineSegments(geometry, material), cell };
}

const axis_colors = ['#d1495b', '#3a9d5d', '#3d7dd8'];

// An SVG of the three axes as the camera sees them; call update(camera) after each turn.
export function axes_cross() {
  const size = 64;
  const arms = ['x', 'y', 'z'].map((name, axis) => {
    const line = svg('line', { x1: 0, y1: 0, stroke: axis_colors[axis], 'stroke-width': 2, 'stroke-linecap': 'round' });
    const label = svg('text', { fill: axis_colors[axis], 'text-anchor': 'middle', 'dominant-baseline': 'central' }, name);
    return { line, label, group: svg('g', {}, line, label) };
  });
  const node = svg('svg', { class: 'axes-cross', viewBox: `${-size / 2} ${-size / 2} ${size} ${size}`, 'aria-hidden': 'true' });
  const update = (camera) => {
    const seen = arms.map((arm, axis) => ({ arm, at: new Vector3().setComponent(axis, 1).transformDirection(camera.matrixWorldInverse) }));
    seen.sort((a, b) => a.at.z - b.at.z);
    for (const { arm, at } of seen) {
      const place = (element, x, y, length) => {
        element.setAttribute(x, (at.x * length).toFixed(2));
        element.setAttribute(y, (-at.y * length).toFixed(2));
      };
      place(arm.line, 'x2', 'y2', 18);
      place(arm.label, 'x', 'y', 26);
      node.append(arm.group);
    }
  };
  return { node, update };
}
