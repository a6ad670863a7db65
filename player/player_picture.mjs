#!/usr/bin/env node
// player/player_picture.mjs PAGE.html FILE.png  [--size WxH] [--anchor t=SECONDS|end&bare&...]
// player/player_picture.mjs PAGE.html FILE.webp [--size WxH] [--anchor bare&...] [--from S] [--to S] [--rate N] [--pace X] [--quality Q]
// A still picture of what the anchor asks for (player/src/anchor.js), or a moving one of the simulated time from --from to
// --to with --rate pictures per simulated second, played --pace times as fast, which begins again after a rest. Moving ones need img2webp (Debian: webp).
import {execFileSync} from 'node:child_process';
import {mkdtempSync, renameSync, rmSync, statSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';

import {finish, follow, open, option, withPage} from './tests/player_browser.mjs';

const kRest = 1500; // milliseconds that the last picture stays

const [page_file, picture] = process.argv.slice(2);
const moving = picture?.endsWith('.webp');
if (!page_file || !(moving || picture?.endsWith('.png'))) {
  console.error('usage: player_picture.mjs PAGE.html FILE.png|FILE.webp [--size WxH] [--anchor t=SECONDS|end&bare&...]\n' +
    '         FILE.webp also: [--from S] [--to S] [--rate N] [--pace X] [--quality Q]');
  process.exit(2);
}

const problems = [];
await withPage({size: option('size', moving ? '640x360' : '1280x720')}, problems, moving ? takeMovingPicture : takePicture);
finish(problems, `wrote ${picture}, ${Math.round(statSync(picture, {throwIfNoEntry: false})?.size / 1000)} kB`);

async function takePicture(page) {
  await open(page, page_file, `#${option('anchor', 't=end')}`);
  writeFileSync(`${picture}.part`, await page.screenshot({type: 'png'}));
  renameSync(`${picture}.part`, picture);
}

async function takeMovingPicture(page) {
  await open(page, page_file, `#t=0&${option('anchor', 'bare')}`);
  const {duration} = await page.evaluate(() => ({duration: window.tactusPlayer.recording.duration}));
  const from = Number(option('from', 0));
  const to = Math.min(Number(option('to', duration)), duration);
  const rate = Number(option('rate', 10));
  const count = Math.floor((to - from) * rate + 1e-9) + 1;
  if (!(count > 1)) throw new Error(`no pictures between ${from} and ${to} s`);
  const folder = mkdtempSync(join(tmpdir(), 'tactus-pictures-'));
  try {
    const files = [];
    for (let k = 0; k < count; ++k) {
      await follow(page, `t=${from + k / rate}&${option('anchor', 'bare')}`);
      files.push(join(folder, `${k}.png`));
      writeFileSync(files.at(-1), await page.screenshot({type: 'png'}));
    }
    const quality = ['-lossy', '-q', option('quality', '50'), '-m', '6'];
    const last = files.pop();
    execFileSync('img2webp', ['-loop', '0', '-kmin', '9', '-kmax', '30',
      ...files.flatMap((file) => ['-d', String(Math.round(1000 / (rate * Number(option('pace', 1))))), ...quality, file]),
      '-d', String(kRest), ...quality, last, '-o', `${picture}.part`], {stdio: ['ignore', 'ignore', 'inherit']});
    renameSync(`${picture}.part`, picture);
  } finally {
    rmSync(folder, {recursive: true, force: true});
  }
}
