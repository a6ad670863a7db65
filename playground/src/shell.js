// Functions that all pages share: messages, the state in the address, the line that reproduces it,
// controls.

export const element = (id) => document.getElementById(id);

export function showMessage(text) {
  element('message').textContent = text ?? '';
  element('message').hidden = !text;
}

/// A sentence over the picture, for as long as something is being done there.
export function showHint(text) {
  element('hint').textContent = text;
  element('hint').hidden = !text;
}

/// The state that the address carries, over the defaults; fields of another type are left out.
export function readState(defaults) {
  try {
    const given = JSON.parse(decodeURIComponent(location.hash.slice(1)));
    const fits = ([key, value]) => key in defaults && typeof value === typeof defaults[key] &&
      Array.isArray(value) === Array.isArray(defaults[key]);
    return {...defaults, ...Object.fromEntries(Object.entries(given).filter(fits))};
  } catch {
    return {...defaults};
  }
}

export const kWriteDelay = 250; // milliseconds
let timer = 0;

/// Puts the state into the address, not more often than browsers allow.
export function writeState(state) {
  clearTimeout(timer);
  timer = setTimeout(() => {
    history.replaceState(null, '', `#${encodeURIComponent(JSON.stringify(state))}`);
  }, kWriteDelay);
}

/// Shows the line of JSON that gives the same bits natively, with the command that takes it.
export function showLine(line) {
  element('line').value = line;
}

export function wireLine() {
  element('copy')?.addEventListener('click', async () => {
    element('line').select();
    try {
      await navigator.clipboard.writeText(element('line').value);
    } catch {
      document.execCommand('copy'); // pages from files have no clipboard
    }
  });
}

/// A slider; `format` says how its value is shown. Answers with a function that sets it, without a change told.
export function wireRange(id, value, change, format = String) {
  const input = element(id);
  const output = input.parentElement.querySelector('output');
  const set = (to) => {
    input.value = to;
    output.textContent = format(Number(to));
  };
  input.value = value;
  set(input.value);
  input.addEventListener('input', () => {
    output.textContent = format(Number(input.value));
    change(Number(input.value));
  });
  return set;
}

/// A box to tick, for a switch of the look of a 3D view: `view()` is drawn anew with it.
export function wireTick(id, state, look, view) {
  const input = element(id);
  input.checked = look[id];
  input.addEventListener('change', () => {
    state[id] = look[id] = input.checked;
    writeState(state);
    if (view()) view().dirty = true;
  });
}

const kMostFiles = 20_000; // of a dropped folder

// The files of dropped entries, folders and all that is in them; each with its `path`.
async function filesIn(entries) {
  const files = [];
  const ask = (object, name) => new Promise((resolve, reject) => { object[name](resolve, reject); });
  for (const entry of entries) {
    if (files.length + entries.length > kMostFiles) throw new Error(`The folder holds more than ${kMostFiles} files: drop the part of it that is needed.`);
    if (entry.isDirectory) {
      const reader = entry.createReader();
      for (let some = await ask(reader, 'readEntries'); some.length > 0; some = await ask(reader, 'readEntries')) entries.push(...some);
    } else {
      files.push(Object.assign(await ask(entry, 'file'), {path: entry.fullPath.replace(/^\//, '')}));
    }
  }
  return files;
}

/// Takes dropped and chosen files: `take(files)` is called with a list; a dropped folder gives all files in it.
export function wireFiles(take) {
  const target = document.body;
  target.addEventListener('dragover', (event) => { event.preventDefault(); target.classList.add('dropping'); });
  target.addEventListener('dragleave', () => target.classList.remove('dropping'));
  target.addEventListener('drop', (event) => {
    event.preventDefault();
    target.classList.remove('dropping');
    const entries = [...event.dataTransfer.items].map((item) => item.webkitGetAsEntry?.()).filter(Boolean);
    if (entries.some(({isDirectory}) => isDirectory)) filesIn(entries).then(take, (error) => showMessage(error.message));
    else take([...event.dataTransfer.files]);
  });
  for (const [button, id] of [['choose', 'files'], ['choose-folder', 'folder']]) {
    element(button)?.addEventListener('click', () => element(id).click());
    element(id)?.addEventListener('change', async () => {
      await take([...element(id).files]);
      element(id).value = ''; // the same file may be chosen again
    });
  }
}

/// Hands a text, or bytes, to the browser as a file.
export function saveFile(name, content) {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([content], {type: /\.json$/.test(name) ? 'application/json' : 'application/octet-stream'}));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

export function setPressed(id, pressed) {
  element(id).setAttribute('aria-pressed', pressed);
}

/// Rows of a table: [name, text, full value?]; the full value is kept for those who read the page by program.
export function fillRows(table, rows) {
  table.replaceChildren(...rows.map(({cells, differs = false, values}) => {
    const row = document.createElement('tr');
    row.classList.toggle('differs', differs);
    cells.forEach((text, i) => {
      const cell = document.createElement(i === 0 && text !== '' ? 'th' : 'td');
      cell.textContent = text;
      row.append(cell);
    });
    if (values) row.dataset.values = JSON.stringify(values);
    return row;
  }));
}

/// Fills the page's legend. `marks`: [form, colour, words, letter] of each sign; the form is a class of the style sheet, and `letter`
/// stands for the sign where the form is 'letter', before the line of its colour.
export function fillLegend(marks) {
  const sign = (form, colour) => {
    const mark = document.createElement('i');
    mark.className = form;
    mark.style[form === 'ramp' ? 'background' : 'color'] = colour;
    return mark;
  };
  element('legend').replaceChildren(...marks.flatMap(([form, colour, words, letter]) => {
    const text = document.createElement('span');
    text.textContent = words;
    if (form !== 'letter') return [sign(form, colour), text];
    const name = document.createElement('b');
    name.textContent = letter;
    if (colour) text.prepend(sign('line', colour), ' ');
    return [name, text];
  }));
}

/// Calls acts[key]() for keys that are not meant for a control.
export function wireKeys(acts) {
  window.addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || /^(INPUT|TEXTAREA|SELECT)$/.test(document.activeElement?.tagName) || element('help').open) return;
    const act = acts[event.key];
    if (!act || (event.key === ' ' && document.activeElement?.tagName === 'BUTTON')) return;
    act(event);
    event.preventDefault();
  });
}
