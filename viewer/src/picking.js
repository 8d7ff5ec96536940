// Finds the object of a scene under the pointer: its name beside the pointer while it rests, chosen by a click.
import { Raycaster, Vector2 } from 'three';
import { element } from './dom.js';

const still = 4;  // px; a pointer that moved farther turned the camera

export class Picker {
  // `renderer`: a SceneRenderer. `targets()`: [{object, name_at(hit) -> name or null, kind, through}] of what is visible; `through`:
  // also behind other objects.
  constructor(renderer, host, targets, selection) {
    Object.assign(this, { renderer, host, targets, selection });
    this.raycaster = new Raycaster();
    this.tip = element('div', { class: 'tip', hidden: true, role: 'tooltip' });
    host.append(this.tip);
    const surface = renderer.renderer.domElement;
    surface.addEventListener('pointermove', (event) => { if (event.buttons === 0) this.hover(event); });
    surface.addEventListener('pointerleave', () => this.leave());
    surface.addEventListener('pointerdown', (event) => { this.down = [event.clientX, event.clientY]; });
    surface.addEventListener('click', (event) => {
      if (!this.down || Math.hypot(event.clientX - this.down[0], event.clientY - this.down[1]) > still) return;
      this.selection.choose(this.at(event)?.name ?? null);
    });
  }

  // {name, kind} of the nearest object below the pointer, of those first that show through others; null where there is none.
  at(event) {
    const box = this.renderer.renderer.domElement.getBoundingClientRect();
    const place = new Vector2((2 * (event.clientX - box.left)) / box.width - 1, 1 - (2 * (event.clientY - box.top)) / box.height);
    this.raycaster.setFromCamera(place, this.renderer.camera);
    // Dots are drawn with a few pixels each, whatever their distance.
    this.raycaster.params.Points.threshold = 0.006 * this.renderer.extent();
    let nearest = null;
    for (const target of this.targets())
      for (const hit of this.raycaster.intersectObject(target.object, true)) {
        const name = target.name_at(hit);
        const through = Boolean(target.through);
        if (name && (!nearest || (through === nearest.through ? hit.distance < nearest.distance : through)))
          nearest = { name, kind: target.kind, distance: hit.distance, through };
      }
    return nearest;
  }

  hover(event) {
    const found = this.at(event);
    this.selection.hover(found?.name ?? null);
    this.tip.hidden = !found;
    this.renderer.renderer.domElement.classList.toggle('over-object', Boolean(found));
    if (!found) return;
    this.tip.replaceChildren(element('strong', {}, found.name), found.kind ? ` ${found.kind}` : '');
    const box = this.host.getBoundingClientRect();
    const left = event.clientX - box.left, top = event.clientY - box.top;
    this.tip.style.left = `${Math.min(left + 12, Math.max(0, box.width - this.tip.offsetWidth - 4))}px`;
    this.tip.style.top = `${top > 40 ? top - 34 : top + 18}px`;
  }

  leave() {
    this.tip.hidden = true;
    this.selection.hover(null);
  }
}
