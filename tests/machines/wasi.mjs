// node wasi.mjs <program.wasm> [arguments]: runs a program for WebAssembly; its files are those of the system.
import { readFile } from 'node:fs/promises';
import { argv, exit } from 'node:process';
import { WASI } from 'node:wasi';

const wasi = new WASI({ version: 'preview1', args: argv.slice(2), env: {}, preopens: { '/': '/', '.': '.' } });
const program = await WebAssembly.compile(await readFile(argv[2]));
exit(wasi.start(await WebAssembly.instantiate(program, { wasi_snapshot_preview1: wasi.wasiImport })) ?? 0);
