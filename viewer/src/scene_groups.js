// The groups of a scene, which are shown side by side, or overlaid for comparison.
import { Group } from 'three';
import { element } from './dom.js';

const paleness = 0.3;  // of all but the last group where they are overlaid

export class SceneGroups {
  // `groups`: [{name, beside}].
  constructor(groups) {
    this.groups = groups;
    this.overlaid = false;
    this.objects = [new Group(), ...groups.map(() => new Group())];  // the first holds what is of no group
    this.place();
  }

  place() {
    this.groups.forEach((group, i) => this.objects[i + 1].position.set(...(this.overlaid ? [0, 0, 0] : group.beside)));
    this.objects.forEach((object) => object.updateMatrixWorld(true));
  }

  add(object, group) {
    this.objects[group + 1].add(object);
  }

  overlay(overlaid, views) {
    this.overlaid = overlaid;
    this.place();
    views.forEach((view) => view.fade?.(overlaid && view.group >= 0 && view.group < this.groups.length - 1 ? paleness : 1));
  }

  // For labels.js; `boxes` from group_boxes(). Those of groups in one place stand above each other.
  labels(boxes) {
    return this.groups.map((group, i) => {
      const offset = (values) => values.map((value, axis) => value + this.objects[i + 1].position.getComponent(axis));
      return { key: i, name: group.name, lift: () => (this.overlaid ? 26 * i : 0), box: () => ({ minimum: offset(boxes[i + 1].minimum), maximum: offset(boxes[i + 1].maximum) }) };
    });
  }

  // Check boxes; `changed(group, visible)` and `regrouped(overlaid)` are told.
  controls(changed, regrouped) {
    const boxes = this.groups.map((group, i) => {
      const box = element('input', { type: 'checkbox', checked: true, onchange: () => {
        this.objects[i + 1].visible = box.checked;
        changed(i, box.checked);
      } });
      return element('label', {}, box, ` ${group.name}`);
    });
    const overlay = element('input', { type: 'checkbox', onchange: () => regrouped(overlay.checked) });
    return element('span', { class: 'bodies', role: 'group', 'aria-label': 'groups shown' }, boxes,
      this.groups.length > 1 ? element('label', { title: `drawn in one place, all but '${this.groups.at(-1).name}' pale` }, overlay, ' overlaid') : null);
  }
}
