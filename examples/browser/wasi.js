// WASI preview 1 for a program without files, arguments and environment. Its clock is the page's; what it writes is kept, for its last words
// say why it ended. All other calls answer 8: there is no such file.
export class Wasi {
  memory = null;
  said = '';

  imports() {
    const words = () => new DataView(this.memory.buffer);
    const calls = {
      clock_time_get: (clock, precision, at) => {
        words().setBigUint64(at, BigInt(Math.round(performance.now() * 1e6)), true);
        return 0;
      },
      fd_fdstat_get: (file, at) => {
        new Uint8Array(this.memory.buffer, at, 24).fill(0);
        return 0;
      },
      fd_write: (file, pieces, count, written) => {
        let all = 0;
        for (let k = 0; k < count; ++k) {
          const at = words().getUint32(pieces + 8 * k, true);
          const size = words().getUint32(pieces + 8 * k + 4, true);
          this.said += new TextDecoder().decode(new Uint8Array(this.memory.buffer, at, size));
          all += size;
        }
        words().setUint32(written, all, true);
        return 0;
      },
      proc_exit: (status) => {
        throw new Error(`the program has ended with status ${status}`);
      },
    };
    return { wasi_snapshot_preview1: new Proxy(calls, { get: (known, name) => known[name] ?? (() => 8) }) };
  }
}
