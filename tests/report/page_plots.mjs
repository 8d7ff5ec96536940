// Plots, tables and contents of the report page: units, zoom, downloads, links.
import assert from 'node:assert/strict';
import { sleep } from '../../scripts/browser.mjs';
import { difference } from '../../scripts/png.mjs';

const plot_named = (title) => `[...document.querySelectorAll('.plot')].find((plot) => plot.querySelector('h2').textContent === '${title}')`;
const tool = (title, text) => `[...${plot_named(title)}.querySelectorAll('.plot-tools button')].find((button) => button.textContent === '${text}')`;

// What the page would save when `expression` runs: the names of the files and their text.
async function downloads(tab, expression) {
  return tab.evaluate(`(async () => {
    const files = [], blobs = new Map(), make = URL.createObjectURL;
    URL.createObjectURL = (blob) => { const url = make.call(URL, blob); blobs.set(url, blob); return url; };
    const click = HTMLAnchorElement.prototype.click;
    HTMLAnchorElement.prototype.click = function () { files.push([this.download, blobs.get(this.href)]); };
    ${expression};
    for (let i = 0; i < 50 && files.length === 0; ++i) await new Promise((resolve) => setTimeout(resolve, 20));
    [URL.createObjectURL, HTMLAnchorElement.prototype.click] = [make, click];
    return Promise.all(files.map(async ([name, blob]) => [name, blob.type, blob.size, await blob.text()]));
  })()`);
}

async function drag(tab, selector, from, to) {
  const box = await tab.evaluate(`(() => { const over = ${selector}; over.scrollIntoView({ block: 'center' }); const r = over.getBoundingClientRect();
    return { x: r.x, y: r.y, width: r.width, height: r.height }; })()`);
  const at = ([x, y]) => ({ x: box.x + x * box.width, y: box.y + y * box.height });
  const send = (type, place, buttons) => tab.send('Input.dispatchMouseEvent', { type, ...at(place), button: 'left', buttons, clickCount: 1 });
  await send('mouseMoved', from, 0);
  await send('mousePressed', from, 1);
  for (const part of [0.3, 0.7, 1]) await send('mouseMoved', [0, 1].map((i) => from[i] + part * (to[i] - from[i])), 1);
  await send('mouseReleased', to, 0);
  await sleep(150);
}

export const plot_tests = ({ url, visit, visible_text, frame_shown, picture }) => ({
  async 'a plot is zoomed by a drag and by its buttons, and shown whole again'(browser) {
    await visit(browser, url('beam', '?frame=20'), async (tab) => {
      const place = `${plot_named('Deflection of the tip')}.querySelector('.plot-place')`;
      await tab.evaluate(`${place}.id = 'looked-at'; 0`);
      const over = `${place}.querySelector('.u-over')`;
      await tab.evaluate(`${over}.scrollIntoView({ block: 'center' }); 0`);
      const snap = async () => { await sleep(400); return picture(tab, undefined, '#looked-at'); };
      const disabled = () => tab.evaluate(`${tool('Deflection of the tip', 'all')}.disabled`);
      const whole = await snap();
      assert.equal(await disabled(), true, 'nothing is to be undone at first');
      await drag(tab, over, [0.2, 0.5], [0.5, 0.5]);
      const part = await snap();
      assert.ok(difference(whole, part) > 0.01, `a drag changes the plot by ${difference(whole, part)}`);
      assert.equal(await frame_shown(tab), 'frame 20 of 80', 'a drag does not move the animation');
      await tab.evaluate(`${tool('Deflection of the tip', '+')}.click()`);
      assert.ok(difference(part, await snap()) > 0.01, 'the button goes farther in');
      await tab.evaluate(`${tool('Deflection of the tip', 'all')}.click()`);
      assert.ok(difference(whole, await snap()) < 0.001, 'all is shown as it was');
      assert.equal(await disabled(), true);
    });
  },

  async 'a click in a plot over time still moves the animation'(browser) {
    await visit(browser, url('beam', '?frame=20'), async (tab) => {
      await drag(tab, `${plot_named('Deflection of the tip')}.querySelector('.u-over')`, [0.5, 0.5], [0.5, 0.5]);
      assert.match(await frame_shown(tab), /frame (39|40|41) of 80/);
    });
  },

  async 'data and pictures of a plot can be saved'(browser) {
    await visit(browser, url('beam', '?frame=20'), async (tab) => {
      const [[name, , , csv]] = await downloads(tab, `${tool('Deflection of the tip', 'CSV')}.click()`);
      assert.equal(name, 'Deflection_of_the_tip.csv');
      const rows = csv.trim().split('\n').map((line) => line.split(','));
      assert.deepEqual(rows[0], ['time [s]', 'ours [m]', 'undamped [m]']);
      assert.equal(rows.length, 1 + 401);
      assert.deepEqual(rows[1], ['0', '0.25', '0.25']);
      assert.equal(rows[1 + 252][1], '', 'a gap is empty');
      assert.ok(Math.abs(Number(rows[1 + 252][2]) - 0.25 * Math.cos((2 * Math.PI * 2.0 * 252) / 400)) < 1e-15, 'numbers are whole');
      const [[svg_name, , , svg]] = await downloads(tab, `${tool('Deflection of the tip', 'SVG')}.click()`);
      assert.equal(svg_name, 'Deflection_of_the_tip.svg');
      const found = await tab.evaluate(`(() => { const file = new DOMParser().parseFromString(${JSON.stringify(svg)}, 'image/svg+xml');
        return [file.querySelectorAll('parsererror').length, [...file.querySelectorAll('path')].map((path) => path.getAttribute('d').length), file.documentElement.textContent]; })()`);
      assert.equal(found[0], 0);
      assert.ok(found[1].length === 2 && found[1].every((length) => length > 500), `curves of ${found[1]} characters`);
      for (const expected of ['ours', 'undamped', 'time [s]', 'deflection [mm]', 'Deflection of the tip']) assert.ok(found[2].includes(expected), `${expected} in the SVG`);
      const [[png_name, type, size]] = await downloads(tab, `${tool('Deflection of the tip', 'PNG')}.click()`);
      assert.deepEqual([png_name, type], ['Deflection_of_the_tip.png', 'image/png']);
      assert.ok(size > 2000, `${size} bytes`);
    });
  },

  async 'every number with a unit has an SI prefix that suits it'(browser) {
    await visit(browser, url('kinds', '?frame=20'), async (tab) => {
      const text = await visible_text(tab);
      assert.ok(/at most 1 µm/.test(text) && /144\.331 pm/.test(text), 'bounds and values of the acceptance table');
      assert.ok(text.includes('12.5 ns'), 'a column with a unit');
    });
    await visit(browser, url('beam', '?frame=20'), async (tab) => {
      const legend = await tab.evaluate('document.querySelector(".legend").innerText');
      assert.match(legend, /von Mises stress \[kPa\]/);
      assert.ok(!/e[+-]?\d/.test(legend), legend);
    });
  },

  async 'the list of contents leads to each section'(browser) {
    await visit(browser, url('beam', '?frame=20'), async (tab) => {
      const titles = await tab.evaluate('[...document.querySelectorAll(".contents a")].map((link) => link.textContent)');
      for (const expected of ['Animation', 'Acceptance', 'Deflection of the tip', 'Errors', 'Provenance']) assert.ok(titles.includes(expected), `${expected} in ${titles}`);
      const lost = await tab.evaluate('[...document.querySelectorAll(".contents a")].filter((link) => !document.getElementById(link.hash.slice(1))).length');
      assert.equal(lost, 0, 'links without a section');
      await tab.evaluate('[...document.querySelectorAll(".contents a")].find((link) => link.textContent === "Errors").click()');
      await sleep(300);
      const top = await tab.evaluate('[...document.querySelectorAll("h2")].find((head) => head.textContent === "Errors").getBoundingClientRect().top');
      assert.ok(top >= 0 && top < 900, `the section begins at ${top}`);
    });
  },
});
