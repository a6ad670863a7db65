// A text as a part of an address: deflated where the browser can, in letters that addresses may hold.

const kFormat = 'deflate-raw';
const [kDeflated, kPlain] = ['z', 'p']; // the first letter tells how the others are read

const through = async (bytes, stream) => new Uint8Array(await new Response(new Blob([bytes]).stream().pipeThrough(stream)).arrayBuffer());

function lettersOf(bytes) {
  let text = '';
  for (const byte of bytes) text += String.fromCharCode(byte);
  return btoa(text).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

const bytesOf = (letters) => Uint8Array.from(atob(letters.replaceAll('-', '+').replaceAll('_', '/')), (c) => c.charCodeAt(0));

export async function packed(text) {
  const bytes = new TextEncoder().encode(text);
  if (typeof CompressionStream === 'undefined') return kPlain + lettersOf(bytes);
  return kDeflated + lettersOf(await through(bytes, new CompressionStream(kFormat)));
}

/// The text that `packed` made letters of. Throws where they are none.
export async function unpacked(letters) {
  try {
    const bytes = bytesOf(letters.slice(1));
    return new TextDecoder('utf-8', {fatal: true}).decode(letters[0] === kPlain ? bytes : await through(bytes, new DecompressionStream(kFormat)));
  } catch {
    throw new Error('The scene in the address cannot be read: a part of the address is missing, or this browser cannot inflate it.');
  }
}
