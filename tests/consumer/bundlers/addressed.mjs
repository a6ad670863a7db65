import {load} from 'tactus';
import wasm from 'tactus/tactus_module.wasm';

const tactus = await load({wasm});
globalThis.answer = tactus.simulation().addBody({shape: {type: 'sphere', radius: 1}});
