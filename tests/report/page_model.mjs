// A body that is changed by sliders: its numbers and its picture follow at once, and its mode swings.
import assert from 'node:assert/strict';
import { sleep } from '../../scripts/browser.mjs';
import { difference } from '../../scripts/png.mjs';

const canvas = '.model .canvas';
const slide = (k, steps) => `(() => { const bar = document.querySelectorAll('.model input[type=range]')[${k}]; bar.value = ${steps}; bar.dispatchEvent(new Event('input')); })()`;
const readout = 'document.querySelector(".model-readout").innerText';
const frequency = async (tab) => Number(/frequency\s+([\d.]+) (m?)Hz/.exec(await tab.evaluate(readout))[1]) * (/\d mHz/.test(await tab.evaluate('document.querySelector(".model-number").innerText')) ? 1e-3 : 1);

export const model_tests = ({ url, visit, visible_text, picture }) => ({
  async 'sliders change the frequency and the shape at once'(browser) {
    await visit(browser, url('model', '?frame=0'), async (tab) => {
      assert.match(await tab.evaluate(readout), /320 mHz[^]*target[^]*320 mHz \(reached\)/);
      const designed = await picture(tab, 'model', canvas);
      // The ends of the first, and a third of the second: length 2 m and 1 m, height 0.2 m.
      await tab.evaluate(slide(0, 1000));
      assert.ok(Math.abs(await frequency(tab) / (2 * 0.25 / 4) - 1) < 2e-3, await tab.evaluate(readout));
      await sleep(200);
      const long = await picture(tab, 'model_long', canvas);
      assert.ok(difference(designed, long) > 0.005, `a longer bar changes the picture by ${difference(designed, long)}`);
      await tab.evaluate(slide(0, 0));
      await tab.evaluate(slide(1, 333.3333));
      assert.ok(Math.abs(await frequency(tab) / (2 * 0.2) - 1) < 4e-3, await tab.evaluate(readout));
      assert.match(await visible_text(tab), /bar height\s*199.9 m|bar height\s*0.19\d* m|bar height\s*0.2 m/);
      await tab.evaluate('document.querySelector(".model-controls > button").click()');
      assert.match(await tab.evaluate(readout), /reached/);
      await sleep(200);
      const again = await picture(tab, undefined, canvas);
      assert.ok(difference(designed, again) < 0.002, `the designed bar looks the same again but for ${difference(designed, again)}`);
    }, { reduced_motion: true });
  },

  async 'the mode swings, and rests where that is asked for'(browser) {
    await visit(browser, url('model', '?frame=0'), async (tab) => {
      const box = 'document.querySelector(".model .toolbar input")';
      assert.equal(await tab.evaluate(`${box}.checked`), true);
      const early = await picture(tab, undefined, canvas);
      await sleep(420);
      const late = await picture(tab, undefined, canvas);
      assert.ok(difference(early, late) > 0.003, `the picture changes by ${difference(early, late)}`);
      await tab.evaluate(`${box}.click()`);
      await sleep(200);
      const still = await picture(tab, undefined, canvas);
      await sleep(300);
      assert.ok(difference(still, await picture(tab, undefined, canvas)) < 0.001, 'it rests');
    });
  },

  async 'the panel of sliders fits narrow windows'(browser) {
    for (const [width, height] of [[1400, 900], [400, 800]])
      await visit(browser, url('model', '?frame=0'), async (tab) => {
        assert.ok(await tab.evaluate('document.documentElement.scrollWidth <= innerWidth'), `${width} wide: nothing sticks out`);
      }, { width, height });
  },
});
