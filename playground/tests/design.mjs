// The design that all pages have in common: a heading, a sentence, a legend, words, help, a link; colours that can be read, in the dark too;
// nothing that moves on its own where motion is not wanted; pages that can be reached and used on a phone.
import {onPage} from '../../player/tests/player_browser.mjs';
import {open, press, settle, until} from './playground_browser.mjs';

const kLeastContrast = 4.5; // of text, WCAG AA
const kMoving = ['pile', 'machines', 'soft'];

// Contrast of each text with what lies behind it, where that is one colour: [words, ratio] of those below the least.
function faintTexts(least) {
  const numbers = (colour) => (colour.match(/[\d.]+/g) ?? []).map(Number);
  const luminance = ([r, g, b]) => {
    const [x, y, z] = [r, g, b].map((c) => (c / 255 <= 0.04045 ? c / 255 / 12.92 : ((c / 255 + 0.055) / 1.055) ** 2.4));
    return 0.2126 * x + 0.7152 * y + 0.0722 * z;
  };
  const behind = (element) => {
    for (let at = element; at; at = at.parentElement) {
      const [r, g, b, a = 1] = numbers(getComputedStyle(at).backgroundColor);
      if (a === 1) return [r, g, b];
    }
    return null;
  };
  return [...document.querySelectorAll('aside *, nav *, main a, main p, main b, main span, dialog *')].flatMap((element) => {
    const words = [...element.childNodes].filter((node) => node.nodeType === 3 && node.textContent.trim()).map((node) => node.textContent.trim()).join(' ');
    if (!words || element.closest(':disabled, canvas, svg, .label, #labels')) return [];
    const [ink, paper] = [numbers(getComputedStyle(element).color), behind(element)];
    if (!paper) return [];
    const [a, b] = [luminance(ink), luminance(paper)].sort((x, y) => y - x);
    const ratio = (a + 0.05) / (b + 0.05);
    return ratio < least ? [[words.slice(0, 30), ratio.toFixed(2)]] : [];
  });
}

async function expectFrame(page, name, {expect}) {
  const found = await page.evaluate(() => ({
    headings: document.querySelectorAll('h1').length, sentence: document.querySelector('aside p.note')?.textContent.length ?? 0,
    legend: document.querySelectorAll('.legend, #legend').length, words: document.querySelectorAll('aside dl').length,
    unnamed: [...document.querySelectorAll('button, input:not([hidden]), select, textarea, canvas[tabindex]')].filter((control) =>
      !(control.textContent.trim() || control.getAttribute('aria-label') || control.labels?.[0]?.textContent.trim() || control.hidden)).map(({id}) => id),
    twice: [...document.querySelectorAll('[id]')].map(({id}) => id).filter((id, i, all) => all.indexOf(id) !== i),
  }));
  expect(found.headings === 1 && found.sentence > 60 && found.legend > 0 && found.words > 0, `${name} lacks a heading, a sentence, a legend or words: ${JSON.stringify(found)}`);
  expect(found.unnamed.length === 0, `${name} has controls without a name: ${found.unnamed}`);
  expect(found.twice.length === 0, `${name} has ids twice: ${found.twice}`);
  const faint = await page.evaluate(faintTexts, kLeastContrast);
  expect(faint.length === 0, `${name} has faint texts: ${JSON.stringify(faint.slice(0, 6))}`);
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
  const faint = await page.evaluate(faintTexts, kLeastContrast);
  expect(faint.length === 0, `the start page has faint texts: ${JSON.stringify(faint)}`);
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
  await onPage(browser, {size: '1280x800'}, problems, async (page) => {
    await withoutSpace(page, tools);
    await lookAtStart(page, where, 'desk', names, tools);
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
