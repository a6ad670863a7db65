#!/usr/bin/env node
// tools/wasm_package.mjs   makes the npm package in build/wasm/npm from what emscripten left in build/wasm/bindings/wasm.
// The compiled module receives the hash of its content, and the script beside it the same one: pages and module go together.
import {createHash} from 'node:crypto';
import {copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {fileURLToPath} from 'node:url';
import {gzipSync} from 'node:zlib';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const built = join(root, 'build/wasm/bindings/wasm');
const source = join(root, 'bindings/wasm');
const folder = join(root, 'build/wasm/npm');
// 1,323 kB with the classic methods, steps and the checker, and without the code of ranks (74 kB) and of locales (35 kB).
const kMostGzipped = 1350000; // bytes

function leb128(number) {
  const bytes = [];
  for (; number > 127; number >>>= 7) bytes.push((number & 127) | 128);
  return [...bytes, number];
}

// A custom section: id 0, size, name, content.
function withSection(wasm, name, content) {
  const body = Buffer.from([name.length, ...Buffer.from(name), ...Buffer.from(content)]);
  return Buffer.concat([wasm, Buffer.from([0, ...leb128(body.length)]), body]);
}

rmSync(folder, {recursive: true, force: true});
mkdirSync(folder, {recursive: true});
const wasm = readFileSync(join(built, 'tactus_module.wasm'));
const script = readFileSync(join(built, 'tactus_module.mjs'));
const wrapper = readFileSync(join(source, 'tactus.mjs'));
const hash = createHash('sha256').update(wasm).update(script).update(wrapper).digest('hex').slice(0, 16);
const module = withSection(wasm, 'tactus-hash', hash);
writeFileSync(join(folder, 'tactus_module.wasm'), module);
writeFileSync(join(folder, 'tactus_module.mjs'), script);
writeFileSync(join(folder, 'tactus.mjs'), wrapper);
writeFileSync(join(folder, 'tactus_hash.mjs'), `export const contentHash = '${hash}';\n`);
for (const name of ['tactus_node.mjs', 'tactus.d.ts', 'README.md']) copyFileSync(join(source, name), join(folder, name));
copyFileSync(join(root, 'LICENSE'), join(folder, 'LICENSE'));
const version = /TACTUS_VERSION "(.*)"/.exec(readFileSync(join(root, 'include/tactus/version.hpp'), 'utf8'))[1];
const description = JSON.parse(readFileSync(join(source, 'package.json'), 'utf8'));
writeFileSync(join(folder, 'package.json'), `${JSON.stringify({...description, version}, null, 2)}\n`);

const gzipped = [module, script, wrapper].reduce((sum, bytes) => sum + gzipSync(bytes, {level: 9}).length, 0);
console.log(`build/wasm/npm: ${(module.length / 1000).toFixed(0)} kB of WebAssembly, ${(gzipped / 1000).toFixed(0)} kB gzipped in all, build ${hash}`);
if (gzipped > kMostGzipped) {
  console.error(`more than ${kMostGzipped / 1000} kB gzipped`);
  process.exit(1);
}
