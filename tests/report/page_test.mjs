// Opens the sample reports in a browser and looks: node page_test.mjs REPORT_SAMPLES TEMPLATE FOLDER. Needs no package; Node 18 is enough.
// Exit 77 (skipped) when the build could not make the template.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { Browser, find_browser, sleep } from '../../scripts/browser.mjs';
import { difference } from '../../scripts/png.mjs';
import { make_harness } from './harness.mjs';
import { model_tests } from './page_model.mjs';
import { muscle_tests } from './page_muscles.mjs';
import { plot_tests } from './page_plots.mjs';
import { scene_tests } from './page_scene.mjs';

const [samples, page_template, folder] = process.argv.slice(2);
if (!existsSync(page_template)) {
  console.log(`skipped: there is no ${page_template}; building the target report_page tells why`);
  process.exit(77);
}
mkdirSync(folder, { recursive: true });
execFileSync(samples, [page_template, folder], { stdio: 'inherit' });

const harness = make_harness(folder);
const { url, visit, visible_text, frame_shown, picture } = harness;

const tests = {
  async 'two frames differ from each other and from an empty page'(browser) {
    const blank = await visit(browser, 'data:text/html,', (tab) => picture(tab));
    const first = await visit(browser, url('beam', '?frame=0'), (tab) => picture(tab, 'beam_0'));
    const second = await visit(browser, url('beam', '?frame=20'), (tab) => picture(tab, 'beam_20'));
    const again = await visit(browser, url('beam', '?frame=20'), (tab) => picture(tab));
    assert.ok(difference(first, blank) > 0.1, `frame 0 differs from an empty page in ${difference(first, blank)}`);
    assert.ok(difference(second, blank) > 0.1, `frame 20 differs from an empty page in ${difference(second, blank)}`);
    assert.ok(difference(first, second) > 0.03, `frames 0 and 20 differ in ${difference(first, second)}`);
    assert.ok(difference(second, again) < 0.001, `frame 20 looks the same again but for ${difference(second, again)}`);
  },

  async 'the scene alone fills the window and shows frames on request'(browser) {
    await visit(browser, url('beam', '?frame=0&picture'), async (tab) => {
      const first = await picture(tab);
      assert.equal(await tab.evaluate('picture.show(20)'), 20);
      assert.match(await tab.evaluate('document.querySelector(".picture-time").textContent'), / s$/);
      const later = await picture(tab, 'beam_alone');
      assert.ok(difference(first, later) > 0.01, `frames 0 and 20 differ in ${difference(first, later)}`);
      const [width, height] = await tab.evaluate('(({ width, height }) => [width, height])(document.querySelector(".canvas").getBoundingClientRect())');
      assert.ok(width === 1280 && height > 500, `the picture is ${width} x ${height}`);
      assert.equal(await tab.evaluate('document.querySelectorAll(".plot, .timeline, header").length'), 0);
      assert.equal(await tab.evaluate('document.documentElement.scrollHeight'), 720);
    }, { width: 1280, height: 720 });
  },

  async 'the body is in the picture, in the colors of the legend'(browser) {
    const canvas = await visit(browser, url('beam', '?frame=20'), (tab) => picture(tab, undefined, '.canvas'));
    const colors = new Set();
    let drawn = 0;
    for (let i = 0; i < canvas.pixels.length; i += canvas.channels) {
      const [r, g, b] = canvas.pixels.subarray(i, i + 3);
      if (Math.max(r, g, b) - Math.min(r, g, b) < 40) continue;  // ground and background are gray
      ++drawn;
      colors.add(`${r >> 5},${g >> 5},${b >> 5}`);
    }
    const part = drawn / (canvas.width * canvas.height);
    assert.ok(part > 0.04 && part < 0.7, `the bodies fill ${part} of the picture`);
    assert.ok(colors.size > 15, `${colors.size} colors`);
  },

  async 'kinds have their colors and paths are drawn, and the legend tells both'(browser) {
    // How many pixels have a hue, whatever the light makes of it.
    const hues = { green: [0x2c, 0x9e, 0x4b], red: [0xd3, 0x36, 0x2f], violet: [0x9a, 0x52, 0xc7], teal: [0x12, 0xa0, 0xa3] };
    const angle = ([r, g, b]) => Math.atan2(Math.sqrt(3) * (g - b), 2 * r - g - b);
    const counts = ({ pixels, channels }) => {
      const result = { green: 0, red: 0, violet: 0, teal: 0, others: 0 };
      for (let i = 0; i < pixels.length; i += channels) {
        const pixel = pixels.subarray(i, i + 3);
        if (Math.max(...pixel) - Math.min(...pixel) < 40) continue;
        const near = Object.keys(hues).find((name) => Math.cos(angle(hues[name]) - angle(pixel)) > 0.97);
        ++result[near ?? 'others'];
      }
      return result;
    };
    for (const dark of [false, true])
      await visit(browser, url('kinds', '?frame=40'), async (tab) => {
        const seen = counts(await picture(tab, dark ? 'kinds_dark' : 'kinds', '.canvas'));
        for (const name of Object.keys(hues)) assert.ok(seen[name] > 200, `${seen[name]} pixels are ${name}`);
        assert.ok(seen.others < 0.1 * (seen.green + seen.red), `${seen.others} pixels have other colors`);
        const legend = await tab.evaluate('document.querySelector(".legend").innerText');
        for (const expected of ['front', 'back', 'wanted path', 'path taken']) assert.ok(legend.includes(expected), `'${expected}' is in the legend`);
        assert.ok(!legend.includes('hidden kind'), 'a kind of which nothing is stays out of the legend');
        assert.equal(await tab.evaluate('document.querySelector(".label").textContent'), 'ball');
        await tab.evaluate('[...document.querySelectorAll(".toolbar label")].find((l) => l.textContent.trim() === "paths").querySelector("input").click()');
        await sleep(150);
        const without = counts(await picture(tab, undefined, '.canvas'));
        assert.ok(without.violet + without.teal < 0.1 * (seen.violet + seen.teal), 'the paths can be hidden');
        assert.ok(!(await tab.evaluate('document.querySelector(".legend").innerText')).includes('wanted path'));
      }, { dark });
  },

  async 'no verdict is cut off'(browser) {
    for (const width of [1700, 1400, 1100, 1080, 800, 400])
      await visit(browser, url('kinds', '?frame=0'), async (tab) => {
        const out = await tab.evaluate(`[...document.querySelectorAll('.acceptance .verdict, .acceptance td')].filter((cell) => {
          const [inner, outer] = [cell.getBoundingClientRect(), cell.closest('.table-place').getBoundingClientRect()];
          return inner.right > outer.right + 0.5 || inner.left < outer.left - 0.5;
        }).map((cell) => cell.textContent)`);
        assert.deepEqual(out, [], `${width} wide: these stick out`);
      }, { width, height: 800 });
  },

  async 'plots, tables and provenance are there'(browser) {
    await visit(browser, url('beam', '?frame=20'), async (tab) => {
      assert.equal(await tab.evaluate('document.querySelectorAll(".plot canvas").length'), 3);
      const text = await visible_text(tab);
      for (const expected of ['oscillating_beam', 'newton_iterations_mean', 'at most 8', '4.49', 'reproduced', 'differs', 'not attempted', '69074',
        'a coarser mesh was asked for', 'von Mises stress [kPa]', 'the load is released', 'NaN', 'infinity', '19 points are not shown', 'missing'])
        assert.ok(text.includes(expected), `'${expected}' is in the page`);
      await tab.evaluate('document.querySelector(".provenance summary").click()');
      assert.ok((await visible_text(tab)).includes('GNU 12.2.0'));
      // The deflection plot tells the value at the animation's time.
      assert.match(await tab.evaluate('document.querySelector(".plot .series").innerText'), /ours\s*-204\.7 mm/);
    });
  },

  async 'no text is taken for markup'(browser) {
    const before = 'window.shots = []; window.fired = (which) => window.shots.push(which);';
    for (const query of ['?frame=20', '?frame=<img src=x onerror=fired(0)>'])
      await visit(browser, url('hostile', query), async (tab) => {
        await tab.evaluate('document.querySelectorAll("details").forEach((details) => { details.open = true; })');
        await sleep(200);
        assert.deepEqual(await tab.evaluate('window.shots'), [], 'these texts ran as code');
        assert.equal(await tab.evaluate('document.querySelectorAll("main img, main script, main b, main svg[onload]").length'), 0);
        assert.equal(await tab.evaluate('document.scripts.length'), 2, 'the data block and the one script of the page');
        const text = await tab.evaluate('document.body.textContent');
        for (const place of ['title', 'description', 'description line', 'study', 'status', 'note', 'provenance key', 'provenance value', 'scene title',
          'body', 'field', 'trace', 'category', 'set', 'glyph', 'arrows', 'group', 'model title', 'model caption', 'slider', 'modeled quantity', 'mark', 'plot title', 'plot caption', 'series', 'metric', 'bound', 'value', 'figure', 'quantity', 'paper', 'ours', 'cause',
          'table title', 'table caption', 'column', 'column unit', 'cell'])
          assert.ok(text.includes(`${place} <img src=x onerror=`), `the text of '${place}' is shown as it is`);
        assert.ok(await tab.evaluate('document.documentElement.scrollWidth <= innerWidth'), 'long texts do not widen the page');
      }, { before });
  },

  async 'a frame that there is not is clamped, with a note'(browser) {
    for (const [query, shown, note] of [
      ['?frame=999999', 'frame 80 of 80', 'There is no frame 999999: the frames are 0 to 80. Frame 80 is shown.'],
      ['?frame=-3', 'frame 0 of 80', 'There is no frame -3'], ['?frame=abc', 'frame 0 of 80', "'abc' is no frame number; frame 0 is shown."],
      ['?frame=', 'frame 0 of 80', "'' is no frame number"], ['?frame=1e2', 'frame 0 of 80', "'1e2' is no frame number"]])
      await visit(browser, url('beam', query), async (tab) => {
        assert.equal(await frame_shown(tab), shown, query);
        assert.ok((await visible_text(tab)).includes(note), `${query}: '${note}' is in the page`);
      });
    await visit(browser, url('beam', '?frame=7'), async (tab) => assert.equal(await tab.evaluate('document.querySelectorAll(".notes .message").length'), 0));
  },

  async 'a report that left frames out shows the nearest one and says so'(browser) {
    await visit(browser, url('thinned', '?frame=33'), async (tab) => {
      const text = await visible_text(tab);
      const [, held, stride] = /it holds (\d+) of the run's 81 frames, every (\d+)(?:st|nd|rd|th)\./.exec(text) ?? [];
      assert.ok(held >= 2 && held < 81 && stride > 1, text);
      const shown = Number(/frame (\d+) of 80/.exec(await frame_shown(tab))[1]);
      assert.ok(shown !== 33 ? text.includes(`This page does not hold frame 33; frame ${shown}, the nearest one, is shown.`) : 33 % stride === 0);
      assert.ok(Math.abs(shown - 33) <= stride / 2, `frame ${shown} is shown for 33`);
    });
  },

  async 'a report without a scene is a page of plots and tables'(browser) {
    await visit(browser, url('tables', '?frame=3'), async (tab) => {
      assert.equal(await tab.evaluate('document.querySelectorAll(".plot canvas").length'), 1);
      assert.equal(await tab.evaluate('document.querySelectorAll(".stage").length'), 0);
      assert.ok((await visible_text(tab)).includes('This report has no frames.'));
    });
  },

  async 'the animation plays by itself, pauses, steps and jumps'(browser) {
    await visit(browser, url('beam'), async (tab) => {
      assert.equal(await tab.evaluate('document.title'), 'oscillating_beam');
      await tab.wait_for('document.querySelector(".frame-number").textContent !== "frame 0 of 80"');
      const press = async (key) => tab.evaluate(`dispatchEvent(new KeyboardEvent('keydown', { key: '${key}', bubbles: true })), 0`);
      await press(' ');
      const paused = await frame_shown(tab);
      await sleep(300);
      assert.equal(await frame_shown(tab), paused);
      for (const [key, expected] of [['Home', 0], ['ArrowRight', 1], ['ArrowRight', 2], ['ArrowLeft', 1], ['End', 80], ['ArrowRight', 80]]) {
        await press(key);
        assert.equal(await frame_shown(tab), `frame ${expected} of 80`, key);
      }
      await tab.evaluate('(() => { const bar = document.querySelector("input[type=range]"); bar.value = 40; bar.dispatchEvent(new Event("input")); })()');
      assert.equal(await frame_shown(tab), 'frame 40 of 80');
    });
    await visit(browser, url('beam'), async (tab) => {
      await tab.wait_for('document.querySelector(".canvas canvas")');
      await sleep(500);
      assert.equal(await frame_shown(tab), 'frame 0 of 80', 'nothing moves for those who asked for reduced motion');
    }, { reduced_motion: true });
  },

  async 'every control changes the picture'(browser) {
    await visit(browser, url('beam', '?frame=20'), async (tab) => {
      const snap = async () => { await sleep(150); return picture(tab, undefined, '.canvas'); };
      let before = await snap();
      for (const [name, action] of [
        ['another field', 'const s = document.querySelector(".toolbar select"); s.value = 1; s.dispatchEvent(new Event("change"))'],
        ['the color of the body', 'const s = document.querySelector(".toolbar select"); s.value = "none"; s.dispatchEvent(new Event("change"))'],
        ...['wireframe', 'grid', 'beam', 'ball'].map((label) =>
          [label, `[...document.querySelectorAll(".toolbar label")].find((l) => l.textContent.trim() === "${label}").querySelector("input").click()`])]) {
        await tab.evaluate(`{ ${action} }; 0`);
        const after = await snap();
        assert.ok(difference(before, after) > 0.002, `${name}: the picture changes by ${difference(before, after)}`);
        before = after;
      }
    });
  },

  async 'what cannot be shown is said, and the rest is shown'(browser) {
    const still_there = async (tab, message) => {
      const text = await visible_text(tab);
      assert.match(text, message);
      assert.equal(await tab.evaluate('document.querySelectorAll("[role=alert]").length'), 1);
      assert.ok(text.includes('newton_iterations_mean'), 'the tables are there');
      assert.equal(await tab.evaluate('document.querySelectorAll(".plot canvas").length'), 3, 'the plots are there');
    };
    await visit(browser, url('damaged', '?frame=20'), (tab) => still_there(tab, /animation cannot be shown: the page's data are damaged/));
    await visit(browser, url('beam', '?frame=20'), (tab) => still_there(tab, /animation cannot be shown: this browser is too old .*DecompressionStream/),
      { before: 'delete window.DecompressionStream' });
    await visit(browser, url('beam', '?frame=20'), (tab) => still_there(tab, /animation cannot be shown: this browser offers no WebGL/), { allowed: /WebGL/i,
      before: `const get = HTMLCanvasElement.prototype.getContext;
        HTMLCanvasElement.prototype.getContext = function (kind, ...rest) { return /webgl/.test(kind) ? null : get.call(this, kind, ...rest); };` });
    await visit(browser, url('not_json', '?frame=20'), async (tab) =>
      assert.match(await visible_text(tab), /This report cannot be shown: its data block is damaged/), { allowed: /data block is damaged/ });
  },

  async 'it fits windows of all sizes, light and dark'(browser) {
    for (const [width, height] of [[1400, 900], [800, 600], [400, 800]])
      for (const dark of [false, true])
        await visit(browser, url('beam', '?frame=20'), async (tab) => {
          assert.ok(await tab.evaluate('document.documentElement.scrollWidth <= innerWidth'), `${width}x${height}: nothing sticks out`);
          const luminance = await tab.evaluate('(() => { const c = getComputedStyle(document.body).backgroundColor.match(/\\d+/g); return c[0] / 255; })()');
          assert.equal(luminance < 0.5, dark, 'dark where dark is asked for');
        }, { width, height, dark });
  },

  async 'it asks for nothing from the network'(browser) {
    const tab = await browser.open_tab();
    const asked = [];
    const on_event = tab.on_event.bind(tab);
    tab.on_event = (event) => {
      if (event.method === 'Network.requestWillBeSent' && /^(https?|wss?):/.test(event.params.request.url)) asked.push(event.params.request.url);
      on_event(event);
    };
    await tab.send('Network.enable');
    await tab.navigate(url('hostile', '?frame=1'));
    await tab.wait_until_ready();
    assert.deepEqual(asked, []);
    await tab.close();
  },

  ...plot_tests(harness),
  ...scene_tests(harness),
  ...model_tests(harness),
  ...muscle_tests(harness),
};

const browser = new Browser(find_browser());
let failures = 0;
for (const [name, test] of Object.entries(tests)) {
  try {
    await test(browser);
    console.log(`ok      ${name}`);
  } catch (problem) {
    ++failures;
    console.log(`FAILED  ${name}\n        ${String(problem.message).replaceAll('\n', '\n        ')}`);
  }
}
await browser.close();
console.log(failures === 0 ? `all ${Object.keys(tests).length} passed` : `${failures} failed`);
process.exit(failures === 0 ? 0 : 1);
