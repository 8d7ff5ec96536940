// The rigid bodies that a picture must hold: a plane reaches far beyond the others and need not be in it as a whole.

// Whether all points [x, y, z, ...] lie in one plane that their first three span.
export function lies_in_plane(points) {
  const from_first = (i) => [0, 1, 2].map((axis) => points[3 * i + axis] - points[axis]);
  const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
  if (points.length < 9) return false;
  const [a, b] = [from_first(1), from_first(2)];
  const normal = [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
  const size = Math.max(Math.hypot(...a), Math.hypot(...b)), length = Math.hypot(...normal);
  if (!(length > 1e-6 * size * size)) return false;
  for (let i = 3; i < points.length / 3; ++i)
    if (Math.abs(dot(from_first(i), normal)) > 1e-6 * size * length) return false;
  return true;
}

// Those that are no planes; where there is nothing else, also deformable, the planes.
export function framed_bodies({ bodies, rigid }) {
  const solid = rigid.filter((body) => !lies_in_plane(body.points));
  return bodies.length === 0 && solid.length === 0 ? rigid : solid;
}
