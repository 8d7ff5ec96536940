// Names in the picture: above groups and labeled bodies, and at what is chosen.
import { Vector3 } from 'three';
import { element } from './dom.js';

// {node, update(camera), show(key, visible), choose(views)}. `named`: [{key, name, box() -> {minimum, maximum} in the scene}].
export function make_labels(named) {
  const labels = named.map((each) => ({ ...each, node: element('span', { class: 'label' }, each.name) }));
  const node = element('div', { class: 'labels', 'aria-hidden': 'true' }, labels.map((label) => label.node));
  let chosen = [];
  const put = (target, x, y, depth) => {
    target.style.left = `${50 + 50 * x}%`;
    target.style.top = `${50 - 50 * y}%`;
    target.style.visibility = Math.abs(depth) <= 1 ? 'visible' : 'hidden';
  };
  const update = (camera) => {
    for (const label of labels) {
      const { minimum, maximum } = label.box();
      const middle = new Vector3(...[0, 1, 2].map((axis) => (minimum[axis] + maximum[axis]) / 2)).project(camera);
      const top = Math.max(...corners_of(minimum, maximum).map((corner) => corner.project(camera).y));
      put(label.node, middle.x, top, middle.z);
      label.node.style.marginTop = `${-(label.lift?.() ?? 0)}px`;
    }
    for (const { view, node: tag } of chosen) {
      const at = view.object.parent.localToWorld(view.anchor()).project(camera);
      put(tag, at.x, at.y, at.z);
    }
  };
  const show = (key, visible) => labels.filter((label) => label.key === key).forEach((label) => { label.node.hidden = !visible; });
  // Writes the names of these views at their places.
  const choose = (views) => {
    chosen.forEach((each) => each.node.remove());
    chosen = views.map((view) => ({ view, node: element('span', { class: 'label chosen' }, view.name) }));
    node.append(...chosen.map((each) => each.node));
  };
  return { node, update, show, choose };
}

function corners_of(minimum, maximum) {
  return Array.from({ length: 8 }, (_, corner) => new Vector3(...[0, 1, 2].map((axis) => (corner & (1 << axis) ? maximum : minimum)[axis])));
}
