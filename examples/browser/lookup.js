// The page of index lookup: draws the loss and the attention that its worker sends.
import { drawing, find, startWorker, toggle } from './page.js';
import { drawLines, makeFields } from './svg.js';

const guess = Math.log(10);  // the loss of a guess
const smooth = 20;           // steps of a mean
const positions = [...Array(10).keys()];

let most = 0;    // steps of the training
let losses = [];
let judged = null;
let looked = null;
let milliseconds = 0;
let position = 0;  // that is asked for
let seed = 1;

const percent = (share) => `${(100 * share).toFixed(share < 0.9995 ? 1 : 0)} %`;
const last = () => losses.slice(-smooth).reduce((sum, loss) => sum + loss, 0) / Math.min(smooth, losses.length);

const fields = makeFields(find('map'), 10);
const cells = (row, kind) => positions.map(() => {
  const cell = find(row).appendChild(document.createElement('td'));
  cell.className = kind;
  return cell;
});
const table = { positions: cells('row-positions', ''), digits: cells('row-digits', ''), weights: cells('row-weights', 'weight') };
table.positions.forEach((cell, k) => (cell.textContent = k));

function means() {
  const points = [];
  for (let from = 0; from < losses.length; from += smooth) {
    const some = losses.slice(from, from + smooth);
    points.push([from + some.length / 2, some.reduce((sum, loss) => sum + loss, 0) / some.length]);
  }
  return points;
}
function drawCurve() {
  if (!most) return;
  const every = Math.max(1, Math.floor(losses.length / 600));
  const end = [250, 500, 1000, 2000].find((steps) => steps >= losses.length) ?? most;
  drawLines(find('curve'), {
    x: { from: 0, to: end, ticks: [[0, '0'], [end / 2, String(end / 2)], [end, `${end} steps`]] },
    y: { from: 0, to: 2.7, ticks: [[0, '0'], [1, '1'], [2, '2']] },
    lines: [
      { kind: 'guess', points: [[0, guess], [end, guess]] },
      { kind: 'raw', points: losses.map((loss, k) => [k + 1, loss]).filter((_, k) => k % every === 0) },
      { kind: 'mean', points: means() },
    ],
    note: { at: guess, text: 'a guess' },
  });
  find('steps').textContent = String(losses.length);
  find('loss').textContent = losses.length ? last().toFixed(3) : '–';
  find('time').textContent = milliseconds ? `${milliseconds.toFixed(1)} ms` : '–';
  find('accuracy').textContent = judged === null ? '–' : percent(judged);
  const words = losses.length ? `${losses[0].toFixed(2)} at the first step, ${last().toFixed(3)} at step ${losses.length}` : 'no step yet';
  find('curve').setAttribute('aria-label', `The loss: ${words}.`);
}
function answer() {
  const given = looked.answers[position];
  const right = looked.digits[position];
  return `Answer: ${given}, which is ${given === right ? 'right' : `wrong; it is ${right}`}.`;
}
function drawAttention() {
  if (!looked) return;
  const { digits } = looked;
  const weights = looked.weights.slice(10 * position, 10 * position + 10);
  const top = weights.indexOf(Math.max(...weights));
  find('answer').textContent = answer();
  weights.forEach((weight, k) => {
    table.digits[k].textContent = digits[k];
    table.weights[k].textContent = String(Math.round(100 * weight));
    table.weights[k].style.setProperty('--share', `${100 * weight}%`);
    for (const row of Object.values(table)) row[k].classList.toggle('chosen', k === position);
  });
  const marks = looked.answers.map((answer, k) => `${answer} ${answer === digits[k] ? '✓' : '✗'}`);
  fields.show({ weights: looked.weights, above: digits, before: positions, after: marks, row: position });
  const right = looked.answers.filter((answer, k) => answer === digits[k]).length;
  find('map').setAttribute('aria-label', `Attention for the digits ${digits.join(' ')}: asked for position ${position}, most of it, ` +
    `${percent(weights[top])}, is at position ${top}. ${right} of 10 answers are right.`);
}
const draw = drawing(() => {
  drawCurve();
  drawAttention();
});

// Where the training is, for everyone: shown, and read aloud when it changes.
const say = (words) => (find('status').textContent = words);
const results = () => `${losses.length ? `the loss is ${last().toFixed(3)}` : 'there is no loss yet'}${judged === null ? '' : `, ${percent(judged)} of the answers are right`}`;

const button = toggle(find('run'), 'Train', () => {
  if (losses.length >= most) begin();
  button.runs = true;
  say('The network is learning.');
  send('train');
}, () => send('stop'));

function begin() {
  send('begin', seed);
  seed += 10;
  ask();
}
find('again').onclick = () => {
  const went_on = button.runs;
  begin();
  if (went_on) {
    send('train');
    button.runs = true;
  }
  say(went_on ? 'The network is learning anew.' : 'The network is new and knows nothing.');
};

// The visitor's question.
function ask() {
  const digits = [...find('digits').value].filter((letter) => letter >= '0' && letter <= '9').map(Number);
  const at = Number(find('position').value);
  const others = find('digits').value.length - digits.length;
  const problem = others > 0 ? 'Only digits, 0 to 9.'
    : digits.length < 10 ? `Ten digits are needed; there are ${digits.length}.`
    : find('position').value === '' || !Number.isInteger(at) || at < 0 || at > 9 ? 'The position is a number from 0 to 9.' : '';
  find('digits').setAttribute('aria-invalid', String(others > 0 || digits.length < 10));
  find('hint').textContent = problem || 'The answer and the weights change as you type, and as the network learns.';
  if (problem) return;
  position = at;
  send?.('look', digits);
}
find('form').oninput = ask;
find('form').onsubmit = (event) => event.preventDefault();
addEventListener('resize', draw);

const send = startWorker('./lookup_worker.js', {
  ready() {
    begin();
    find('run').disabled = find('again').disabled = false;
    say('Ready. Press “Train”.');
  },
  begun(steps) {
    most = steps;
    losses = [];
    judged = null;
    milliseconds = 0;
    draw();
  },
  losses(seen) {
    losses.push(...seen.losses);
    milliseconds = seen.milliseconds;
    draw();
  },
  looked(seen) {
    looked = seen;
    draw();
    if (!button.runs) find('said').textContent = answer();
  },
  judged(accuracy) {
    judged = accuracy;
    draw();
  },
  stopped() {
    if (!button.runs) return;
    button.runs = false;
    draw();
    find('said').textContent = answer();
    say(`${losses.length >= most ? 'Done' : 'Stopped'} at step ${losses.length}: ${results()}.`);
  },
});
