// Options in the address after `#`: `#t=3.5` opens the page at that time, paused (`t=end`: at end).
// `colour=speed`, `body=17` (chosen), `contacts`, `joints` and `bare` (no controls) may follow with `&`, for still pictures.

export const kColourings = ['shape', 'speed', 'contacts'];

// A number in plain or scientific writing; anything else is none.
function number(text) {
  return /^\s*[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?\s*$/i.test(text ?? '') ? Number(text) : Number.NaN;
}

/// `time` is null when none was given that makes sense, else within [0, duration]; `body` is an index below `bodies`, or null.
export function parseAnchor(hash, {duration, bodies}) {
  const words = new URLSearchParams(hash.replace(/^#/, ''));
  const wanted = words.get('t') === 'end' ? duration : number(words.get('t'));
  const body = number(words.get('body')) - 1;
  return {
    time: Number.isNaN(wanted) ? null : Math.min(Math.max(wanted, 0), duration),
    colouring: kColourings.includes(words.get('colour')) ? words.get('colour') : 'shape',
    body: Number.isInteger(body) && body >= 0 && body < bodies ? body : null,
    contacts: words.has('contacts'),
    joints: words.has('joints'),
    bare: words.has('bare'),
  };
}
