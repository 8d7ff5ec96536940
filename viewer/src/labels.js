// Names that stand above bodies in the picture.
import { Vector3 } from 'three';
import { element } from './dom.js';

// {node, update(camera), show(body index, visible)} for the bodies that ask for a label.
export function make_labels(bodies) {
  const labels = bodies.flatMap((body, index) => {
    if (!body.labelled || body.entries === 0) return [];
    const [x, y, z] = [0, 1, 2].map((axis) => (body.minimum[axis] + body.maximum[axis]) / 2);
    return [{ index, middle: new Vector3(x, y, z), corners: corners_of(body), node: element('span', { class: 'label' }, body.name) }];
  });
  const node = element('div', { class: 'labels', 'aria-hidden': 'true' }, labels.map((label) => label.node));
  const update = (camera) => labels.forEach((label) => {
    const seen = label.middle.clone().project(camera);
    const top = Math.max(...label.corners.map((corner) => corner.clone().project(camera).y));
    label.node.style.left = `${50 + 50 * seen.x}%`;
    label.node.style.top = `${50 - 50 * top}%`;
    label.node.style.visibility = Math.abs(seen.z) <= 1 ? 'visible' : 'hidden';
  });
  const show = (index, visible) => labels.filter((label) => label.index === index).forEach((label) => { label.node.hidden = !visible; });
  return { node, update, show };
}

function corners_of({ minimum, maximum }) {
  return Array.from({ length: 8 }, (_, corner) => new Vector3(...[0, 1, 2].map((axis) => (corner & (1 << axis) ? maximum : minimum)[axis])));
}
