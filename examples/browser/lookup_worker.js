// Trains lookup.wasm. Messages in: begin (a number, the seed), train, stop, look (ten digits). Out: ready, begun, losses, looked, judged, stopped,
// failed.
import { Program, fail, listen, loop } from './program.js';

const program = await Program.from('./lookup.wasm').catch(fail);
const between = 50;  // milliseconds between two messages
const epoch = program?.call('steps_of_epoch');  // after which the answers are judged
let milliseconds = 0;  // of all steps
let asked = [];        // ten digits

// The answers and the attention for the digits, for each of the ten positions.
function look() {
  program.whole(program.call('digits'), 10).set(asked);
  program.call('look_up');
  const answers = [...program.whole(program.call('answers'), 10)];
  const weights = [...program.numbers(program.call('attention_of'), 100)];
  self.postMessage(['looked', { digits: asked, answers, weights }]);
}
const judge = () => self.postMessage(['judged', program.call('accuracy')]);

const training = loop(() => {
  const losses = [];
  const most = program.call('most_steps');
  let steps = program.call('steps');
  const start = performance.now();
  while (steps < most && performance.now() - start < between) {
    losses.push(program.call('step'));
    ++steps;
    if (steps % epoch === 0) break;
  }
  milliseconds += performance.now() - start;
  self.postMessage(['losses', { losses, milliseconds: milliseconds / steps }]);
  look();
  if (steps % epoch === 0) judge();
  if (steps === most) self.postMessage(['stopped']);
  return steps < most;
});

listen({
  begin(number) {
    training.stop();
    milliseconds = 0;
    program.call('begin', number);
    self.postMessage(['begun', program.call('most_steps')]);
  },
  train: () => training.start(),
  stop() {
    training.stop();
    self.postMessage(['stopped']);
  },
  look(digits) {
    asked = digits;
    look();
  },
});
if (program) self.postMessage(['ready']);
