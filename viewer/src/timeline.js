// Play, scrub and speed controls of a Playback, with the run's marks; and its keys.
import { element } from './dom.js';
import { time_formatter } from './numbers.js';

const speeds = [0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2, 5, 10];

// The speed closest to real time with which the clip lasts between 2 and 60 seconds.
function sensible_speed(duration) {
  const allowed = speeds.filter((speed) => duration / speed >= 2 && duration / speed <= 60);
  if (allowed.length === 0) return duration < 2 ? speeds[0] : speeds[speeds.length - 1];
  return allowed.reduce((best, speed) => (Math.abs(Math.log(speed)) < Math.abs(Math.log(best)) ? speed : best));
}

export function make_timeline(playback, marks) {
  const format = time_formatter(playback.times);
  const last = playback.times.length - 1;
  playback.speed = sensible_speed(playback.duration);

  const play = element('button', { type: 'button', class: 'play', onclick: () => playback.toggle() });
  const button = (text, label, count) => element('button', { type: 'button', 'aria-label': label, title: label, onclick: () => playback.step(count) }, text);
  const scrub = element('input', { type: 'range', min: 0, max: last, step: 1, 'aria-label': 'frame', oninput: () => {
    const frame = Number(scrub.value);  // before the pause writes the bar anew
    playback.pause();
    playback.show(frame);
  } });
  const speed = element('select', { 'aria-label': 'speed', title: 'speed', onchange: () => { playback.speed = Number(speed.value); } },
    speeds.map((each) => element('option', { value: each, selected: each === playback.speed }, `${each}×`)));
  const readout = element('output', { class: 'readout', 'aria-live': 'off' });

  playback.on_change(() => {
    play.textContent = playback.playing ? '❚❚' : '▶';
    play.setAttribute('aria-label', playback.playing ? 'pause' : 'play');
    play.title = playback.playing ? 'pause (space)' : 'play (space)';
    scrub.value = playback.frame;
    const time = `${format(playback.time)} s`;
    scrub.setAttribute('aria-valuetext', time);
    readout.replaceChildren(element('strong', {}, time), ` of ${format(playback.times[last])} s`,
      element('span', { class: 'frame-number' }, `frame ${playback.frame_indices[playback.frame]} of ${playback.frame_count - 1}`));
  });
  return element('div', { class: 'timeline', role: 'group', 'aria-label': 'playback' },
    element('div', { class: 'buttons' }, button('❘◂', 'one frame back (left arrow)', -1), play, button('▸❘', 'one frame on (right arrow)', 1)),
    element('div', { class: 'scrub' }, scrub, mark_ticks(playback, marks)), speed, readout, mark_buttons(playback, marks, format));
}

const within = (playback, mark) => Number.isFinite(mark.time) && mark.time >= playback.times[0] && mark.time <= playback.times[playback.times.length - 1];

function mark_ticks(playback, marks) {
  if (playback.times.length < 2) return null;
  return element('div', { class: 'ticks', 'aria-hidden': 'true' }, marks.filter((mark) => within(playback, mark)).map((mark) => {
    const tick = element('i', {});
    // The scrub bar counts frames, which need not be evenly spaced in time.
    const frame = Math.max(0, playback.times.findLastIndex((time) => time <= mark.time));
    tick.style.left = `${(100 * frame) / (playback.times.length - 1)}%`;
    return tick;
  }));
}

function mark_buttons(playback, marks, format) {
  const shown = marks.filter((mark) => within(playback, mark));
  if (shown.length === 0) return null;
  return element('div', { class: 'marks' }, shown.map((mark) => element('button', { type: 'button', onclick: () => {
    playback.pause();
    playback.show_time(mark.time);
  } }, `${format(mark.time)} s`, element('span', {}, mark.label))));
}

// Space plays, arrows step (ten frames with shift), Home and End jump; not while typing or in another control.
export function listen_to_keys(playback) {
  const actions = {
    ' ': () => playback.toggle(),
    ArrowLeft: (event) => playback.step(event.shiftKey ? -10 : -1),
    ArrowRight: (event) => playback.step(event.shiftKey ? 10 : 1),
    Home: () => playback.step(-Infinity),
    End: () => playback.step(Infinity),
  };
  addEventListener('keydown', (event) => {
    const action = actions[event.key];
    if (!action || event.ctrlKey || event.altKey || event.metaKey) return;
    if (event.target.closest?.('select, textarea, summary, input:not([type=range])')) return;
    if (event.key === ' ' && event.target.closest?.('button')) return;
    event.preventDefault();
    action(event);
  });
}
