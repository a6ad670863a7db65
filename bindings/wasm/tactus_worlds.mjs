// Queries, and worlds of rigid bodies that code builds.
import createModule from './tactus_worlds_module.mjs';
import {TactusError} from './memory.mjs';
import {loader} from './loading.mjs';
import {contentHash} from './tactus_hash.mjs';
import {Worlds} from './worlds.mjs';

/// Names the build: the hash of the compiled modules that belong to this file.
export {contentHash, TactusError};

/// As `load` of the whole package, of the module tactus_worlds_module.wasm.
export const load = loader(createModule, () => new URL('./tactus_worlds_module.wasm', import.meta.url), (memory) => new Worlds(memory));
