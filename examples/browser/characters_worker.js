// Writes with characters.wasm. Messages in: begin ({ number, text }: a seed, and what to read first), write ({ count, temperature, at_once }),
// stop. Out: ready, read, written, stopped, failed. Each character comes with the states of all units after it.
import { Program, fail, fetchBytes, listen, loop } from './program.js';

async function load() {
  const [program, weights] = await Promise.all([Program.from('./characters.wasm'), fetchBytes('./characters.safetensors')]);
  const at = program.call('room_for', weights.byteLength);
  program.bytes(at, weights.byteLength).set(new Uint8Array(weights));
  program.call('load');
  return program;
}
const program = await load().catch(fail);
const units = program?.call('unit_count');
let left = 0;  // characters to write
let wanted = {};

// In its training the network has seen a text begin only a few times: it reads these lines first, which are not shown.
const opening = 'First Citizen:\nBefore we proceed any further, hear me speak.\n\nAll:\nSpeak, speak.\n\n';

const read = (character) => program.call('read_character', character.charCodeAt(0));
const piece = (character) => ({ character, states: program.numbers(program.call('states'), units).slice() });
const writing = loop(() => {
  const pieces = [];
  const start = performance.now();
  for (; left > 0 && pieces.length < wanted.at_once; --left)
    pieces.push(piece(String.fromCharCode(program.call('write_character', wanted.temperature))));
  self.postMessage(['written', { pieces, milliseconds: performance.now() - start }]);
  if (left === 0) self.postMessage(['stopped']);
  return left > 0;
}, () => 16);

listen({
  begin({ number, text }) {
    writing.stop();
    program.call('begin', number);
    [...opening].forEach(read);
    const pieces = [];
    const unknown = [];
    for (const character of text) {
      const is_known = character.length === 1 && read(character);
      if (is_known) pieces.push(piece(character));
      else unknown.push(character);
    }
    self.postMessage(['read', { pieces, unknown }]);
  },
  write(options) {
    wanted = options;
    left = wanted.count;
    writing.start();
  },
  stop() {
    writing.stop();
    self.postMessage(['stopped']);
  },
});
if (program) {
  const lines = program.text(program.call('patterns')).trim().split('\n').map((line) => line.split(': '));
  self.postMessage(['ready', { units, patterns: lines.map(([name, unit]) => ({ name, unit: Number(unit) })) }]);
}
