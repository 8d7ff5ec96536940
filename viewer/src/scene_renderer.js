// Draws one scene with three.js: camera, light, ground and the views of what moves. It draws when something changed, not always.
import { DirectionalLight, HemisphereLight, Scene, SRGBColorSpace, Vector3, WebGLRenderer } from 'three';
import { OrbitControls } from 'three/addons/controls/OrbitControls.js';
import { fit, like, make_camera, oblique_direction, set_aspect, views } from './cameras.js';
import { theme } from './dom.js';
import { make_ground } from './ground.js';

export class SceneRenderer {
  // Throws where the browser has no WebGL.
  constructor(host, box, ground_height) {
    this.host = host;
    this.box = box;
    this.ground_height = ground_height ?? box.minimum[2] - 0.03 * this.extent();
    this.renderer = new WebGLRenderer({ antialias: true, alpha: true });
    this.renderer.outputColorSpace = SRGBColorSpace;
    this.scene = new Scene();
    this.camera = make_camera(false);
    this.aspect = 1;
    this.add_lights();
    host.append(this.renderer.domElement);
    this.controls = this.make_controls();
    this.untouched = true;
    this.view = null;
    this.after_draw = () => {};
    new ResizeObserver(() => this.resize()).observe(host);
    this.resize();
  }

  extent() {
    return Math.max(...[0, 1, 2].map((axis) => this.box.maximum[axis] - this.box.minimum[axis]), 1e-9);
  }

  // Strong sky light keeps the colors close to the legend's; a light at the camera's shoulder shows the shape.
  add_lights() {
    const sky = new HemisphereLight(0xffffff, 0xb4b4bc, 1.9);
    sky.position.set(0, 0, 1);
    const light = new DirectionalLight(0xffffff, 1.7);
    light.position.set(-0.5, 0.9, 1);
    this.lights = [light, light.target];  // they move with the camera
    this.camera.add(...this.lights);
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
    this.aspect = width / height;
    set_aspect(this.camera, this.aspect);
    if (this.untouched) this.look(this.view);
    this.draw();
  }

  // The box [m] that "all of the clip" means from now on.
  set_box(box) {
    this.box = box;
    if (this.untouched) this.look(this.view);
    this.request();
  }

  // Shows all of the clip: obliquely, or along an axis ("x", "y", "z").
  look(view) {
    this.view = view;
    const toward = views[view] ? new Vector3(...views[view].toward).normalize() : oblique_direction(this.box);
    this.controls.target.copy(fit(this.camera, this.box, toward, this.aspect));
    this.controls.update();
    this.untouched = true;
    this.request();
  }

  make_controls() {
    const controls = new OrbitControls(this.camera, this.renderer.domElement);
    controls.zoomToCursor = true;
    controls.addEventListener('change', () => this.request());
    controls.addEventListener('start', () => { this.untouched = false; });
    return controls;
  }

  // The size in the picture then no longer depends on the distance from the camera.
  set_orthographic(orthographic) {
    if (Boolean(this.camera.isOrthographicCamera) === orthographic) return;
    const camera = like(this.camera, this.controls.target, this.aspect);
    this.scene.remove(this.camera);
    camera.add(...this.lights);
    this.scene.add(camera);
    this.camera = this.controls.object = camera;
    this.controls.update();
    if (this.untouched) this.look(this.view);
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
