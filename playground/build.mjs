#!/usr/bin/env node
// node playground/build.mjs [FOLDER]   bundles the pages and the module into FOLDER (build/playground). Each page is one file;
// tactus-module.js beside it holds the compiled library and the worker's script, so that pages open from a file too.
import {mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync} from 'node:fs';
import {createRequire} from 'node:module';
import {dirname, join, resolve} from 'node:path';
import {fileURLToPath} from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));
const root = join(here, '..');
const {build} = createRequire(join(root, 'player/package.json'))('esbuild');
const folder = resolve(process.argv[2] ?? join(root, 'build/playground'));
const npm = join(root, 'build/wasm/npm');
const {contentHash} = await import(join(npm, 'tactus_hash.mjs'));

const kPages = [
  ['steps', 'See it think', 'Two bodies and an algorithm, step by step: GJK, EPA, MPR and the others on the difference A - B.'],
  ['many', 'Many at once', 'Points, boxes and meshes by the dozen, step by step: convex hull, branch and bound, sweep and prune, the moving hash.'],
  ['ball', 'Ball and contour', 'Drag a ball over a curve, read where it touches, let it bounce.'],
  ['comet', 'Comet and lander', 'Regions of any form collide, touch and fall: the exact verdict beside the literal one.'],
  ['digitise', 'Digitise', 'Outlines from a picture, or drawn by hand: trace, edit, save, play with them.'],
  ['pile', 'Pile', 'A live world: drag, throw, pour.'],
  ['machines', 'Machines', 'The same bodies by contacts and by impulses, side by side.'],
  ['scene', 'Scene', 'A scene to write: completed and checked as you type, run here, shared by a link.'],
  ['soft', 'Soft bodies', 'Pull on soft bodies: continuous and discrete response side by side.'],
  ['own', 'Your own', 'Drop meshes for hull, parts, slices, distances and a heat map; a robot to move; a scene; a recording.'],
];

async function bundle(entry) {
  const {outputFiles} = await build({entryPoints: [entry], bundle: true, minify: true, write: false, format: 'iife',
    target: 'es2022', legalComments: 'none', charset: 'ascii', absWorkingDir: root, logLevel: 'error',
    nodePaths: [join(root, 'player/node_modules')], alias: {tactus: join(npm, 'tactus.mjs')},
    loader: {'.json': 'text', '.urdf': 'text'}, external: ['node:fs/promises'],
    define: {'TACTUS_HASH': JSON.stringify(contentHash), 'import.meta.url': '"file:///"'}});
  return outputFiles[0].text.trim().replaceAll('</script', '<\\/script');
}

rmSync(folder, {recursive: true, force: true});
mkdirSync(folder, {recursive: true});
const worker = await bundle(join(here, 'src/worker.js'));
const wasm = readFileSync(join(npm, 'tactus_module.wasm')).toString('base64');
writeFileSync(join(folder, 'tactus-module.js'),
  `globalThis.tactusModule = ${JSON.stringify({hash: contentHash, worker, wasm})};\n`);

// The colours of all pages, light and dark: the head of their style sheet.
const rules = readFileSync(join(here, 'page.css'), 'utf8');
const theme = rules.slice(0, rules.indexOf('* { box-sizing'));

// The pages of the documentation that pages here link to, as they are written.
const escaped = (text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
mkdirSync(join(folder, 'docs'));
for (const name of readdirSync(join(root, 'docs/algorithms'))) {
  const [, title, text] = /^# (.*)\n+([^]*)/.exec(readFileSync(join(root, 'docs/algorithms', name), 'utf8')).map(escaped);
  writeFileSync(join(folder, 'docs', name.replace('.md', '.html')), '<!doctype html>\n<html lang="en"><meta charset="utf-8">' +
    `<meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark"><title>${title} · Tactus</title>\n` +
    `<link rel="icon" href="data:,"><style>${theme} body { max-width: 48em; margin: 2em auto; padding: 0 1em; background: var(--ground); color: var(--ink); font: 15px/1.5 system-ui, sans-serif; }` +
    `a { color: var(--accent); } pre { white-space: pre-wrap; overflow-wrap: anywhere; font: inherit; }</style>\n<p><a href="../index.html">Tactus in the browser</a></p>\n<main><h1>${title}</h1><pre>${text}</pre></main>\n</html>\n`);
}

// Parts of a page that several pages have; those of the inspector are the player's.
const inspector = (name) => readFileSync(join(root, 'player/src/inspector', name), 'utf8').trim();
const kShared = {
  body_panel: inspector('body_panel.html'),
  body_list: inspector('body_list.html'),
  timeline: `<section aria-labelledby="timeline-title">
    <h2 id="timeline-title">Timeline</h2>
    <label>To step <input type="range" id="moment" min="0" max="0" step="1"><output id="moment-step"></output></label>
    <div class="buttons">
      <button type="button" id="keep">Keep this state</button>
      <button type="button" id="go-back" disabled>Go back to it</button>
    </div>
    <p class="note" id="kept" role="status"></p>
    <table aria-label="State"><tbody id="state"></tbody></table>
  </section>`,
  live_words: `<dt>Time of a step</dt><dd>Pairs, contacts, solver, and the rest; the figures are medians of the last 120 steps. The red line is 1/60 s.</dd>
        <dt>Timeline</dt><dd>States are saved every 10 steps; when they are 240, or take 64 MiB, every second one goes and the others lie twice as far apart.</dd>
        <dt>State hash</dt><dd>16 digits that tell all bits of the state: two runs that agree in every bit have the same.</dd>
        <dt>Memory</dt><dd>Of the library's module: all worlds and what they left. It never shrinks.</dd>
        <dt>Force</dt><dd>Of a contact on the chosen body, in newtons; four times the mean weight of a body gives an arrow of one and a half bodies.</dd>`,
  timeline_help: `<li>The slider <b>To step</b> goes back to any saved state, and <b>Play</b> goes on from there: each state that is reached again is compared with the one that was saved. <b>Keep this state</b> and <b>Go back to it</b> hold one more, whatever is done in between.</li>`,
  legend: `<section>
    <h2>Legend</h2>
    <div class="marks" id="legend"></div>
  </section>`,
  transport: `<div id="transport">
    <p id="sentence" role="status" aria-live="polite"></p>
    <div class="row">
      <button type="button" id="to-start" aria-label="To the first step" title="Home">|◀</button>
      <button type="button" id="back" title="Left arrow">Back</button>
      <button type="button" id="play" aria-pressed="false" title="Space">Play</button>
      <button type="button" id="forward" title="Right arrow">Step</button>
      <button type="button" id="to-end" aria-label="To the answer" title="End">▶|</button>
      <input type="range" id="scrub" min="0" max="0" step="1" aria-label="Step">
      <output id="count"></output>
    </div>
  </div>`,
};
const fill = (text, parts) => text.replaceAll(/<!--(\w+)-->/g, (_, part) => parts[part]);
const template = readFileSync(join(here, 'page.html'), 'utf8');
const frame = await bundle(join(here, 'src/frame.js'));
const notice = '/* Contains three.js, copyright three.js authors, MIT licence. */\n';
for (const [name, title, summary] of kPages) {
  const links = kPages.map(([to, label]) =>
    `<a href="${to}.html"${to === name ? ' aria-current="page"' : ''}>${label}</a>`).join('\n');
  const script = await bundle(join(here, `src/${name}.js`));
  const body = fill(readFileSync(join(here, `src/${name}.html`), 'utf8'), kShared);
  const options = kPages.map(([to, label]) => `<option value="${to}.html"${to === name ? ' selected' : ''}>${label}</option>`).join('\n');
  const parts = {title, summary, style: `${inspector('inspector.css')}\n${rules}`, links, options, body, frame, script: notice + script};
  writeFileSync(join(folder, `${name}.html`), fill(template, parts));
}
// The start page: a card for each page, with a drawn picture.
const drawing = (name) => readFileSync(join(here, `src/cards/${name}.svg`), 'utf8').trim();
const cards = kPages.map(([name, title, summary]) => `<li><a href="${name}.html">${drawing(name)}` +
  `<b>${title}</b><span>${summary}</span></a></li>`).join('\n');
writeFileSync(join(folder, 'index.html'), readFileSync(join(here, 'start.html'), 'utf8').replace('<!--cards-->', () => cards).replace('/*theme*/', () => theme));
console.log(`${folder}: ${kPages.length} pages, build ${contentHash}`);
