// Bundles the player into one page and writes it as a C++ source: node build.mjs OUTPUT.cpp
import {readFileSync, writeFileSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {fileURLToPath} from 'node:url';

import {build} from 'esbuild';

const here = dirname(fileURLToPath(import.meta.url));
const output = process.argv[2];
if (!output) throw new Error('usage: node build.mjs OUTPUT.cpp');

const bundle = await build({entryPoints: [join(here, 'src/main.js')], bundle: true, minify: true, write: false,
  format: 'iife', target: 'es2022', legalComments: 'none', charset: 'ascii', absWorkingDir: here});
const script = bundle.outputFiles[0].text.trim().replaceAll('</script', '<\\/script');
const notice = '/* Contains three.js, copyright three.js authors, MIT licence. */\n';
const inspector = (name) => readFileSync(join(here, 'src/inspector', name), 'utf8').trim();
const parts = {'<!--script-->': notice + script, '/*inspector*/': inspector('inspector.css'), '<!--body_panel-->': inspector('body_panel.html'),
  '<!--body_list-->': inspector('body_list.html')};
const page = Object.entries(parts).reduce((text, [mark, part]) => text.replace(mark, () => part), readFileSync(join(here, 'page.html'), 'utf8'));

// A raw string literal per piece: compilers may limit the length of one literal.
const kPiece = 8000;
const kDelimiter = 'TACTUS_PAGE';
const characters = Array.from(page);
const pieces = [];
for (let i = 0; i < characters.length; i += kPiece) {
  pieces.push(`R"${kDelimiter}(${characters.slice(i, i + kPiece).join('')})${kDelimiter}"`);
}
writeFileSync(output, `#include "tactus/io.hpp"

namespace tactus::io {

const std::string_view kPlayerPage =
${pieces.join('\n')};

}  // namespace tactus::io
`);
