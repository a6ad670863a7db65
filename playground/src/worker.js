// Runs the library apart from the page, so that nothing on it stalls.
import {load} from 'tactus';

import {ball} from './plane/ball_worker.js';
import {comet} from './plane/comet_worker.js';
import {digitise} from './plane/digitise_worker.js';
import {many} from './many/many_worker.js';
import {own} from './own/own_worker.js';
import {robot} from './own/robot_worker.js';
import {soft} from './space/soft_worker.js';
import {world} from './space/world_worker.js';
import {steps} from './steps/steps_worker.js';

let functions = {
  async start(bytes) {
    const tactus = await load({wasm: bytes});
    const send = (frame) => self.postMessage({frame});
    functions = {...ball(tactus), ...comet(tactus, send), ...digitise(tactus), ...world(tactus, send), ...soft(tactus, send), ...own(tactus), ...robot(tactus), ...steps(tactus), ...many(tactus)};
    return tactus.contentHash;
  },
};

self.onmessage = async ({data: {id, name, args}}) => {
  try {
    self.postMessage({id, result: await functions[name](...args)});
  } catch (error) {
    const text = error instanceof WebAssembly.RuntimeError || error instanceof RangeError
      ? `The library ran out of memory (${error.message}). Load the page anew, and try less.` : String(error?.message ?? error);
    self.postMessage({id, error: text});
  }
};
