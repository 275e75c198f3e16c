// A server of a folder's files, and a headless Chromium that is controlled through a pipe: messages of the DevTools protocol, as JSON that
// ends in a zero byte, on its file descriptors 3 and 4.
import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { extname, join, normalize } from 'node:path';

export const pause = (milliseconds) => new Promise((go) => setTimeout(go, milliseconds));

// Serves .wasm as plain bytes, as a server does that does not know it, and a wrong byte in the files that are damaged.
export async function serve(folder) {
  const types = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css', '.svg': 'image/svg+xml', '.json': 'application/json', '.png': 'image/png' };
  const damaged = new Set();
  const server = createServer(async (request, answer) => {
    const path = normalize(new URL(request.url, 'http://localhost').pathname).replace(/\/$/, '/index.html');
    const bytes = await readFile(join(folder, path)).catch(() => null);
    if (damaged.has(path)) bytes[bytes.length >> 1] ^= 1;
    answer.writeHead(bytes ? 200 : 404, { 'content-type': types[extname(path)] ?? 'application/octet-stream' });
    answer.end(bytes ?? '');
  });
  await new Promise((go) => server.listen(0, '127.0.0.1', go));
  return { address: `http://127.0.0.1:${server.address().port}`, damaged, close: () => server.close() };
}

export class Browser {
  #answers = new Map();
  #pages = [];
  #count = 0;
  #rest = '';

  static async start(program) {
    const browser = new Browser();
    browser.folder = await mkdtemp(join(tmpdir(), 'chromium-'));
    const options = ['--headless', '--no-sandbox', '--disable-gpu', '--remote-debugging-pipe', '--no-first-run', '--disable-background-networking',
      '--disable-component-update', '--disable-dev-shm-usage', '--disable-renderer-backgrounding', '--disable-background-timer-throttling', `--user-data-dir=${browser.folder}`, 'about:blank'];
    browser.process = spawn(program, options, { stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'] });
    browser.process.stdio[4].on('data', (bytes) => browser.#take(bytes));
    return browser;
  }
  #take(bytes) {
    const messages = (this.#rest + bytes).split('\0');
    this.#rest = messages.pop();
    for (const message of messages.map((text) => JSON.parse(text))) {
      if (message.id) this.#answers.get(message.id)(message);
      else for (const page of this.#pages) page.hear(message);
    }
  }
  send(method, params = {}, sessionId = undefined) {
    const id = ++this.#count;
    this.process.stdio[3].write(`${JSON.stringify({ id, method, params, sessionId })}\0`);
    return new Promise((go, fail) => this.#answers.set(id, ({ result, error }) => (error ? fail(new Error(`${method}: ${error.message}`)) : go(result))));
  }
  async open() {
    const { targetId } = await this.send('Target.createTarget', { url: 'about:blank' });
    const { sessionId } = await this.send('Target.attachToTarget', { targetId, flatten: true });
    const page = new Page(this, sessionId, targetId);
    this.#pages.push(page);
    await page.watch(sessionId);
    await page.send('Page.enable');
    return page;
  }
  async close() {
    const ended = new Promise((go) => this.process.once('exit', go));
    await this.send('Browser.close').catch(() => {});
    await Promise.race([ended, pause(5000)]);
    this.process.kill('SIGKILL');
    await rm(this.folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  }
}

// A page with its workers: what they request, and the errors that they write on the console.
class Page {
  requests = [];
  errors = [];
  #sessions = new Set();

  constructor(browser, sessionId, targetId) {
    Object.assign(this, { browser, sessionId, targetId });
  }
  send(method, params) { return this.browser.send(method, params, this.sessionId); }
  async watch(sessionId) {
    this.#sessions.add(sessionId);
    const send = (method, params) => this.browser.send(method, params, sessionId);
    await Promise.all([send('Network.enable'), send('Runtime.enable'), send('Log.enable').catch(() => {}),
      send('Target.setAutoAttach', { autoAttach: true, waitForDebuggerOnStart: true, flatten: true }).catch(() => {})]);
    await send('Runtime.runIfWaitingForDebugger');
  }
  hear({ method, params, sessionId }) {
    if (!this.#sessions.has(sessionId)) return;
    if (method === 'Target.attachedToTarget') this.watch(params.sessionId).catch(() => {});
    if (method === 'Network.requestWillBeSent') this.requests.push(params.request.url);
    if (method === 'Runtime.exceptionThrown') this.errors.push(params.exceptionDetails.exception?.description ?? params.exceptionDetails.text);
    if (method === 'Runtime.consoleAPICalled' && ['error', 'warning'].includes(params.type)) this.errors.push(params.args.map((arg) => arg.value).join(' '));
    if (method === 'Log.entryAdded' && params.entry.level === 'error') this.errors.push(`${params.entry.text} ${params.entry.url ?? ''}`);
  }
  async ask(expression) {
    const { result, exceptionDetails } = await this.send('Runtime.evaluate', { expression, returnByValue: true, awaitPromise: true });
    if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
    return result.value;
  }
  // The first answer that is true, or null after some seconds.
  async until(expression, seconds) {
    for (const end = Date.now() + 1000 * seconds; Date.now() < end; await pause(50)) {
      const answer = await this.ask(expression);
      if (answer) return answer;
    }
    return null;
  }
  text(id) { return this.ask(`document.getElementById('${id}').textContent`); }
  async go(url) {
    await this.send('Page.navigate', { url });
    await this.until(`location.href === '${url}' && document.readyState === 'complete'`, 20);
  }
  close() { return this.browser.send('Target.closeTarget', { targetId: this.targetId }); }

  async key(key, code, text = '') {
    const which = { key, code: key, windowsVirtualKeyCode: code, text };
    await this.send('Input.dispatchKeyEvent', { type: text ? 'keyDown' : 'rawKeyDown', ...which });
    await this.send('Input.dispatchKeyEvent', { type: 'keyUp', ...which });
  }
  // Goes to an element by the keyboard alone; whether it is reached.
  async tabTo(id) {
    for (let k = 0; k < 40; ++k) {
      if (await this.ask(`document.activeElement.id === '${id}'`)) return true;
      await this.key('Tab', 9);
    }
    return false;
  }
  async press(id) { return (await this.tabTo(id)) && (await this.key('Enter', 13, '\r'), true); }
  // Replaces the text of an input.
  async type(id, text) {
    if (!(await this.tabTo(id))) return false;
    await this.ask('document.activeElement.select()');
    await this.send('Input.insertText', { text });
    return true;
  }
  media(features) { return this.send('Emulation.setEmulatedMedia', { features: Object.entries(features).map(([name, value]) => ({ name, value })) }); }
  size(width, height = 900) { return this.send('Emulation.setDeviceMetricsOverride', { width, height, deviceScaleFactor: 1, mobile: false }); }
  async picture() { return Buffer.from((await this.send('Page.captureScreenshot', { captureBeyondViewport: true })).data, 'base64'); }
}
