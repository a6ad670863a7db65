// Reads compiled modules from their files, for Node.js. Bundlers of pages never see this one.
import {readFile} from 'node:fs/promises';

const isFile = (wasm) => (typeof wasm === 'string' || wasm instanceof URL) && String(wasm).startsWith('file:');

/// `load` of a module that lies in a file beside this one.
export const fileLoader = (load, name) => async ({wasm = new URL(name, import.meta.url)} = {}) =>
  load({wasm: isFile(wasm) ? await readFile(new URL(wasm)) : wasm});
