// The boxes around a scene and its groups over the whole clip.
import { Quaternion, Vector3 } from 'three';
import { framed_bodies } from './framed_bodies.js';
import { point_at, pose_at } from './scene_data.js';

class Box {
  constructor() {
    this.minimum = [Infinity, Infinity, Infinity];
    this.maximum = [-Infinity, -Infinity, -Infinity];
  }

  get is_empty() {
    return this.minimum[0] > this.maximum[0];
  }

  // Extends the box by a ball of `radius` around a point.
  extend(point, radius = 0) {
    for (let axis = 0; axis < 3; ++axis) {
      this.minimum[axis] = Math.min(this.minimum[axis], point[axis] - radius);
      this.maximum[axis] = Math.max(this.maximum[axis], point[axis] + radius);
    }
  }

  extend_by(box, offset) {
    if (box.is_empty) return;
    for (const side of [box.minimum, box.maximum]) this.extend(side.map((value, axis) => value + offset[axis]));
  }
}

// The middle of a rigid body's mesh in its own coordinates, and how far from it the mesh reaches.
export function middle_of(points) {
  const box = new Box();
  for (let i = 0; i < points.length; i += 3) box.extend(points.subarray(i, i + 3));
  const middle = [0, 1, 2].map((axis) => (box.minimum[axis] + box.maximum[axis]) / 2);
  let radius = 0;
  for (let i = 0; i < points.length; i += 3) radius = Math.max(radius, Math.hypot(...[0, 1, 2].map((axis) => points[i + axis] - middle[axis])));
  return { middle, radius };
}

function extend_by_rigid(box, body, scene) {
  const [turn, place] = [new Quaternion(), new Vector3()];
  const corners = farthest(body.points);
  for (let frame = 0; frame < scene.times.length; ++frame) {
    const pose = pose_at(scene.poses, frame, body.number);
    turn.set(...pose.turn).normalize();
    for (const corner of corners) box.extend(place.set(...corner).applyQuaternion(turn).toArray().map((value, axis) => value + pose.position[axis]));
  }
}

// The points of a mesh that lie outermost along each of 26 directions.
function farthest(points) {
  const chosen = new Map();
  for (let code = 0; code < 27; ++code) {
    const way = [(code % 3) - 1, (Math.floor(code / 3) % 3) - 1, Math.floor(code / 9) - 1];
    let best = -Infinity, at = 0;
    for (let i = 0; i < points.length; i += 3) {
      const reach = way[0] * points[i] + way[1] * points[i + 1] + way[2] * points[i + 2];
      if (reach > best) [best, at] = [reach, i];
    }
    chosen.set(at, [...points.subarray(at, at + 3)]);
  }
  return [...chosen.values()];
}

// [group + 1] the box of each group, those of no group first, where they are without being put beside each other.
export function group_boxes(scene) {
  const boxes = Array.from({ length: scene.groups.length + 1 }, () => new Box());
  for (const body of scene.bodies)
    if (body.entries > 0) for (const side of [body.positions.minimum, body.positions.maximum]) boxes[body.group + 1].extend(side);
  for (const body of framed_bodies(scene)) extend_by_rigid(boxes[body.group + 1], body, scene);
  for (const glyph of scene.glyphs)
    for (let frame = 0; frame < scene.times.length; ++frame)
      for (let i = 0; i < glyph.count; ++i)
        boxes[glyph.group + 1].extend(point_at(scene.points, frame, glyph.first + i), glyph.shape === 'ring' ? 0 : glyph.size);
  return boxes;
}

// The box around all [m]; null where there is nothing.
export function bounds(scene, boxes, overlaid) {
  const all = new Box();
  boxes.forEach((box, i) => all.extend_by(box, i === 0 || overlaid ? [0, 0, 0] : scene.groups[i - 1].beside));
  return all.is_empty ? null : { minimum: all.minimum, maximum: all.maximum };
}
