// Headless Chromium, driven over a pipe: no port, no package. For the tests of the report page and for scripts/screenshot.
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';

const flags = [
  '--headless=new', '--no-sandbox', '--use-gl=angle', '--use-angle=swiftshader', '--enable-unsafe-swiftshader', '--disable-quic',
  '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync', '--hide-scrollbars',
  '--force-color-profile=srgb', '--disable-dev-shm-usage', '--remote-debugging-pipe',
];

export const sleep = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));

// The browser's path: $CHROMIUM, or the first of the usual names on the path; undefined when there is none.
export function find_browser() {
  if (process.env.CHROMIUM) return process.env.CHROMIUM;
  const folders = (process.env.PATH ?? '').split(delimiter);
  const names = ['chromium', 'chromium-headless-shell', 'chromium-browser', 'google-chrome'];
  return names.flatMap((name) => folders.map((folder) => join(folder, name))).find(existsSync);
}

export class Browser {
  constructor(path, extra_flags = []) {
    this.profile = mkdtempSync(join(tmpdir(), 'holo-browser-'));
    this.process = spawn(path, [...flags, ...extra_flags, `--user-data-dir=${this.profile}`, 'about:blank'],
      { stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'] });
    this.waiting = new Map();
    this.sessions = new Map();
    this.next_id = 1;
    this.ended = new Promise((resolve) => this.process.once('exit', resolve));
    this.ended.then(() => this.waiting.forEach(({ reject }) => reject(new Error('the browser ended'))));
    this.process.once('error', (problem) => this.waiting.forEach(({ reject }) => reject(problem)));
    this.listen(this.process.stdio[4]);
  }

  // Messages are JSON, each ended by a zero byte.
  listen(stream) {
    let pieces = [];
    stream.on('data', (chunk) => {
      for (let end; (end = chunk.indexOf(0)) >= 0; chunk = chunk.subarray(end + 1)) {
        this.receive(JSON.parse(Buffer.concat([...pieces, chunk.subarray(0, end)]).toString()));
        pieces = [];
      }
      pieces.push(chunk);
    });
  }

  receive(message) {
    if (message.id === undefined) return void this.sessions.get(message.sessionId)?.on_event(message);
    const { resolve, reject } = this.waiting.get(message.id);
    this.waiting.delete(message.id);
    if (message.error) reject(new Error(message.error.message));
    else resolve(message.result);
  }

  send(method, params = {}, sessionId = undefined) {
    const id = this.next_id++;
    this.process.stdio[3].write(`${JSON.stringify({ id, method, params, sessionId })}\0`);
    return new Promise((resolve, reject) => this.waiting.set(id, { resolve, reject }));
  }

  // A tab of that size in CSS pixels.
  async open_tab({ width = 1400, height = 900, dark = false, reduced_motion = false } = {}) {
    const { targetId } = await this.send('Target.createTarget', { url: 'about:blank' });
    const { sessionId } = await this.send('Target.attachToTarget', { targetId, flatten: true });
    const tab = new Tab(this, sessionId, targetId);
    this.sessions.set(sessionId, tab);
    for (const domain of ['Page', 'Runtime', 'Log']) await tab.send(`${domain}.enable`);
    await tab.send('Emulation.setDeviceMetricsOverride', { width, height, deviceScaleFactor: 1, mobile: false });
    await tab.send('Emulation.setEmulatedMedia', { features: [
      { name: 'prefers-color-scheme', value: dark ? 'dark' : 'light' },
      { name: 'prefers-reduced-motion', value: reduced_motion ? 'reduce' : 'no-preference' }] });
    return tab;
  }

  async close() {
    await Promise.race([this.send('Browser.close').catch(() => {}), sleep(2000)]);
    await Promise.race([this.ended, sleep(5000).then(() => this.process.kill('SIGKILL'))]);
    rmSync(this.profile, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
  }
}

class Tab {
  constructor(browser, session, target) {
    Object.assign(this, { browser, session, target, errors: [] });
  }

  send(method, params) {
    return this.browser.send(method, params, this.session);
  }

  // Collects what the page complains about.
  on_event({ method, params }) {
    if (method === 'Runtime.exceptionThrown')
      this.errors.push(params.exceptionDetails.exception?.description ?? params.exceptionDetails.text);
    if (method === 'Runtime.consoleAPICalled' && ['error', 'warning', 'assert'].includes(params.type))
      this.errors.push(params.args.map((argument) => argument.value ?? argument.description).join(' '));
    if (method === 'Log.entryAdded' && ['error', 'warning'].includes(params.entry.level)) this.errors.push(params.entry.text);
    if (method === 'Page.javascriptDialogOpening') {
      this.errors.push(`a dialog opened: ${params.message}`);
      this.send('Page.handleJavaScriptDialog', { accept: false });
    }
  }

  // Runs `script` in the page before its own.
  async before_load(script) {
    await this.send('Page.addScriptToEvaluateOnNewDocument', { source: script });
  }

  async navigate(url) {
    const { errorText } = await this.send('Page.navigate', { url });
    if (errorText) throw new Error(`${url}: ${errorText}`);
    await this.wait_for('document.readyState === "complete"');
  }

  async evaluate(expression) {
    const { result, exceptionDetails } = await this.send('Runtime.evaluate', { expression, returnByValue: true, awaitPromise: true });
    if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
    return result.value;
  }

  // Until `expression` holds. The limit only ends a hung run.
  async wait_for(expression, limit_seconds = 120) {
    for (const end = Date.now() + 1000 * limit_seconds; Date.now() < end; await sleep(50))
      if (await this.evaluate(expression).catch(() => false)) return;
    throw new Error(`after ${limit_seconds} s this still does not hold: ${expression}`);
  }

  async wait_until_ready(limit_seconds = 120) {
    await this.wait_for('document.title === "READY"', limit_seconds);
  }

  // PNG of the window, or of the first element that `selector` finds, or of the whole page.
  async screenshot({ selector, full = false } = {}) {
    const clip = selector ? await this.evaluate(`(() => { const r = document.querySelector(${JSON.stringify(selector)}).getBoundingClientRect();
      return { x: r.x + scrollX, y: r.y + scrollY, width: r.width, height: r.height, scale: 1 }; })()`) : undefined;
    const { data } = await this.send('Page.captureScreenshot', { format: 'png', clip, captureBeyondViewport: full || Boolean(clip) });
    return Buffer.from(data, 'base64');
  }

  async close() {
    await this.browser.send('Target.closeTarget', { targetId: this.target });
  }
}
