// What the tests of the report page share: the sample reports, tabs that have drawn one, and pictures of them.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { read_png } from '../../scripts/png.mjs';

export function make_harness(folder) {
  const url = (name, query = '') => `${pathToFileURL(resolve(folder, `${name}.html`))}${query}`;

  // A tab that has drawn `address`, handed to `look`; the page may have said nothing but what `allowed` matches.
  async function visit(browser, address, look, { allowed, before, ...options } = {}) {
    const tab = await browser.open_tab(options);
    if (before) await tab.before_load(before);
    await tab.navigate(address);
    if (address.includes('?frame')) await tab.wait_until_ready();
    const result = await look(tab);
    const complaints = tab.errors.filter((text) => !allowed?.test(text));
    assert.deepEqual(complaints, [], `${address}: the page complains`);
    await tab.close();
    return result;
  }

  const visible_text = (tab) => tab.evaluate('document.body.innerText');
  const frame_shown = (tab) => tab.evaluate('document.querySelector(".frame-number").textContent');
  const picture = async (tab, name, selector) => {
    const file = await tab.screenshot({ selector });
    if (name) writeFileSync(join(folder, `${name}.png`), file);
    return read_png(file);
  };
  return { url, visit, visible_text, frame_shown, picture };
}
