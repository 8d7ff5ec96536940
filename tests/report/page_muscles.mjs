// What lies within a body shows through it; arrows and subsets are drawn on request; a page of one frame is a picture.
import assert from 'node:assert/strict';
import { sleep } from '../../scripts/browser.mjs';
import { difference } from '../../scripts/png.mjs';

// Pixels of a hue: red (muscle), green (forces) or teal (subset).
function count(canvas, is_of) {
  let pixels = 0;
  for (let i = 0; i < canvas.pixels.length; i += canvas.channels) pixels += is_of(...canvas.pixels.subarray(i, i + 3)) ? 1 : 0;
  return pixels;
}
const is_red = (r, g, b) => r > g + 25 && r > b - 15;
const is_green = (r, g, b) => g > r + 40 && g > b + 25;
const is_teal = (r, g, b) => g > r + 70 && b > r + 70;
const box = (text) => `[...document.querySelectorAll('.toolbar label')].find((label) => label.textContent.trim() === '${text}').querySelector('input')`;

export const muscle_tests = ({ url, visit, picture }) => ({
  async 'a muscle shows through its body'(browser) {
    await visit(browser, url('muscle', '?frame=1'), async (tab) => {
      const red = count(await picture(tab, 'muscle', '.canvas'), is_red);
      assert.ok(red > 300, `${red} pixels are red`);
      assert.ok((await tab.evaluate('document.querySelector(".legend-place").innerText')).includes('muscle spine'));
    });
  },

  async 'arrows are drawn on request, in the frames that have some, and the legend has their scale'(browser) {
    await visit(browser, url('muscle', '?frame=0'), async (tab) => {
      const before = await picture(tab, undefined, '.canvas');
      assert.equal(await tab.evaluate(`${box('contact force')}.checked`), false);
      await tab.evaluate(`${box('contact force')}.click()`);
      await sleep(300);
      const after = await picture(tab, 'forces', '.canvas');
      assert.ok(count(after, is_green) > count(before, is_green) + 30, 'there are arrows');
      // The longest arrow has 8 N and may have a quarter of the extent, 0.3 m; both are rounded down.
      assert.match(await tab.evaluate('document.querySelector(".legend-place").innerText'), /contact force: 5 N is 100 mm long/);
      await tab.evaluate(`${box('contact force')}.click()`);
      await sleep(300);
      assert.ok(difference(before, await picture(tab, undefined, '.canvas')) < 0.002, 'and are gone again');
    });
  },

  async 'a subset is drawn while its row is chosen'(browser) {
    await visit(browser, url('start', '?frame=0'), async (tab) => {
      const before = count(await picture(tab, undefined, '.canvas'), is_teal);
      await tab.evaluate('[...document.querySelectorAll(".name-link")].find((link) => link.textContent === "bar.half").click()');
      await sleep(300);
      const after = count(await picture(tab, 'subset', '.canvas'), is_teal);
      assert.ok(after > before + 100, `${before} and then ${after} pixels are teal`);
    });
  },

  async 'a page of one frame is a picture without a timeline'(browser) {
    await visit(browser, url('start', '?frame=0'), async (tab) => {
      assert.equal(await tab.evaluate('document.querySelectorAll(".timeline").length'), 0);
      assert.equal(await tab.evaluate('document.querySelector(".contents a").textContent'), 'Picture');
    });
    await visit(browser, url('muscle', '?frame=0'), async (tab) => assert.equal(await tab.evaluate('document.querySelectorAll(".timeline").length'), 1));
  },
});
