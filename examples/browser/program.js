// A program for WebAssembly in a worker: fetched, started, and called by the names of its functions.
import { Wasi } from './wasi.js';

export async function fetchBytes(file) {
  const answer = await fetch(new URL(file, import.meta.url)).catch(() => null);
  if (!answer?.ok) throw new Error(`${file} cannot be fetched${answer ? `: the server answers ${answer.status}` : ''}.`);
  return answer.arrayBuffer();
}

export class Program {
  #wasi = new Wasi();
  #exports;

  static async from(file) {
    const program = new Program();
    const made = await WebAssembly.instantiate(await fetchBytes(file), program.#wasi.imports());
    program.#exports = made.instance.exports;
    program.#wasi.memory = program.#exports.memory;
    program.call('_initialize');
    return program;
  }

  // An exception ends the program; its sentence is the last that the program writes.
  call(name, ...values) {
    try {
      return this.#exports[name](...values);
    } catch (error) {
      throw new Error(this.#wasi.said.trim() || String(error));
    }
  }

  // Views of the program's memory, valid until the next call.
  bytes(at, size) { return new Uint8Array(this.#exports.memory.buffer, at, size); }
  whole(at, size) { return new Int32Array(this.#exports.memory.buffer, at, size); }
  numbers(at, size) { return new Float32Array(this.#exports.memory.buffer, at, size); }
  text(at) {
    const all = this.bytes(at);
    return new TextDecoder().decode(all.subarray(0, all.indexOf(0)));
  }
}

// A worker's loop: `turn` runs again and again while it returns true, with a pause in milliseconds, and messages arrive in between.
export function loop(turn, pause = () => 0) {
  let runs = false;
  let is_due = false;
  const channel = new MessageChannel();
  const next = () => {
    if (is_due) return;
    is_due = true;
    if (pause() > 0) setTimeout(now, pause());
    else channel.port2.postMessage(null);  // a timer would wait for four milliseconds
  };
  const now = () => {
    is_due = false;
    try {
      runs = runs && turn();
    } catch (error) {
      runs = false;
      fail(error);
    }
    if (runs) next();
  };
  channel.port1.onmessage = now;
  return {
    start() {
      runs = true;
      next();
    },
    stop() { runs = false; },
  };
}

// Calls a function of `actions` for each message [name, value]. What goes wrong is posted as a sentence.
export function listen(actions) {
  let earlier = Promise.resolve();
  self.onmessage = ({ data: [name, value] }) => {
    earlier = earlier.then(() => actions[name](value)).catch(fail);
  };
}
export function fail(error) {
  self.postMessage(['failed', error instanceof Error ? error.message : String(error)]);
}
