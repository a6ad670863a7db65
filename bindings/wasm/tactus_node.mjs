// As tactus.mjs, for Node.js, which reads the compiled library from its file. Bundlers of pages never see this one.
import {readFile} from 'node:fs/promises';

import {load as loadModule} from './tactus.mjs';

export {contentHash, TactusError} from './tactus.mjs';

export async function load({wasm = new URL('./tactus_module.wasm', import.meta.url)} = {}) {
  const isFile = (typeof wasm === 'string' || wasm instanceof URL) && String(wasm).startsWith('file:');
  return loadModule({wasm: isFile ? await readFile(new URL(wasm)) : wasm});
}
