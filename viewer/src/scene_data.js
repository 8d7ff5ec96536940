// A scene of the data block, unpacked: arrays of codes that are turned into numbers one frame at a time.
import { code_steps, decode_animation, decode_indices, missing_code } from './array_decoding.js';

async function decode_body(body, scene) {
  const frames = scene.times.length;
  const entries = body.vertex_count;
  const [triangles, ...axes] = await Promise.all([
    decode_indices(body.triangles, 3 * body.triangle_count, `triangles of '${body.name}'`),
    ...body.positions.axes.map((text) => decode_animation(text, frames, entries, `positions of '${body.name}'`)),
  ]);
  if (triangles.some((entry) => entry >= entries)) throw new Error(`triangles of '${body.name}': a vertex out of range`);
  const fields = await Promise.all(body.fields.map((text, f) =>
    text === null ? null : decode_animation(text, frames, entries, `${scene.fields[f].name} of '${body.name}'`)));
  const { minimum, maximum } = body.positions;
  if (body.traces.some((trace) => trace.entry >= entries)) throw new Error(`traces of '${body.name}': a vertex out of range`);
  return { name: body.name, labelled: body.labelled, traces: body.traces, entries, triangles, axes, minimum, maximum, fields };
}

export async function decode_scene(scene) {
  const bodies = [];
  for (const body of scene.bodies) bodies.push(await decode_body(body, scene));
  return { ...scene, bodies };
}

// Writes the body's positions [m] at a frame to target [entry][3].
export function write_positions(body, frame, target) {
  for (let axis = 0; axis < 3; ++axis) {
    const codes = body.axes[axis];
    const origin = body.minimum[axis];
    const step = (body.maximum[axis] - origin) / code_steps;
    for (let i = 0, k = frame * body.entries; i < body.entries; ++i, ++k) target[3 * i + axis] = origin + step * codes[k];
  }
}

// Where an entry of the body is at each frame: [frame][3], m.
export function path_of(body, entry) {
  const frames = body.entries > 0 ? body.axes[0].length / body.entries : 0;
  const path = new Float32Array(3 * frames);
  for (let frame = 0; frame < frames; ++frame)
    for (let axis = 0; axis < 3; ++axis)
      path[3 * frame + axis] = body.minimum[axis] + ((body.maximum[axis] - body.minimum[axis]) / code_steps) * body.axes[axis][frame * body.entries + entry];
  return path;
}

// The number of its category that a code stands for; undefined where the value is missing.
export function category_of(field, code) {
  return code === missing_code ? undefined : Math.round(field.minimum + ((field.maximum - field.minimum) * code) / code_steps);
}

// The box around all bodies over the whole clip [m]; null without bodies.
export function bounds(scene) {
  const filled = scene.bodies.filter((body) => body.entries > 0);
  if (filled.length === 0) return null;
  const extreme = (choose, side) => [0, 1, 2].map((axis) => choose(...filled.map((body) => body[side][axis])));
  return { minimum: extreme(Math.min, 'minimum'), maximum: extreme(Math.max, 'maximum') };
}
