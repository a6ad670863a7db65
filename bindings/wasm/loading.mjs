// Compiles a module, and refuses one of another build.
import {Memory, TactusError} from './memory.mjs';
import {contentHash} from './tactus_hash.mjs';

async function bytesOf(source, beside) {
  if (source instanceof WebAssembly.Module || source instanceof Uint8Array || source instanceof ArrayBuffer) return source;
  const url = source ?? beside();
  const response = await fetch(url);
  if (!response.ok) throw new TactusError(`${url}: ${response.status} ${response.statusText}`);
  return response.arrayBuffer();
}

/// The `load` of a module: `createModule` is its script, `beside` tells the address of the compiled code, `make` what calls it.
export const loader = (createModule, beside, make) => async ({wasm} = {}) => {
  if (typeof WebAssembly !== 'object') throw new TactusError('this machine runs no WebAssembly');
  const source = await bytesOf(wasm, beside);
  const compiled = source instanceof WebAssembly.Module ? source : await WebAssembly.compile(source);
  const [section] = WebAssembly.Module.customSections(compiled, 'tactus-hash');
  const found = section ? new TextDecoder().decode(section) : 'without a name';
  if (found !== contentHash) {
    throw new TactusError(`the compiled module is of another build (${found}) than the script (${contentHash}): load the page anew`);
  }
  const module = await createModule({
    instantiateWasm(imports, receive) {
      WebAssembly.instantiate(compiled, imports).then((instance) => receive(instance, compiled));
      return {};
    },
    print: () => {},
    printErr: () => {},
  });
  return make(new Memory(module));
};
