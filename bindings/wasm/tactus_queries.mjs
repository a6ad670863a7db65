// Queries alone: distance, overlap, contacts and casts of shapes, and convex hulls.
import createModule from './tactus_queries_module.mjs';
import {TactusError} from './memory.mjs';
import {loader} from './loading.mjs';
import {Queries} from './queries.mjs';
import {contentHash} from './tactus_hash.mjs';

/// Names the build: the hash of the compiled modules that belong to this file.
export {contentHash, TactusError};

/// As `load` of the whole package, of the module tactus_queries_module.wasm.
export const load = loader(createModule, () => new URL('./tactus_queries_module.wasm', import.meta.url), (memory) => new Queries(memory));
