// What both pages share: the worker, its problems, and how often the page is drawn.
const simd = new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 10, 1, 8, 0, 65, 0, 253, 15, 253, 98, 11]);

export const find = (id) => document.getElementById(id);
export const wantsLessMotion = () => matchMedia('(prefers-reduced-motion: reduce)').matches;

export function showProblem(sentence) {
  find('problem').textContent = sentence;
  find('problem').hidden = false;
  find('status').textContent = 'The program does not run.';
  for (const button of document.querySelectorAll('button')) button.disabled = true;
}

// A function that posts [name, value] to the worker; `answers` has a function for each message that comes back. Null if nothing can run here.
export function startWorker(file, answers) {
  if (typeof WebAssembly !== 'object' || !WebAssembly.validate(simd)) {
    showProblem('This browser has no WebAssembly with vectors (SIMD), which this page needs. Browsers from 2023 on have it.');
    return null;
  }
  const worker = new Worker(new URL(file, import.meta.url), { type: 'module' });
  worker.onmessage = ({ data: [name, value] }) => (name === 'failed' ? showProblem(value) : answers[name](value));
  worker.onerror = (event) => showProblem(`${file} cannot be run: ${event.message || 'it cannot be loaded'}.`);
  return (name, value) => worker.postMessage([name, value]);
}

// Calls `draw` at most once for each frame; where less motion is wanted, once for each second.
export function drawing(draw) {
  let is_due = false;
  const now = () => {
    is_due = false;
    draw();
  };
  return () => {
    if (is_due) return;
    is_due = true;
    if (wantsLessMotion()) setTimeout(now, 1000);
    else requestAnimationFrame(now);
  };
}

// A button that starts and stops. It stays the same element, so that it keeps the focus.
export function toggle(button, words, start, stop) {
  let runs = false;
  const show = () => (button.textContent = runs ? 'Stop' : words);
  button.onclick = () => (runs ? stop() : start());
  return {
    get runs() { return runs; },
    set runs(value) {
      runs = value;
      show();
    },
  };
}
