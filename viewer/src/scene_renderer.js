// Draws one scene with three.js: camera, light, ground and the views of what moves. It draws when something changed, not always.
import { DirectionalLight, HemisphereLight, PerspectiveCamera, Scene, SRGBColorSpace, Vector3, WebGLRenderer } from 'three';
import { OrbitControls } from 'three/addons/controls/OrbitControls.js';
import { theme } from './dom.js';
import { make_ground } from './ground.js';

const margin = 1.12;

export class SceneRenderer {
  // Throws where the browser has no WebGL.
  constructor(host, box, ground_height) {
    this.host = host;
    this.box = box;
    this.ground_height = ground_height ?? box.minimum[2] - 0.03 * this.extent();
    this.renderer = new WebGLRenderer({ antialias: true, alpha: true });
    this.renderer.outputColorSpace = SRGBColorSpace;
    this.scene = new Scene();
    this.camera = new PerspectiveCamera(32, 1, 1, 10);
    this.camera.up.set(0, 0, 1);
    this.add_lights();
    host.append(this.renderer.domElement);
    this.controls = new OrbitControls(this.camera, this.renderer.domElement);
    this.controls.zoomToCursor = true;
    this.controls.addEventListener('change', () => this.request());
    this.controls.addEventListener('start', () => { this.untouched = false; });
    this.untouched = true;
    this.after_draw = () => {};
    new ResizeObserver(() => this.resize()).observe(host);
    this.resize();
  }

  extent() {
    return Math.max(...[0, 1, 2].map((axis) => this.box.maximum[axis] - this.box.minimum[axis]), 1e-9);
  }

  // Strong sky light keeps the colours close to the legend's; a lamp at the camera's shoulder shows the shape.
  add_lights() {
    const sky = new HemisphereLight(0xffffff, 0xb4b4bc, 1.9);
    sky.position.set(0, 0, 1);
    const lamp = new DirectionalLight(0xffffff, 1.7);
    lamp.position.set(-0.5, 0.9, 1);
    this.camera.add(lamp, lamp.target);
    this.scene.add(sky, this.camera);
  }

  add(view) {
    this.scene.add(view.object);
  }

  show_ground(visible) {
    if (this.ground) this.scene.remove(this.ground.object);
    this.ground = visible ? make_ground(this.box, this.ground_height, theme('--grid')) : null;
    if (this.ground) this.scene.add(this.ground.object);
    this.request();
    return this.ground?.cell;
  }

  resize() {
    const { clientWidth: width, clientHeight: height } = this.host;
    if (width === 0 || height === 0) return;
    this.renderer.setPixelRatio(Math.min(devicePixelRatio, 2));
    this.renderer.setSize(width, height);
    this.camera.aspect = width / height;
    if (this.untouched) this.frame_all();
    this.camera.updateProjectionMatrix();
    this.draw();
  }

  // Moves the camera so that the whole clip fits, seen from the side of its longest horizontal axis.
  frame_all() {
    const { minimum, maximum } = this.box;
    const centre = new Vector3(...[0, 1, 2].map((axis) => (minimum[axis] + maximum[axis]) / 2));
    const along_x = maximum[0] - minimum[0] >= maximum[1] - minimum[1];
    const across = Math.max(maximum[0] - minimum[0], maximum[1] - minimum[1]);
    const height = maximum[2] - minimum[2] < 0.15 * across ? 1.6 : 0.42;  // what lies flat is seen from above
    const towards_camera = along_x ? new Vector3(0.5, -1, height) : new Vector3(1, -0.5, height);
    towards_camera.normalize();
    const right = new Vector3().crossVectors(this.camera.up, towards_camera).normalize();
    const up = new Vector3().crossVectors(towards_camera, right);
    const tangent_y = Math.tan((this.camera.fov * Math.PI) / 360);
    const tangent_x = tangent_y * this.camera.aspect;
    let distance = 0;
    for (let corner = 0; corner < 8; ++corner) {
      const offset = new Vector3(...[0, 1, 2].map((axis) => (corner & (1 << axis) ? maximum : minimum)[axis])).sub(centre);
      const needed = Math.max(Math.abs(offset.dot(right)) / tangent_x, Math.abs(offset.dot(up)) / tangent_y) * margin;
      distance = Math.max(distance, needed + offset.dot(towards_camera));
    }
    distance = Math.max(distance, 1e-6);
    this.camera.near = distance / 200;
    this.camera.far = distance * 50;
    this.camera.position.copy(centre).addScaledVector(towards_camera, distance);
    this.camera.updateProjectionMatrix();
    this.controls.target.copy(centre);
    this.controls.update();
    this.untouched = true;
    this.request();
  }

  request() {
    if (this.requested) return;
    this.requested = requestAnimationFrame(() => this.draw());
  }

  draw() {
    cancelAnimationFrame(this.requested);
    this.requested = undefined;
    this.renderer.render(this.scene, this.camera);
    this.after_draw(this.camera);
  }
}
