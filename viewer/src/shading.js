// Vertices and normals for the lighting of a surface: a vertex on a sharp edge is drawn once for each smooth side, and the normals
// follow the motion.

const crease_cosine = Math.cos((50 * Math.PI) / 180);

// Unit normals [triangle][3] of the surface at `positions` [entry][3].
function triangle_normals(triangles, positions) {
  const normals = new Float32Array(triangles.length);
  for (let t = 0; t < triangles.length; t += 3) {
    const [a, b, c] = [3 * triangles[t], 3 * triangles[t + 1], 3 * triangles[t + 2]];
    const [ux, uy, uz] = [positions[b] - positions[a], positions[b + 1] - positions[a + 1], positions[b + 2] - positions[a + 2]];
    const [vx, vy, vz] = [positions[c] - positions[a], positions[c + 1] - positions[a + 1], positions[c + 2] - positions[a + 2]];
    const [x, y, z] = [uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx];
    const length = Math.hypot(x, y, z) || 1;
    normals.set([x / length, y / length, z / length], t);
  }
  return normals;
}

const dot = (normals, a, b) => normals[a] * normals[b] + normals[a + 1] * normals[b + 1] + normals[a + 2] * normals[b + 2];

function corners_by_entry(triangles, entries) {
  const lists = Array.from({ length: entries }, () => []);
  for (let corner = 0; corner < triangles.length; ++corner) lists[triangles[corner]].push(corner);
  return lists;
}

// The corners at one entry, grouped: two triangles that share an edge there are of one group where the edge is not sharp.
function smooth_groups(corners, triangles, normals) {
  const others = corners.map((corner) => {
    const t = 3 * Math.floor(corner / 3);
    return [triangles[t], triangles[t + 1], triangles[t + 2]].filter((entry) => entry !== triangles[corner]);
  });
  const group = corners.map((_, i) => i);
  const root = (i) => (group[i] === i ? i : (group[i] = root(group[i])));
  for (let i = 0; i < corners.length; ++i)
    for (let j = 0; j < i; ++j) {
      const neighbors = others[i].some((entry) => others[j].includes(entry));
      const smooth = dot(normals, 3 * Math.floor(corners[i] / 3), 3 * Math.floor(corners[j] / 3)) > crease_cosine;
      if (neighbors && smooth) group[root(i)] = root(j);
    }
  return corners.map((_, i) => root(i));
}

// Splits the entries at the sharp edges of the surface at rest: {index: [corner] point, entry_of_point: [point]}.
export function split_creases(triangles, entries, positions) {
  const normals = triangle_normals(triangles, positions);
  const index = new Uint32Array(triangles.length);
  const entry_of_point = [];
  corners_by_entry(triangles, entries).forEach((corners, entry) => {
    const point_of_group = new Map();
    smooth_groups(corners, triangles, normals).forEach((group, i) => {
      if (!point_of_group.has(group)) point_of_group.set(group, entry_of_point.push(entry) - 1);
      index[corners[i]] = point_of_group.get(group);
    });
  });
  return { index, entry_of_point: Uint32Array.from(entry_of_point) };
}

// Normals [point][3], weighted by the triangles' areas.
export function write_normals(index, points, normals) {
  normals.fill(0);
  for (let t = 0; t < index.length; t += 3) {
    const a = 3 * index[t], b = 3 * index[t + 1], c = 3 * index[t + 2];
    const ux = points[b] - points[a], uy = points[b + 1] - points[a + 1], uz = points[b + 2] - points[a + 2];
    const vx = points[c] - points[a], vy = points[c + 1] - points[a + 1], vz = points[c + 2] - points[a + 2];
    const x = uy * vz - uz * vy, y = uz * vx - ux * vz, z = ux * vy - uy * vx;
    normals[a] += x; normals[a + 1] += y; normals[a + 2] += z;
    normals[b] += x; normals[b + 1] += y; normals[b + 2] += z;
    normals[c] += x; normals[c + 1] += y; normals[c + 2] += z;
  }
  for (let i = 0; i < normals.length; i += 3) {
    const length = Math.hypot(normals[i], normals[i + 1], normals[i + 2]) || 1;
    normals[i] /= length; normals[i + 1] /= length; normals[i + 2] /= length;
  }
}

// The edges, each once, as pairs of points.
export function edges(index, entry_of_point, entries) {
  const seen = new Set();
  const pairs = [];
  for (let t = 0; t < index.length; t += 3)
    for (let k = 0; k < 3; ++k) {
      const [a, b] = [index[t + k], index[t + ((k + 1) % 3)]];
      const [low, high] = [entry_of_point[a], entry_of_point[b]].sort((left, right) => left - right);
      const key = low * entries + high;
      if (!seen.has(key)) pairs.push(a, b);
      seen.add(key);
    }
  return Uint32Array.from(pairs);
}

// Whether all normals [point][3] are the same: those of a plane.
export function is_flat(normals) {
  for (let i = 3; i < normals.length; i += 3) if (dot(normals, i, 0) < 1 - 1e-6) return false;
  return true;
}
