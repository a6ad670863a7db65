// The page's side of the worker in which the library runs.
import {showMessage} from './shell.js';

const kHash = TACTUS_HASH; // of the build that this page belongs to

// A function that returns four numbers at once: a module that only engines with SIMD take.
const kSimd = new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 8, 1, 6, 0, 65, 0, 253, 15, 11]);

/// Why this page cannot work, or null.
export function obstacle(module = globalThis.tactusModule, webAssembly = globalThis.WebAssembly) {
  if (typeof webAssembly !== 'object') {
    return 'This browser runs no WebAssembly: the library cannot be started. Any browser since 2023 can.';
  }
  if (!webAssembly.validate(kSimd)) {
    return 'This browser runs no WebAssembly with SIMD: the library cannot be started. Any browser since 2023 can.';
  }
  if (!module) return 'tactus-module.js is missing: it lies beside the page, and both belong together.';
  if (module.hash !== kHash) {
    return `This page (build ${kHash}) and tactus-module.js (build ${module.hash}) are of different builds. Load the page anew, ` +
      'without the browser\'s cache, or build both again.';
  }
  return null;
}

function bytesOf(base64) {
  const text = atob(base64);
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; ++i) bytes[i] = text.charCodeAt(i);
  return bytes;
}

/// The error of calls that were cancelled.
export class Cancelled extends Error {}

export class Engine {
  /// Starts the worker; `null` (with a message on the page) where it cannot be.
  static start() {
    const problem = obstacle();
    if (problem) {
      showMessage(problem);
      return null;
    }
    return new Engine();
  }

  constructor() {
    this.next = 1;
    this.onframe = () => {};
    this.begin();
  }

  begin() {
    const {worker, wasm} = globalThis.tactusModule;
    this.worker = new Worker(URL.createObjectURL(new Blob([worker], {type: 'text/javascript'})));
    this.waiting = new Map();
    this.pending = new Map();
    this.worker.onmessage = ({data}) => this.receive(data);
    this.worker.onerror = (event) => showMessage(`The worker has stopped: ${event.message}`);
    const bytes = bytesOf(wasm);
    this.ready = this.call('start', bytes);
    this.ready.catch((error) => showMessage(error.message));
  }

  /// Ends the work under way, whose calls fail with `Cancelled`, and begins with an empty worker.
  restart() {
    this.worker.terminate();
    const given = [...this.waiting.values()];
    this.begin();
    given.forEach(({reject}) => reject(new Cancelled('Cancelled.')));
    return this.ready;
  }

  receive({id, result, error, frame}) {
    if (frame?.error) return showMessage(frame.error);
    if (frame) return this.onframe(frame);
    const {resolve, reject} = this.waiting.get(id);
    this.waiting.delete(id);
    if (error === undefined) resolve(result);
    else reject(new Error(error));
  }

  /// Calls a function of the worker.
  call(name, ...args) {
    const id = this.next++;
    const promise = new Promise((resolve, reject) => { this.waiting.set(id, {name, resolve, reject}); });
    this.worker.postMessage({id, name, args});
    return promise;
  }

  /// Nothing is asked that has no answer yet.
  get quiet() { return this.waiting.size === 0; }

  /// The names of the calls that have no answer yet.
  get unanswered() { return [...this.waiting.values()].map(({name}) => name); }

  /// As `call` where only the latest answer counts: while one call runs, only the last of the
  /// others is kept. null: overtaken.
  latest(name, ...args) {
    const slot = this.pending.get(name);
    if (slot) {
      slot.drop?.();
      return new Promise((resolve, reject) => {
        slot.drop = () => resolve(null);
        slot.go = () => this.latest(name, ...args).then(resolve, reject);
      });
    }
    const own = {};
    this.pending.set(name, own);
    const {pending} = this;
    return this.call(name, ...args).finally(() => {
      pending.delete(name);
      own.go?.();
    });
  }
}
