// As tactus.mjs, for Node.js.
import {fileLoader} from './node_loading.mjs';
import {load as loadModule} from './tactus.mjs';

export {contentHash, TactusError} from './tactus.mjs';

export const load = fileLoader(loadModule, './tactus_module.wasm');
