// Reads the data block and builds the page.
//
// page.html?frame=N shows the run's frame N at once, without playing; document.title becomes READY when it is drawn.
// page.html?picture&frame=N shows the scenes alone (picture.js).
import { contents_list } from './contents.js';
import { element, message } from './dom.js';
import { ModelPanel } from './model_panel.js';
import { make_picture } from './picture.js';
import { Playback } from './playback.js';
import { PlotPanel, small, tall } from './plots.js';
import { ScenePanel } from './scene_panel.js';
import { Selection } from './selection.js';
import { acceptance_table, make_table, paper_table, provenance_list, verdict_badge } from './tables.js';
import { listen_to_keys, make_timeline } from './timeline.js';

const format_version = 4;
const page = document.getElementById('report');

function read_data() {
  let data;
  try {
    data = JSON.parse(document.getElementById('report-data').textContent);
  } catch (problem) {
    throw new Error(`its data block is damaged (${problem.message})`);
  }
  if (data.format !== format_version) throw new Error(`its data block is of format ${data.format}, this page reads ${format_version}`);
  return data;
}

function header(data) {
  const lines = data.description.trim().split('\n');
  const long = lines.length > 4;
  const text = element(long ? 'details' : 'div', { class: 'description' },
    long ? element('summary', {}, lines[0]) : null, element('pre', {}, (long ? lines.slice(1) : lines).join('\n')));
  return element('header', {},
    element('div', { class: 'title' }, element('h1', {}, data.title || 'Report'), data.verdict === 'none' ? null : verdict_badge(data.verdict)),
    element('p', { class: 'status' }, data.study ? element('span', { class: 'study' }, data.study) : null, data.status),
    data.description.trim() ? text : null);
}

// A message about the frames of the run that the page does not contain.
function frames_left_out(scenes) {
  const scene = scenes.find((each) => each.times.length < each.frame_count);
  if (!scene) return null;
  const stride = scene.frame_indices[1] - scene.frame_indices[0];
  return message(`To keep this page small it holds ${scene.times.length} of the run's ${scene.frame_count} frames, every ${ordinal(stride)}.`);
}

function ordinal(number) {
  const ending = number % 100 >= 11 && number % 100 <= 13 ? 'th' : ['th', 'st', 'nd', 'rd'][number % 10] ?? 'th';
  return `${number}${ending}`;
}

// Shows the frame that the address asks for; returns a message where that is not the one shown.
function show_requested(playback, text) {
  const whole = /^\s*[+-]?\d+\s*$/.test(text);
  const wanted = whole ? Number(text) : 0;
  playback.show_index(wanted);
  const shown = playback.frame_indices[playback.frame];
  if (!whole) return message(`'${text}' is no frame number; frame ${shown} is shown.`);
  if (wanted < 0 || wanted >= playback.frame_count)
    return message(`There is no frame ${text.trim()}: the frames are 0 to ${playback.frame_count - 1}. Frame ${shown} is shown.`);
  return shown === wanted ? null : message(`This page does not hold frame ${wanted}; frame ${shown}, the nearest one, is shown.`);
}

async function build(data) {
  document.title = data.title || 'Report';
  const query = new URLSearchParams(location.search), requested = query.get('frame');
  const scenes = data.scenes.filter((scene) => scene.times.length > 0);
  const longest = scenes.reduce((best, scene) => (best && best.times.length >= scene.times.length ? best : scene), null);
  const playback = longest && new Playback(longest);
  const selection = new Selection(scenes.flatMap((scene) => [...scene.bodies, ...scene.bodies.flatMap((body) => body.sets), ...scene.rigid.bodies, ...scene.glyphs.list].map(({ name }) => name)));
  const panels = scenes.map((scene) => new ScenePanel(scene, data.scenes.length > 1, selection));
  const plots = data.plots.map((plot) => new PlotPanel(plot, data.marks, playback, selection, playback ? small : tall));
  const models = data.models.map((model) => new ModelPanel(model));
  const notes = element('div', { class: 'notes' }, data.notes.map((note) => message(note)), frames_left_out(scenes),
    scenes.length < data.scenes.length ? message('A scene of this run has no frames.') : null);

  const moves = playback && playback.frame_count > 1;
  const stage = playback && element('section', { class: 'stage', 'aria-label': moves ? 'Animation' : 'Picture' },
    element('div', { class: 'scenes' }, panels.map((panel) => panel.node)), moves ? make_timeline(playback, data.marks) : null);
  // Plots over time stand beside the animation, which stays in view; the others below it.
  const beside = (panel) => !stage || panel.plot.x_is_time;
  const acceptance = data.acceptance.length > 0 ? acceptance_table(data.acceptance, selection) : null;
  // Without an animation the plots come first, in the full width, and the tables below.
  const side = stage ? element('div', { class: 'side' }, acceptance, plots.filter(beside).map((plot) => plot.node))
    : element('div', { class: 'main-plots' }, plots.map((plot) => plot.node));
  const below = stage ? plots.filter((plot) => !beside(plot)).map((plot) => plot.node) : [];
  const paper = data.paper.length > 0 ? [paper_table(data.paper, selection)] : [];
  const tables = data.tables.map((table) => make_table(table, selection));
  const provenance = data.provenance.length > 0 ? [provenance_list(data.provenance)] : [];
  const contents = contents_list([stage, ...models.map((model) => model.node), acceptance, ...plots.filter(beside).map((plot) => plot.node), ...below, ...paper, ...tables, ...provenance].filter(Boolean));
  page.replaceChildren(header(data), contents ?? '', notes,
    element('div', { class: ['content', stage ? 'with-stage' : '', scenes.length > 1 ? 'wide-stage' : ''].join(' ') }, stage, side),
    ...models.map((model) => model.node),
    ...(below.length > 0 ? [element('div', { class: 'more-plots' }, below)] : []),
    ...(!stage && acceptance ? [acceptance] : []), ...paper, ...tables, ...provenance);

  if (playback && query.has('picture')) make_picture(page, playback, panels, notes);
  addEventListener('keydown', (event) => { if (event.key === 'Escape') selection.choose(null); });
  if (playback) {
    playback.on_change(() => panels.forEach((panel) => panel.show_time(playback.time)));
    if (moves) listen_to_keys(playback);
    playback.show(0);
  }
  await Promise.all([...panels, ...models].map((panel) => panel.load()));
  if (requested !== null) {
    if (playback) notes.append(show_requested(playback, requested) ?? '');
    else notes.append(message('This report has no frames.'));
    await ready([...panels, ...models]);
  } else if (moves && !matchMedia('(prefers-reduced-motion: reduce)').matches) {
    playback.play();
  }
}

// The layout has settled and everything is drawn.
async function ready(panels) {
  for (let i = 0; i < 3; ++i) await new Promise((resolve) => requestAnimationFrame(resolve));
  panels.forEach((panel) => panel.draw_now());
  await new Promise((resolve) => requestAnimationFrame(resolve));
  document.title = 'READY';
}

try {
  await_or_tell(build(read_data()));
} catch (problem) {
  tell(problem);
}

function await_or_tell(promise) {
  promise.catch(tell);
}

function tell(problem) {
  page.prepend(message(`This report cannot be shown: ${problem.message}.`, 'error'));
  document.title = 'READY';
  console.error(problem);
}
