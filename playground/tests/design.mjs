// The design that all pages have in common: a heading, a sentence, a legend, words, help, a link; colours that can be read, in the dark too;
// nothing that moves on its own where motion is not wanted; pages that can be reached and used on a phone.
import {onPage} from '../../player/tests/player_browser.mjs';
import {expectAccessible, tryRules} from './accessibility.mjs';
import {open, settle, until} from './playground_browser.mjs';

const kMoving = ['pile', 'machines', 'scene', 'soft'];

async function expectFrame(page, name, tools) {
  const found = await page.evaluate(() => {
    const legend = [...document.querySelectorAll('#legend > span')].map((text) => [text.previousElementSibling, text.textContent.trim()]);
    return {headings: document.querySelectorAll('aside h1').length, sentence: document.querySelector('aside h1 + p.note')?.textContent.length ?? 0,
      signs: legend.filter(([sign, words]) => words && sign && (sign.textContent || sign.getBoundingClientRect().width > 5)).length, unsigned: legend.filter(([sign, words]) => !sign || !words).length,
      words: document.querySelectorAll('aside dl > dt').length};
  });
  tools.expect(found.headings === 1 && found.sentence > 60 && found.signs >= 3 && found.unsigned === 0 && found.words >= 4,
    `${name} lacks a heading, a sentence, a legend or words: ${JSON.stringify(found)}`);
  await expectAccessible(page, name, tools);
}

async function expectHelp(page, name, {expect}) {
  await page.evaluate(() => document.activeElement?.blur());
  await page.keyboard.press('?');
  expect(await page.evaluate(() => document.getElementById('help').open && document.getElementById('help-body').textContent.length > 100), `${name} has no help`);
  await page.keyboard.press('Escape');
  expect(await page.evaluate(() => !document.getElementById('help').open), `the help of ${name} does not close`);
}

// By the tabulator from the top: the links of the pages, the help, then all that can be used, each once, in the order of the page.
async function expectFocusOrder(page, name, {expect}) {
  await page.evaluate(() => { document.activeElement?.blur(); window.scrollTo(0, 0); });
  const order = [];
  for (let i = 0; i < 16; ++i) {
    await page.keyboard.press('Tab');
    order.push(await page.evaluate(() => [...document.querySelectorAll('*')].indexOf(document.activeElement)));
  }
  const places = order.slice(0, order.findIndex((at, i) => i > 0 && at <= order[i - 1]) + 1 || order.length);
  expect(places.length >= 10, `the tabulator leads through ${name} in the order ${order}`);
}

async function lookAtPage(page, name, where, kind, tools) {
  await open(page, where(name), kMoving.includes(name) ? {playing: false} : null);
  await until(page, () => globalThis.tactusPage.engine.quiet);
  await expectFrame(page, `${name} (${kind})`, tools);
  await tools.keepPicture(page, `${kind}-look-${name}`);
}

async function lookAtStart(page, where, kind, names, {expect, keepPicture}) {
  await page.goto(where('index'));
  const links = await page.$$eval('a', (all) => all.map((link) => link.getAttribute('href')));
  expect(names.every((name) => links.includes(`${name}.html`)), `the start page leads to ${links}`);
  await expectAccessible(page, `the start page (${kind})`, {expect});
  const moving = await page.evaluate(() => document.getAnimations().length);
  expect(kind === 'still' ? moving === 0 : moving > 0, `${moving} pictures of the start page move (${kind})`);
  await keepPicture(page, `${kind}-start`);
}

// Pictures in space take most of the time, and no check needs them: they are drawn only where pictures are kept.
async function withoutSpace(page, {pictures}) {
  if (pictures) return;
  await page.evaluateOnNewDocument(() => {
    const {getContext} = HTMLCanvasElement.prototype;
    HTMLCanvasElement.prototype.getContext = function (kind, ...rest) { return kind === 'webgl2' ? null : getContext.call(this, kind, ...rest); };
  });
}

/// Looks at the pages `names` on a desk, by night without motion, and on a phone.
export async function tryDesign(browser, names, where, problems, tools) {
  const {expect} = tools;
  const start = Date.now();
  await onPage(browser, {size: '800x600'}, problems, (page) => tryRules(page, tools));
  await onPage(browser, {size: '1280x800'}, problems, async (page) => {
    await withoutSpace(page, tools);
    await lookAtStart(page, where, 'desk', names, tools);
    await page.goto(where('docs/gjk'));
    await expectAccessible(page, 'a page of the documentation', tools);
    for (const name of names) {
      await lookAtPage(page, name, where, 'desk', tools);
      await expectHelp(page, name, tools);
      await expectFocusOrder(page, name, tools);
    }
  });
  await onPage(browser, {size: '1280x800'}, problems, async (page) => {
    await withoutSpace(page, tools);
    await page.emulateMediaFeatures([{name: 'prefers-color-scheme', value: 'dark'}, {name: 'prefers-reduced-motion', value: 'reduce'}]);
    await lookAtStart(page, where, 'still', names, tools);
    await page.goto(where('docs/gjk'));
    await expectAccessible(page, 'a page of the documentation by night', tools);
    for (const name of names) await lookAtPage(page, name, where, 'night', tools);
    for (const name of names.filter((moving) => kMoving.includes(moving))) {
      await open(page, where(name));
      await settle(page);
      expect(await page.$eval('#play', (button) => button.textContent) === 'Play', `${name} moves on its own where motion is not wanted`);
    }
  });
  await onPage(browser, {size: '390x844', touch: true}, problems, async (page) => {
    await withoutSpace(page, tools);
    await lookAtStart(page, where, 'phone', names, tools);
    for (const name of names) {
      await lookAtPage(page, name, where, 'phone', tools);
      const hidden = await page.evaluate(() => [...document.querySelectorAll('nav select, nav button, nav .home')].filter((control) => {
        const box = control.getBoundingClientRect();
        return box.width < 40 || box.right > innerWidth || !control.contains(document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2));
      }).map(({id, className}) => id || className));
      expect(hidden.length === 0, `${name}: ${hidden} cannot be reached on a phone`);
    }
    if (names.length > 1) {
      await page.select('#pages', `${names[0]}.html`);
      await until(page, (name) => location.pathname.endsWith(`/${name}.html`), names[0]);
    }
  });
  console.log(`design: ${((Date.now() - start) / 1000).toFixed(1)} s`);
}
