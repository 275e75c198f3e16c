// The page of characters: shows the text that its worker writes, coloured by the state of the unit that the visitor chooses.
import { drawing, find, startWorker, toggle, wantsLessMotion } from './page.js';
import { drawLines } from './svg.js';

const length = 600;       // characters that one press writes
const most = 3000;        // that are shown
const shown_states = 120;  // in the curve

let pieces = [];  // { character, states, span }
let unit = 0;
let names = new Map();  // of units that follow a pattern
let is_begun = false;
let written = { characters: 0, milliseconds: 0 };

// A state from -1 to 1 as a colour behind the character.
const colour = (state) => `rgb(var(--${state < 0 ? 'low' : 'high'}) / calc(var(--strength) * ${Math.abs(state).toFixed(3)}))`;
function paint({ span, states }) {
  span.style.backgroundColor = colour(states[unit]);
}
function add(more, kind) {
  const text = find('text');
  const is_at_end = text.scrollHeight - text.scrollTop - text.clientHeight < 40;
  for (const piece of more) {
    piece.span = document.createElement('span');
    piece.span.className = kind;
    piece.span.textContent = piece.character;
    paint(piece);
    text.append(piece.span);
    pieces.push(piece);
  }
  for (const { span } of pieces.splice(0, Math.max(0, pieces.length - most))) span.remove();
  if (is_at_end) text.scrollTop = text.scrollHeight;
  draw();
}

const nameOfUnit = () => `unit ${unit}${names.has(unit) ? `, which follows “${names.get(unit)}”` : ''}`;
const draw = drawing(() => {
  const some = pieces.slice(-shown_states);
  const states = some.map((piece) => piece.states[unit]);
  drawLines(find('curve'), {
    x: { from: 0, to: shown_states - 1, ticks: [] },
    y: { from: -1, to: 1, ticks: [[-1, '−1'], [0, '0'], [1, '1']] },
    lines: [{ kind: 'mean', points: states.map((state, k) => [k, state]) }],
  });
  const text = some.map(({ character }) => character).join('');
  const number = (state) => state.toFixed(2).replace('-', '−');
  const before = (k) => text.slice(Math.max(0, k - 11), k + 1).replaceAll('\n', ' ').trim();
  const highest = states.indexOf(Math.max(...states));
  const lowest = states.indexOf(Math.min(...states));
  const words = states.length
    ? `Highest, ${number(states[highest])}, after “${before(highest)}”; lowest, ${number(states[lowest])}, after “${before(lowest)}”.` : 'There is no text yet.';
  find('curve').setAttribute('aria-label', `The state of ${nameOfUnit()}. ${words}`);
  find('curve-caption').textContent = `The state of ${nameOfUnit()}, after each of the last ${shown_states} characters. ${words}`;
});

const say = (words) => (find('status').textContent = words);
function begin() {
  pieces = [];
  find('text').replaceChildren();
  written = { characters: 0, milliseconds: 0 };
  is_begun = true;
  send('begin', { number: Math.floor(Math.random() * 2 ** 31), text: find('beginning').value });
}
function write() {
  if (!is_begun) begin();
  button.runs = true;
  say('The network is writing.');
  send('write', { count: length, temperature: Number(find('temperature').value), at_once: wantsLessMotion() ? length : 2 });
}
const button = toggle(find('run'), 'Write', write, () => send('stop'));
find('again').onclick = () => {
  begin();
  write();
};

function choose(number) {
  if (!Number.isInteger(number) || number < 0 || number > Number(find('unit').max)) return;
  unit = number;
  if (document.activeElement !== find('unit')) find('unit').value = number;
  find('unit-range').value = number;
  find('pattern').value = names.has(number) ? number : '';
  for (const piece of pieces) paint(piece);
  draw();
}
find('unit').oninput = () => choose(find('unit').value === '' ? -1 : Number(find('unit').value));
find('unit-range').oninput = () => choose(Number(find('unit-range').value));
find('pattern').onchange = () => find('pattern').value !== '' && choose(Number(find('pattern').value));
find('temperature').oninput = () => (find('temperature-value').value = Number(find('temperature').value).toFixed(1));
for (const form of document.forms) form.onsubmit = (event) => event.preventDefault();
addEventListener('resize', draw);

const send = startWorker('./characters_worker.js', {
  ready({ units, patterns }) {
    for (const { name, unit: number } of patterns) {
      if (!names.has(number)) find('pattern').append(new Option(name, number));
      names.set(number, names.get(number) ?? name);
    }
    find('unit').max = find('unit-range').max = units - 1;
    for (const id of ['run', 'again', 'unit', 'unit-range', 'pattern']) find(id).disabled = false;
    choose(patterns[0]?.unit ?? 0);
    say('Ready. Press “Write”.');
  },
  read({ pieces: more, unknown }) {
    add(more, 'given');
    find('problem').hidden = unknown.length === 0;
    find('problem').textContent = `The network has never seen ${unknown.map((letter) => `“${letter}”`).join(', ')}, and has left it out.`;
  },
  written({ pieces: more, milliseconds }) {
    written = { characters: written.characters + more.length, milliseconds: written.milliseconds + milliseconds };
    add(more, '');
  },
  stopped() {
    if (!button.runs) return;
    button.runs = false;
    const each = written.characters ? `, ${(written.milliseconds / written.characters).toFixed(2)} ms for each` : '';
    say(`${written.characters} characters are written${each}. Press “Write” for more.`);
  },
});
