// As tactus_queries.mjs, for Node.js.
import {fileLoader} from './node_loading.mjs';
import {load as loadModule} from './tactus_queries.mjs';

export {contentHash, TactusError} from './tactus_queries.mjs';

export const load = fileLoader(loadModule, './tactus_queries_module.wasm');
