// Rules for pages that everybody can use (WCAG 2.2, A and AA), as far as a program can tell: names, headings, ids, language, contrast.

const kLeastContrast = 4.5; // of text, AA

// Runs in the page: [rule, what breaks it] of each fault.
function faultsOf(leastContrast) {
  const all = (selector) => [...document.querySelectorAll(selector)];
  const faults = [];
  const require = (held, rule, ...what) => { if (!held) faults.push([rule, what.join(' ').slice(0, 60)]); };
  const shown = (element) => element.outerHTML.replace(/\s+/g, ' ');
  const named = (element) => Boolean(element.textContent.trim() || element.getAttribute('aria-label')?.trim() ||
    element.getAttribute('aria-labelledby') || element.labels?.[0]?.textContent.trim() || element.alt?.trim());

  require(/^[a-z]{2}/.test(document.documentElement.lang), 'language');
  require(document.title.trim(), 'title');
  require(all('main').length === 1, 'one main', all('main').length);
  require(!/user-scalable\s*=\s*no|maximum-scale/.test(document.querySelector('meta[name=viewport]')?.content ?? ''), 'zoom');
  for (const element of all('button, input:not([hidden]), select, textarea, a[href], summary, canvas[tabindex], progress, table:has(tbody), [role=group]')) {
    require(named(element) && !(element.tagName === 'TEXTAREA' && !element.getAttribute('aria-label') && !element.labels.length), 'name', shown(element));
  }
  for (const element of all('img, canvas, svg')) {
    const silent = element.closest('[aria-hidden=true], [role=presentation]') || element.getAttribute('alt') === '';
    require(silent || element.getAttribute('aria-label') || element.alt || element.querySelector(':scope > title'), 'picture', shown(element));
  }
  for (const element of all('[tabindex]')) require(element.tabIndex <= 0, 'tabindex', shown(element));
  for (const element of all('[aria-labelledby], [aria-describedby], [aria-controls]')) {
    for (const name of ['aria-labelledby', 'aria-describedby', 'aria-controls']) {
      require((element.getAttribute(name) ?? '').split(/\s+/).every((id) => !id || document.getElementById(id)), 'reference', shown(element));
    }
  }
  const ids = all('[id]').map(({id}) => id);
  ids.filter((id, i) => ids.indexOf(id) !== i).forEach((id) => require(false, 'id twice', id));
  const levels = all('h1, h2, h3, h4, h5, h6').filter((heading) => !heading.closest('dialog')).map(({tagName}) => Number(tagName[1]));
  require(levels.filter((level) => level === 1).length === 1, 'one h1', levels);
  levels.forEach((level, i) => require(i === 0 || level <= levels[i - 1] + 1, 'headings', levels));

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
  for (const element of all('body, body *')) {
    const words = [...element.childNodes].filter((node) => node.nodeType === 3 && node.textContent.trim()).map((node) => node.textContent.trim()).join(' ');
    if (!(words || /^(TEXTAREA|SELECT)$/.test(element.tagName)) || /^(SCRIPT|STYLE|TEMPLATE|OPTION)$/.test(element.tagName) || element.closest(':disabled, canvas, svg, .label, #labels')) continue;
    const [ink, paper] = [numbers(getComputedStyle(element).color), behind(element)];
    if (!paper) continue;
    const [a, b] = [luminance(ink), luminance(paper)].sort((x, y) => y - x);
    require((a + 0.05) / (b + 0.05) >= leastContrast, 'contrast', ((a + 0.05) / (b + 0.05)).toFixed(2), words);
  }
  return faults;
}

/// Expects that the page as it is breaks no rule.
export async function expectAccessible(page, name, {expect}) {
  const faults = await page.evaluate(faultsOf, kLeastContrast);
  expect(faults.length === 0, `${name} breaks rules: ${JSON.stringify(faults.slice(0, 6))}`);
}

const kBroken = `<html><head><meta name="viewport" content="width=device-width, user-scalable=no"></head><body style="background: #fff">
  <h2>First</h2><h4>Second</h4><button></button><input type="text"><a href="#"></a><textarea placeholder="name"></textarea>
  <img src="data:,"><svg></svg><p id="a">x</p><p id="a" tabindex="3" aria-labelledby="none">y</p><p style="color: #999">faint</p></body></html>`;
const kRules = ['language', 'title', 'one main', 'zoom', 'name', 'picture', 'tabindex', 'reference', 'id twice', 'one h1', 'headings', 'contrast'];

/// The rules themselves: a page that breaks each of them is found out.
export async function tryRules(page, {expect}) {
  await page.setContent(kBroken);
  const faults = await page.evaluate(faultsOf, kLeastContrast);
  const found = new Set(faults.map(([rule]) => rule));
  expect(kRules.every((rule) => found.has(rule)), `of a page that breaks all rules only ${[...found]} are found`);
  const count = (rule) => faults.filter(([other]) => other === rule).length;
  expect(count('name') === 4 && count('picture') === 2 && count('contrast') === 1, `of a page that breaks all rules ${JSON.stringify(faults)} are found`);
}
