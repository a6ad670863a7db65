// Pseudo-code, words and choices beside a picture of steps.
import {element} from '../shell.js';

/// Pseudo-code under a title, with the line `now` marked.
export function codeBox(title, lines, now) {
  const box = document.createElement('div');
  const heading = document.createElement('h2');
  heading.textContent = title;
  const list = document.createElement('ol');
  list.className = 'code';
  lines.forEach((text, i) => {
    const item = document.createElement('li');
    item.textContent = text;
    if (i === now) item.setAttribute('aria-current', 'step');
    list.append(item);
  });
  box.append(heading, list);
  return box;
}

/// `glossary`: [word, meaning].
export function fillWords(glossary) {
  element('words').replaceChildren(...glossary.flatMap(([word, meaning]) => {
    const [dt, dd] = [document.createElement('dt'), document.createElement('dd')];
    dt.textContent = word;
    dd.textContent = meaning;
    return [dt, dd];
  }));
}

/// Options of a choice by their groups; `value(item, i)` is that of an option.
export function fillGroups(select, items, value) {
  for (const group of new Set(items.map((item) => item.group))) {
    const box = document.createElement('optgroup');
    box.label = group;
    items.forEach((item, i) => { if (item.group === group) box.append(new Option(item.name, value(item, i))); });
    select.append(box);
  }
}
