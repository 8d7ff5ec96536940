// Buttons for the direction and the projection of a scene's view: along an axis, obliquely, without perspective.
import { views } from './cameras.js';
import { element } from './dom.js';

// `renderer()`: the SceneRenderer.
export function view_buttons(renderer) {
  const button = (text, title, view) => element('button', { type: 'button', title, 'aria-label': title, onclick: () => renderer().look(view) }, text);
  const orthographic = element('input', { type: 'checkbox', onchange: () => renderer().set_orthographic(orthographic.checked) });
  return element('span', { class: 'views', role: 'group', 'aria-label': 'view' },
    button('3D', 'the whole clip, seen obliquely', null), ...Object.entries(views).map(([axis, view]) => button(axis, view.title, axis)),
    element('label', { title: 'parallel projection: sizes can be compared at any distance' }, orthographic, ' orthographic'));
}
