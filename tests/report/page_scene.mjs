// The scene of the report page: names, views, and fields that do not vary.
import assert from 'node:assert/strict';
import { sleep } from '../../scripts/browser.mjs';
import { difference } from '../../scripts/png.mjs';

// The first place in the canvas, on a coarse grid, at which the pointer finds `name`, in pixels of the window.
async function place_of(tab, name) {
  const box = await tab.evaluate('(() => { const r = document.querySelector(".canvas").getBoundingClientRect(); return { x: r.x, y: r.y, width: r.width, height: r.height }; })()');
  for (let i = 1; i < 24; ++i)
    for (let j = 1; j < 24; ++j) {
      const place = { x: box.x + (box.width * i) / 24, y: box.y + (box.height * j) / 24 };
      await tab.send('Input.dispatchMouseEvent', { type: 'mouseMoved', ...place });
      if (await tab.evaluate('(() => { const tip = document.querySelector(".tip"); return tip.hidden ? "" : tip.querySelector("strong").textContent; })()') === name) return place;
    }
  throw new Error(`the pointer finds no '${name}'`);
}

const click = async (tab, place) => {
  for (const type of ['mousePressed', 'mouseReleased']) await tab.send('Input.dispatchMouseEvent', { type, ...place, button: 'left', clickCount: 1 });
  await sleep(150);
};
const marked_rows = (tab) => tab.evaluate('[...document.querySelectorAll("tr.marked")].map((row) => row.dataset.name)');
const view_button = (text) => `[...document.querySelectorAll('.views button')].find((button) => button.textContent === '${text}')`;

export const scene_tests = ({ url, visit, picture }) => ({
  async 'a body tells its name to the pointer, and a click marks its rows in the tables'(browser) {
    await visit(browser, url('beam', '?frame=20'), async (tab) => {
      assert.deepEqual(await marked_rows(tab), []);
      const place = await place_of(tab, 'ball');
      assert.deepEqual(await marked_rows(tab), ['ball'], 'pointing marks');
      await click(tab, place);
      await tab.send('Input.dispatchMouseEvent', { type: 'mouseMoved', x: 2, y: 2 });
      await sleep(100);
      assert.deepEqual(await marked_rows(tab), ['ball'], 'a chosen one stays marked');
      assert.equal(await tab.evaluate('document.querySelector(".tip").hidden'), true);
      await tab.evaluate('dispatchEvent(new KeyboardEvent("keydown", { key: "Escape", bubbles: true })), 0');
      assert.deepEqual(await marked_rows(tab), [], 'Escape lets it go');
    });
  },

  async 'a click in a table marks the body in the picture'(browser) {
    await visit(browser, url('beam', '?frame=20'), async (tab) => {
      const before = await picture(tab, undefined, '.canvas');
      await tab.evaluate('[...document.querySelectorAll(".name-link")].find((link) => link.textContent === "mass_of_beam").click()');
      await sleep(200);
      const after = await picture(tab, undefined, '.canvas');
      assert.ok(difference(before, after) > 0.005, `the picture changes by ${difference(before, after)}`);
      assert.deepEqual(await marked_rows(tab), ['beam']);
    });
  },

  async 'the scene is seen along each axis and without perspective'(browser) {
    await visit(browser, url('beam', '?frame=20'), async (tab) => {
      const snap = async (name) => { await sleep(200); return picture(tab, name, '.canvas'); };
      const first = await snap();
      let before = first;
      for (const axis of ['x', 'y', 'z']) {
        await tab.evaluate(`${view_button(axis)}.click()`);
        const after = await snap(`beam_along_${axis}`);
        assert.ok(difference(before, after) > 0.01, `${axis}: the picture changes by ${difference(before, after)}`);
        // The axis looked along has no length in the cross of axes.
        const arm = await tab.evaluate(`(() => { const group = [...document.querySelectorAll('.axes-cross g')].find((g) => g.textContent === '${axis}');
          const line = group.querySelector('line'); return Math.hypot(line.getAttribute('x2'), line.getAttribute('y2')); })()`);
        assert.ok(arm < 0.5, `${axis} is ${arm} long`);
        before = after;
      }
      await tab.evaluate('document.querySelector(".views input").click()');
      assert.ok(difference(before, await snap('beam_orthographic')) > 0.002, 'without perspective it looks different');
      await tab.evaluate('document.querySelector(".views input").click()');
      await tab.evaluate(`${view_button('3D')}.click()`);
      assert.ok(difference(first, await snap()) < 0.002, 'and back');
    });
  },

  async 'a field that does not vary is not drawn as if it did'(browser) {
    await visit(browser, url('at_rest', '?frame=20'), async (tab) => {
      assert.equal(await tab.evaluate('document.querySelectorAll(".legend-bar").length'), 0);
      const legend = await tab.evaluate('document.querySelector(".legend").innerText');
      assert.match(legend, /0 Pa everywhere, in all frames/);
      assert.match(legend, /differ by 30 pPa/);
      const canvas = await picture(tab, 'at_rest', '.canvas');
      const counts = new Map();  // pixels of each hue
      for (let i = 0; i < canvas.pixels.length; i += canvas.channels) {
        const [r, g, b] = canvas.pixels.subarray(i, i + 3);
        if (Math.max(r, g, b) - Math.min(r, g, b) < 40) continue;
        const hue = Math.round((3 / Math.PI) * Math.atan2(Math.sqrt(3) * (g - b), 2 * r - g - b));
        counts.set(hue, (counts.get(hue) ?? 0) + 1);
      }
      const all = [...counts.values()].reduce((sum, count) => sum + count, 0);
      assert.ok(all > 10000 && Math.max(...counts.values()) > 0.97 * all, `one color, lit: ${[...counts]}`);
    });
  },

  async 'a joint tells its name and kind, and its row in a table leads to it'(browser) {
    await visit(browser, url('arm', '?frame=20'), async (tab) => {
      const place = await place_of(tab, 'elbow');
      assert.match(await tab.evaluate('document.querySelector(".tip").textContent'), /^elbow (actuator|dropped)$/);
      assert.deepEqual(await marked_rows(tab), ['elbow']);
      await place_of(tab, 'upper_arm');
      await place_of(tab, 'load');
      await click(tab, place);
      assert.deepEqual(await tab.evaluate('[...document.querySelectorAll(".label.chosen")].map((label) => label.textContent)'), ['elbow', 'elbow'], 'one in each group');
      await tab.evaluate('[...document.querySelectorAll(".name-link")].find((link) => link.textContent === "elbow").click()');
      assert.equal(await tab.evaluate('document.querySelectorAll(".label.chosen").length'), 0, 'the row lets it go again');
      assert.equal(await tab.evaluate('document.querySelectorAll(".name-link").length'), 1, 'only what is in the picture can be chosen');
    });
  },

  async 'rigid bodies and glyphs move, and the legend tells their kinds'(browser) {
    const first = await visit(browser, url('arm', '?frame=0'), (tab) => picture(tab, 'arm_0', '.canvas'));
    await visit(browser, url('arm', '?frame=40'), async (tab) => {
      assert.ok(difference(first, await picture(tab, 'arm_40', '.canvas')) > 0.01, 'the arm moves');
      const legend = await tab.evaluate('document.querySelector(".legend").innerText');
      for (const expected of ['body', 'actuator', 'dropped', 'force', 'path of the tip']) assert.ok(legend.includes(expected), `'${expected}' in ${legend}`);
      assert.deepEqual(await tab.evaluate('[...document.querySelectorAll(".label")].map((label) => label.textContent)'), ['initial', 'optimized']);
    });
  },

  async 'groups are laid over each other to be compared'(browser) {
    await visit(browser, url('arm', '?frame=0'), async (tab) => {
      const at = (name) => tab.evaluate(`[...document.querySelectorAll('.label')].find((label) => label.textContent === '${name}').style.left`);
      const before = await picture(tab, undefined, '.canvas');
      assert.ok(Math.abs(parseFloat(await at('initial')) - parseFloat(await at('optimized'))) > 10, 'beside each other at first');
      const box = (text) => `[...document.querySelectorAll('.bodies label')].find((label) => label.textContent.trim() === '${text}').querySelector('input')`;
      await tab.evaluate(`${box('overlaid')}.click()`);
      await sleep(200);
      assert.ok(Math.abs(parseFloat(await at('initial')) - parseFloat(await at('optimized'))) < 8, 'then in one place');
      const overlaid = await picture(tab, 'arm_overlaid', '.canvas');
      assert.ok(difference(before, overlaid) > 0.02);
      await tab.evaluate(`${box('optimized')}.click()`);
      await sleep(200);
      assert.ok(difference(overlaid, await picture(tab, undefined, '.canvas')) > 0.005, 'a group can be hidden');
    });
  },

  async 'handles are drawn at their vertices'(browser) {
    await visit(browser, url('beam', '?frame=20'), async (tab) => {
      assert.ok((await tab.evaluate('document.querySelector(".legend-place").innerText')).includes('fixed handle'));
      const canvas = await picture(tab, 'handles', '.canvas');
      let red = 0;
      for (let i = 0; i < canvas.pixels.length; i += canvas.channels) {
        const [r, g, b] = canvas.pixels.subarray(i, i + 3);
        if (r > 150 && g < 100 && b < 100) ++red;
      }
      assert.ok(red > 30, `${red} pixels of the handle`);
    });
  },
});
