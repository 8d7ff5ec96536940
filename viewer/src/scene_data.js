// A scene of the data block, unpacked: arrays of codes that are turned into numbers one frame at a time.
import { code_steps, decode_animation, decode_indices, missing_code } from './array_decoding.js';

// Channels [axis][frame][entry], each with its range: positions, poses.
async function decode_channels({ minimum, maximum, axes }, frames, entries, what) {
  return { minimum, maximum, entries, codes: await Promise.all(axes.map((text) => decode_animation(text, frames, entries, what))) };
}

function value(channels, axis, frame, entry) {
  const { minimum, maximum, codes, entries } = channels;
  return minimum[axis] + ((maximum[axis] - minimum[axis]) / code_steps) * codes[axis][frame * entries + entry];
}

async function decode_body(body, scene) {
  const frames = scene.times.length;
  const entries = body.vertex_count;
  const [triangles, positions] = await Promise.all([
    decode_indices(body.triangles, 3 * body.triangle_count, `triangles of '${body.name}'`),
    decode_channels(body.positions, frames, entries, `positions of '${body.name}'`),
  ]);
  if (triangles.some((entry) => entry >= entries)) throw new Error(`triangles of '${body.name}': a vertex out of range`);
  const fields = await Promise.all(body.fields.map((text, f) =>
    text === null ? null : decode_animation(text, frames, entries, `${scene.fields[f].name} of '${body.name}'`)));
  if ([...body.traces.map((trace) => trace.entry), ...body.sets.flatMap((set) => set.entries)].some((entry) => entry >= entries))
    throw new Error(`traces of '${body.name}': a vertex out of range`);
  const { name, labeled, traces, sets, group } = body;
  return { name, labeled, traces, sets, group, entries, triangles, positions, fields, frames };
}

function rigid_body(body, number) {
  const triangles = Uint32Array.from(body.triangles.flat());
  if (triangles.some((point) => point >= body.points.length)) throw new Error(`triangles of '${body.name}': a vertex out of range`);
  return { ...body, number, points: Float32Array.from(body.points.flat()), triangles };
}

// Arrows at vertices, with the number of the `first` one of each frame.
async function decode_arrows(arrows) {
  let total = 0;
  const first = arrows.counts.map((count) => (total += count) - count);
  return { ...arrows, first, total, values: await decode_channels(arrows.values, 1, total, `arrows '${arrows.name}'`) };
}

// {.., bodies: deformable ones, rigid: [body], poses, glyphs: [glyph with `first` point], points, arrows}
export async function decode_scene(scene) {
  const bodies = [];
  for (const body of scene.bodies) bodies.push(await decode_body(body, scene));
  const frames = scene.times.length;
  const rigid = scene.rigid.bodies.map(rigid_body);
  let first = 0;
  const glyphs = scene.glyphs.list.map((glyph) => {
    const count = glyph.shape === 'marker' ? 1 : 2;
    first += count;
    return { ...glyph, first: first - count, count };
  });
  const poses = await decode_channels(scene.rigid.poses, frames, rigid.length, 'poses');
  const points = await decode_channels(scene.glyphs.points, frames, scene.glyphs.point_count, 'points');
  const arrows = await Promise.all(scene.arrows.map(decode_arrows));
  return { ...scene, bodies, rigid, poses, glyphs, points, arrows };
}

// {place [x, y, z] in m, vector} of an arrow, counted over all frames.
export function vector_at(arrows, number) {
  const [x, y, z, ...vector] = [0, 1, 2, 3, 4, 5].map((axis) => value(arrows.values, axis, 0, number));
  return { place: [x, y, z], vector };
}

// Writes the body's positions [m] at a frame to target [entry][3].
export function write_positions(body, frame, target) {
  const { minimum, maximum, codes } = body.positions;
  for (let axis = 0; axis < 3; ++axis) {
    const origin = minimum[axis];
    const step = (maximum[axis] - origin) / code_steps;
    for (let i = 0, k = frame * body.entries; i < body.entries; ++i, ++k) target[3 * i + axis] = origin + step * codes[axis][k];
  }
}

// The position of an entry of the channels at a frame: [x, y, z], m.
export function point_at(channels, frame, entry) {
  return [0, 1, 2].map((axis) => value(channels, axis, frame, entry));
}

// {position [x, y, z], turn [x, y, z, w]} of a rigid body, the quaternion not quite of length 1.
export function pose_at(poses, frame, body) {
  const [w, x, y, z] = [3, 4, 5, 6].map((axis) => value(poses, axis, frame, body));
  return { position: point_at(poses, frame, body), turn: [x, y, z, w] };
}

// The positions of an entry at each of `frames` frames: [frame][3], m.
export function path_of(channels, frames, entry) {
  const path = new Float32Array(3 * frames);
  for (let frame = 0; frame < frames; ++frame) path.set(point_at(channels, frame, entry), 3 * frame);
  return path;
}

// The number of its category that a code stands for; undefined where the value is missing.
export function category_of(field, code) {
  return code === missing_code ? undefined : Math.round(field.minimum + ((field.maximum - field.minimum) * code) / code_steps);
}
