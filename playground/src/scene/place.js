// Where a cursor stands in a JSON text that is still being written.

const kSpace = /[\s,]/;
const kPlain = /[^\s,:{}[\]"]/;

// The string that begins at `at`: its end, its text, and whether it is closed.
function stringAt(text, at) {
  let end = at + 1;
  while (end < text.length && text[end] !== '"' && text[end] !== '\n') end += text[end] === '\\' ? 2 : 1;
  const closed = text[end] === '"';
  return {end: Math.min(closed ? end + 1 : end, text.length), value: text.slice(at + 1, end), closed};
}

function plainAt(text, at) {
  let end = at;
  while (end < text.length && kPlain.test(text[end])) ++end;
  return {end, value: text.slice(at, end)};
}

/// The objects and arrays around the end of `text`, which may be cut off anywhere: [{array, values: by key or index, key, awaits:
/// 'key', 'colon' or 'value'}], and the word that is not yet closed there: {from, value, quoted}, or null.
function readUntil(text) {
  const levels = [{array: true, values: [], key: 0, awaits: 'value'}];
  let word = null;
  const top = () => levels.at(-1);
  const done = (value) => {
    const level = top();
    level.values[level.key] = value;
    if (level.array) level.key += 1;
    else Object.assign(level, {key: null, awaits: 'key'});
  };
  for (let i = 0; i < text.length;) {
    const c = text[i];
    if (text.startsWith('//', i)) {
      const end = text.indexOf('\n', i);
      if (end < 0) return {levels, word: {comment: true}};
      i = end;
    } else if (kSpace.test(c)) {
      ++i;
    } else if (c === ':') {
      top().awaits = 'value';
      ++i;
    } else if (c === '{' || c === '[') {
      const values = c === '{' ? {} : [];
      const level = c === '{' ? {array: false, values, key: null, awaits: 'key'} : {array: true, values, key: 0, awaits: 'value'};
      levels.push(level);
      ++i;
    } else if (c === '}' || c === ']') {
      if (levels.length > 1) done(levels.pop().values);
      ++i;
    } else {
      const quoted = c === '"';
      const {end, value, closed} = quoted ? stringAt(text, i) : plainAt(text, i);
      if (end >= text.length && !closed) word = {from: i, value, quoted};
      else if (top().array || top().awaits === 'value') done(value);
      else Object.assign(top(), {key: value, awaits: 'colon'});
      i = end;
    }
  }
  return {levels, word};
}

/// Finds the place of `cursor`: {path: keys and indices from the whole text, role: 'key' or 'value', word: what is written of it,
/// from, to: the part of the text that it takes, values: what is written in the objects and arrays of the path, outermost first,
/// keys: those that the object has, before and after}. Null in a comment, and where a colon must follow.
export function placeAt(text, cursor) {
  const {levels, word} = readUntil(text.slice(0, cursor));
  const last = levels.at(-1);
  if (levels.length < 2 || word?.comment || last.awaits === 'colon') return null;
  const rest = word?.quoted ? /^[^"\n,:{}[\]]*"?/ : /^[^\s,:{}[\]"]*/;
  const to = word ? cursor + rest.exec(text.slice(cursor))[0].length : cursor;
  const role = last.array || last.awaits === 'value' ? 'value' : 'key';
  const path = levels.slice(1, -1).map(({key}) => key);
  return {path: role === 'value' ? [...path, last.key] : path, role, word: word?.value ?? '', from: word?.from ?? cursor, to,
    values: levels.slice(1).map(({values}) => values), keys: [...Object.keys(last.values), ...(last.array ? [] : keysAfter(text, to))]};
}

// Keys of the object that goes on at `from`.
function keysAfter(text, from) {
  const keys = [];
  let depth = 0;
  for (let i = from; i < text.length && depth >= 0;) {
    if (text[i] === '"') {
      const {end, value} = stringAt(text, i);
      if (depth === 0 && /^\s*:/.test(text.slice(end, end + 20))) keys.push(value);
      i = end;
      continue;
    }
    if ('{['.includes(text[i])) ++depth;
    else if ('}]'.includes(text[i])) --depth;
    ++i;
  }
  return keys;
}
