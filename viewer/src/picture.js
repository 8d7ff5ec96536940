// The scenes alone, in the whole window: page.html?picture, for `holo export`, which takes pictures of it.
//
// picture.show(N), on the window, shows the frame N and resolves to the frame that is shown once it is drawn.
import { element } from './dom.js';
import { time_formatter } from './numbers.js';

export function make_picture(page, playback, panels, notes) {
  const format = time_formatter(playback.times);
  const time = element('output', { class: 'picture-time' });
  playback.on_change(() => { time.textContent = `${format(playback.time)} s`; });
  document.body.classList.add('picture');
  page.replaceChildren(notes, element('div', { class: 'scenes' }, panels.map((panel) => panel.node)), time);
  window.picture = {
    async show(index) {
      playback.show_index(index);
      panels.forEach((panel) => panel.draw_now());
      await new Promise((resolve) => requestAnimationFrame(resolve));
      return playback.frame_indices[playback.frame];
    },
  };
}
