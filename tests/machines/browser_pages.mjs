// node tests/machines/browser_pages.mjs [--without-building] [--pictures DIR] [DIR]: builds examples/browser into a folder (build/browser), opens
// its pages in a headless Chromium, and uses them by the keyboard. A line for each check. Exit status: 0, 1, or 77 where a tool is missing.
import { spawnSync } from 'node:child_process';
import { mkdir, stat, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

import { Browser, pause, serve } from '../support/chromium.mjs';

const root = resolve(fileURLToPath(import.meta.url), '../../..');
const args = process.argv.slice(2);
const builds = args[0] !== '--without-building' || !args.shift();
const pictures = args[0] === '--pictures' ? args.splice(0, 2)[1] : null;
const folder = resolve(args[0] ?? join(root, 'build/browser'));

let failed = 0;
function check(what, is_right, seen = '') {
  if (!is_right) ++failed;
  console.log(`${is_right ? 'passes' : 'FAILS '} ${what}${seen === '' ? '' : `: ${seen}`}`);
}
function end(status, sentence = '') {
  if (sentence) console.log(sentence);
  process.exit(status);
}

// The texts of the page whose contrast with what is behind them is below 4.5, worst first (WCAG 2.1, 1.4.3).
const low_contrasts = `(() => {
  const parse = (text) => { const [r, g, b, a = 1] = text.match(/[\\d.]+/g).map(Number); return [r, g, b, a]; };
  const over = ([r, g, b, a], under) => [r, g, b].map((c, k) => a * c + (1 - a) * under[k]);
  const light = (rgb) => { const [r, g, b] = rgb.map((c) => (c /= 255) <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4); return 0.2126 * r + 0.7152 * g + 0.0722 * b; };
  const contrast = (a, b) => { const [x, y] = [light(a), light(b)].sort((p, q) => q - p); return (x + 0.05) / (y + 0.05); };
  const behind = (element) => {  // one colour, or those of a gradient
    if (!element) return [[255, 255, 255]];
    const style = getComputedStyle(element);
    const under = behind(element.parentElement).map((c) => over(parse(style.backgroundColor), c));
    const gradient = style.backgroundImage.match(/rgba?\\([^)]*\\)/g);
    return gradient ? under.flatMap((c) => gradient.map((g) => over(parse(g), c))) : under;
  };
  const all = [];
  for (const element of document.querySelectorAll('body *')) {
    const has_text = element.matches('input, textarea, select') || [...element.childNodes].some((node) => node.nodeType === 3 && node.data.trim());
    if (!has_text || !element.checkVisibility() || element.matches('script, noscript, noscript *, option')) continue;
    const style = getComputedStyle(element);
    const ink = parse(element instanceof SVGElement ? style.fill : style.color);
    const least = Math.min(...behind(element).map((c) => contrast(over(ink, c), c)));
    all.push([least, (element.textContent || element.value).trim().slice(0, 20)]);
  }
  all.sort((a, b) => a[0] - b[0]);
  return { count: all.length, worst: all[0][0], low: all.filter(([least]) => least < 4.5) };
})()`;

async function check_looks(page, name) {
  for (const scheme of ['light', 'dark']) {
    await page.media({ 'prefers-color-scheme': scheme, 'prefers-reduced-motion': 'reduce' });
    await pause(100);
    const { count, worst, low } = await page.ask(low_contrasts);
    check(`${name}, ${scheme}: contrast of ${count} texts`, low.length === 0, low.length ? JSON.stringify(low.slice(0, 3)) : `at least ${worst.toFixed(1)}`);
    if (pictures) await writeFile(join(pictures, `${name}-${scheme}.png`), await page.picture());
  }
  await page.size(375);
  await pause(200);
  const width = await page.ask('document.documentElement.scrollWidth');
  check(`${name}, 375 pixels wide: nothing scrolls sideways`, width <= 375, width);
  const moving = await page.ask(`getComputedStyle(document.getElementById('run')).transitionDuration`);
  check(`${name}, less motion: no transition`, moving === '0s', moving);
  await page.media({ 'prefers-color-scheme': 'light', 'prefers-reduced-motion': 'no-preference' });
  if (pictures) await (pause(1200).then(async () => writeFile(join(pictures, `${name}-narrow.png`), await page.picture())));
  await page.size(1000);
}
function check_quiet(page, name, address) {
  const others = page.requests.filter((url) => !url.startsWith(`${address}/`) && !url.startsWith('data:') && !url.startsWith('about:'));
  check(`${name}: ${page.requests.length} requests, none to another host`, page.requests.length > 0 && others.length === 0, others.join(' '));
  check(`${name}: no errors on the console`, page.errors.length === 0, page.errors.join(' | '));
}
const has_outline = `(() => { const s = getComputedStyle(document.activeElement); return s.outlineStyle !== 'none' && parseFloat(s.outlineWidth) >= 2; })()`;

async function use_lookup(page, { address }) {
  await page.go(`${address}/`);
  check('lookup: is ready', await page.until(`!document.getElementById('run').disabled`, 15), await page.text('status'));
  check('lookup: Tab reaches the button, Enter starts', await page.press('run'));
  check('lookup: the focus is seen', await page.ask(has_outline));
  const first = await page.until(`Number(document.getElementById('steps').textContent) >= 20 && document.getElementById('loss').textContent`, 15);
  const later = await page.until(`Number(document.getElementById('loss').textContent) < ${first} - 0.1 && document.getElementById('loss').textContent`, 30);
  check('lookup: the loss falls', later, `${first}, then ${later ?? await page.text('loss')} at step ${await page.text('steps')}; ${await page.text('time')} a step`);
  await page.press('run');
  check('lookup: stops', await page.until(`document.getElementById('status').textContent.startsWith('Stopped')`, 5), await page.text('status'));
  const [before] = [await page.text('steps'), await pause(700)];
  check('lookup: is still stopped', before === await page.text('steps'), before);

  await page.type('position', '4');
  await page.type('digits', '3141592653');
  const answer = await page.until(`/is right|it is 5/.test(document.getElementById('answer').textContent) && document.getElementById('answer').textContent`, 5);
  const weights = await page.ask(`[...document.querySelectorAll('#row-weights td')].map((cell) => Number(cell.textContent))`);
  const sum = weights.reduce((a, b) => a + b, 0);
  check('lookup: answers for typed digits', answer && Math.abs(sum - 100) <= 5, `${answer} Weights of ${weights.join(' ')}`);
  check('lookup: the drawings have words', (await page.ask(`document.getElementById('map').getAttribute('aria-label')`)).includes('3 1 4 1 5 9 2 6 5 3'));
  await page.type('digits', '31x');
  check('lookup: refuses what are no digits', (await page.text('hint')).startsWith('Only digits'), await page.text('hint'));
  await page.type('digits', '2718281845');
  await check_looks(page, 'lookup');
  await page.press('again');
  check('lookup: starts over', await page.until(`document.getElementById('steps').textContent === '0'`, 5), await page.text('status'));
  check_quiet(page, 'lookup', address);
}

async function use_characters(page, { address }) {
  await page.go(`${address}/characters.html`);
  check('characters: is ready', await page.until(`!document.getElementById('run').disabled`, 15), await page.text('status'));
  await page.press('run');
  const spans = `[...document.querySelectorAll('#text span')]`;
  check('characters: writes', await page.until(`${spans}.length > 100`, 15), JSON.stringify((await page.text('text')).slice(0, 60)));
  await page.press('run');
  await page.until(`document.getElementById('run').textContent === 'Write'`, 5);
  const [count] = [await page.ask(`${spans}.length`), await pause(500)];
  check('characters: stops', count === await page.ask(`${spans}.length`), await page.text('status'));
  const colours = () => page.ask(`${spans}.slice(0, 100).map((span) => getComputedStyle(span).backgroundColor)`);
  const some = await colours();
  check('characters: colours the text', new Set(some).size > 10, `${new Set(some).size} colours of 100 characters`);
  await page.type('unit', '7');
  await pause(100);
  check('characters: another unit, other colours', String(some) !== String(await colours()));
  check('characters: the drawing has words', (await page.ask(`document.getElementById('curve').getAttribute('aria-label')`)).startsWith('The state of unit 7'));
  await check_looks(page, 'characters');
  await page.type('beginning', 'JULIET:');
  await page.press('again');
  check('characters: begins anew', await page.until(`document.getElementById('text').textContent.startsWith('JULIET:')`, 5), JSON.stringify((await page.text('text')).slice(0, 30)));
  check_quiet(page, 'characters', address);
}

// What the library throws reaches the page as a sentence.
async function use_damaged(page, { address, damaged }) {
  damaged.add('/characters.safetensors');
  await page.go(`${address}/characters.html`);
  const sentence = await page.until(`!document.getElementById('problem').hidden && document.getElementById('problem').textContent`, 15);
  check('a damaged file: says so', /is damaged: expected the checksum/.test(sentence), sentence);
  damaged.clear();
}

async function use_without_vectors(page, { address }) {
  await page.send('Page.addScriptToEvaluateOnNewDocument', { source: 'WebAssembly.validate = () => false;' });
  for (const file of ['index.html', 'characters.html']) {
    await page.go(`${address}/${file}`);
    const sentence = await page.until(`!document.getElementById('problem').hidden && document.getElementById('problem').textContent`, 5);
    check(`${file} without vectors: says so`, /no WebAssembly with vectors/.test(sentence), sentence);
  }
  check_quiet(page, 'without vectors', address);
}

const chromium = ['chromium', 'chromium-browser', 'google-chrome'].find((name) => spawnSync(name, ['--version']).status === 0);
if (!chromium) end(77, 'there is no chromium');
const built = !builds ? { status: 0 } : spawnSync(join(root, 'examples/browser/run'), ['--without-serving', '--to', folder], { encoding: 'utf8' });
if (built.status === 77) end(77, built.stderr.trim());
if (built.status !== 0) end(1, `FAILS  examples/browser/run: ${(built.stderr || built.stdout).trim()}`);
for (const file of ['lookup.wasm', 'characters.wasm']) {
  const { size } = await stat(join(folder, file));
  check(`${file} has at most 500,000 bytes`, size <= 500000, size);
}
if (pictures) await mkdir(pictures, { recursive: true });

const server = await serve(folder);
const browser = await Browser.start(chromium);
try {
  for (const use of [use_lookup, use_characters, use_damaged, use_without_vectors]) {
    const page = await browser.open();
    await page.size(1000);
    await use(page, server);
    await page.close();
  }
} catch (error) {
  check('the pages can be used', false, error.message);
} finally {
  await browser.close();
  server.close();
}
end(failed === 0 ? 0 : 1);
