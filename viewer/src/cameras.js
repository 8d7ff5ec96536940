// The two cameras of a scene, of which one is used at a time, and the directions they look along.
import { OrthographicCamera, PerspectiveCamera, Vector3 } from 'three';

const margin = 1.12;
const field_of_view = 32;  // degrees, of the height

// From the scene to the camera. z is up in all of them; from straight above it would have no direction in the picture.
export const views = {
  x: { toward: [1, 0, 0], title: 'seen along the x axis: y to the right, z upwards' },
  y: { toward: [0, -1, 0], title: 'seen along the y axis: x to the right, z upwards' },
  z: { toward: [0, -1e-4, 1], title: 'seen along the z axis: x to the right, y upwards' },
};

export function make_camera(orthographic) {
  const camera = orthographic ? new OrthographicCamera(-1, 1, 1, -1, 1, 10) : new PerspectiveCamera(field_of_view, 1, 1, 10);
  camera.up.set(0, 0, 1);
  return camera;
}

// Obliquely on the side of the longest horizontal axis; what lies flat is seen more from above.
export function oblique_direction({ minimum, maximum }) {
  const along_x = maximum[0] - minimum[0] >= maximum[1] - minimum[1];
  const across = Math.max(maximum[0] - minimum[0], maximum[1] - minimum[1]);
  const height = maximum[2] - minimum[2] < 0.15 * across ? 1.6 : 0.42;
  return (along_x ? new Vector3(0.5, -1, height) : new Vector3(1, -0.5, height)).normalize();
}

// Moves the camera so that the box [m] fits, seen from `toward` (unit); returns the box' middle.
export function fit(camera, box, toward, aspect) {
  const { minimum, maximum } = box;
  const center = new Vector3(...[0, 1, 2].map((axis) => (minimum[axis] + maximum[axis]) / 2));
  const right = new Vector3().crossVectors(camera.up, toward).normalize();
  const up = new Vector3().crossVectors(toward, right);
  const tangent_y = Math.tan((field_of_view * Math.PI) / 360), tangent_x = tangent_y * aspect;
  let distance = 0, half_height = 0;
  for (let corner = 0; corner < 8; ++corner) {
    const offset = new Vector3(...[0, 1, 2].map((axis) => (corner & (1 << axis) ? maximum : minimum)[axis])).sub(center);
    const [x, y] = [Math.abs(offset.dot(right)), Math.abs(offset.dot(up))];
    distance = Math.max(distance, Math.max(x / tangent_x, y / tangent_y) * margin + offset.dot(toward));
    half_height = Math.max(half_height, Math.max(x / aspect, y) * margin);
  }
  distance = Math.max(distance, 1e-6);
  camera.near = distance / 200;
  camera.far = distance * 50;
  if (camera.isOrthographicCamera) {
    camera.near = -10 * distance;
    camera.zoom = 1;
    set_height(camera, 2 * Math.max(half_height, 1e-9), aspect);
  }
  camera.position.copy(center).addScaledVector(toward, distance);
  set_aspect(camera, aspect);
  return center;
}

function set_height(camera, height, aspect) {
  [camera.top, camera.bottom, camera.left, camera.right] = [height / 2, -height / 2, (-height * aspect) / 2, (height * aspect) / 2];
}

export function set_aspect(camera, aspect) {
  if (camera.isOrthographicCamera) set_height(camera, camera.top - camera.bottom, aspect);
  else camera.aspect = aspect;
  camera.updateProjectionMatrix();
}

// The other kind of camera at the same place, showing what is at `target` in the same size.
export function like(other, target, aspect) {
  const camera = make_camera(!other.isOrthographicCamera);
  camera.up.copy(other.up);
  const away = other.position.clone().sub(target);
  const tangent = 2 * Math.tan((field_of_view * Math.PI) / 360);
  if (camera.isOrthographicCamera) {
    const distance = away.length();
    set_height(camera, distance * tangent, aspect);
    [camera.near, camera.far] = [-10 * distance, 50 * distance];
  } else {
    away.setLength((other.top - other.bottom) / other.zoom / tangent);
    [camera.near, camera.far] = [away.length() / 200, away.length() * 50];
  }
  camera.position.copy(target).add(away);
  set_aspect(camera, aspect);
  return camera;
}
