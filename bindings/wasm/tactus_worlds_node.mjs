// As tactus_worlds.mjs, for Node.js.
import {fileLoader} from './node_loading.mjs';
import {load as loadModule} from './tactus_worlds.mjs';

export {contentHash, TactusError} from './tactus_worlds.mjs';

export const load = fileLoader(loadModule, './tactus_worlds_module.wasm');
