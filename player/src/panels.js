// The texts around the picture.

const element = (id) => document.getElementById(id);

export function format(value) {
  if (value === null || value === undefined) return '–';
  if (Number.isInteger(value)) return value.toLocaleString('en');
  const size = Math.abs(value);
  return size !== 0 && (size < 1e-3 || size >= 1e5) ? value.toExponential(2) : value.toPrecision(3);
}

// Fills a list of terms, only when it changes. Names come from files: they are text, never markup.
export function showList(list, lines) {
  const key = JSON.stringify(lines);
  if (list.dataset.shown === key) return;
  list.dataset.shown = key;
  list.replaceChildren(...lines.flatMap(([name, text]) => {
    const term = document.createElement('dt');
    const value = document.createElement('dd');
    term.textContent = name;
    value.textContent = text;
    return [term, value];
  }));
}

export function showStatistics({time, lines}) {
  element('statistics-of').textContent = time === null ? 'No second has ended yet' : `Second that ended at ${format(time)} s`;
  showList(element('statistics'), lines.map(([name, value]) => [name, format(value)]));
}

/// The sheet that holds the panels of a small screen.
export function setSheet(open) {
  document.body.classList.toggle('open', open);
  element('more').setAttribute('aria-expanded', open);
  element('more').setAttribute('aria-label', open ? 'Hide the panels' : 'Show the panels');
}
