// A picture file becomes pixels, or an error that says what is wrong with it.

const kMostBytes = 100e6; // of a file
const kMostDecoded = 1e8; // pixels; a picture of more is not decoded
const kMostPixels = 1 << 24; // a larger picture is reduced
const kHead = 1 << 20; // bytes that tell the size

/// Width and height from the first bytes of a PNG, JPEG, GIF, BMP or WebP file; null when they don't tell.
export function sizeInHead(bytes) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const is = (text, at = 0) => [...text].every((c, i) => bytes[at + i] === c.charCodeAt(0));
  const long = (at) => view.getUint8(at) + (view.getUint8(at + 1) << 8) + (view.getUint8(at + 2) << 16);
  try {
    if (is('\x89PNG')) return [view.getUint32(16), view.getUint32(20)];
    if (is('GIF8')) return [view.getUint16(6, true), view.getUint16(8, true)];
    if (is('BM')) return [Math.abs(view.getInt32(18, true)), Math.abs(view.getInt32(22, true))];
    if (is('RIFF') && is('VP8X', 12)) return [1 + long(24), 1 + long(27)];
    if (is('\xff\xd8')) {
      for (let at = 2; ;) {
        const marker = view.getUint8(at + 1);
        // The frame headers; other segments are passed over.
        if (marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)) return [view.getUint16(at + 7), view.getUint16(at + 5)];
        at += marker === 0xff ? 1 : 2 + view.getUint16(at + 2);
      }
    }
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
  }
  return null;
}

const refuse = (name, [width, height]) => {
  throw new Error(`${name}: ${width} x ${height} pixels; a page takes pictures up to ${kMostDecoded / 1e6} million. Reduce it first.`);
};

/// {name, canvas, pixels, width, height, note}.
export async function openPicture(file) {
  if (file.size > kMostBytes) {
    throw new Error(`${file.name}: ${(file.size / 1e6).toFixed(0)} MB; a page takes pictures up to ${kMostBytes / 1e6} MB.`);
  }
  const told = sizeInHead(new Uint8Array(await file.slice(0, kHead).arrayBuffer()));
  if (told && told[0] * told[1] > kMostDecoded) refuse(file.name, told);
  let bitmap;
  try {
    bitmap = await createImageBitmap(file, {premultiplyAlpha: 'none', colorSpaceConversion: 'none'});
  } catch {
    throw new Error(`${file.name}: this is no picture that the browser can read (PNG, JPEG, WebP, GIF, BMP), or it is damaged.`);
  }
  const {width, height} = bitmap;
  if (width * height > kMostDecoded) refuse(file.name, [width, height]);
  const reduced = Math.ceil(Math.sqrt((width * height) / kMostPixels));
  const canvas = document.createElement('canvas');
  canvas.width = Math.max(1, Math.floor(width / reduced));
  canvas.height = Math.max(1, Math.floor(height / reduced));
  const context = canvas.getContext('2d', {willReadFrequently: true});
  context.imageSmoothingQuality = 'high';
  context.drawImage(bitmap, 0, 0, canvas.width, canvas.height);
  bitmap.close();
  return {...takePixels(file.name, canvas), note: reduced > 1 ? `reduced from ${width} x ${height}` : ''};
}

export function takePixels(name, canvas) {
  const {width, height} = canvas;
  return {name, canvas, width, height, note: '', pixels: canvas.getContext('2d').getImageData(0, 0, width, height).data};
}

/// An empty sheet to draw on.
export function blankPicture() {
  const canvas = document.createElement('canvas');
  [canvas.width, canvas.height] = [480, 320];
  const context = canvas.getContext('2d', {willReadFrequently: true});
  context.fillStyle = '#fff';
  context.fillRect(0, 0, 480, 320);
  return {...takePixels('drawn', canvas), blank: true};
}

/// A picture to begin with: a gear with a hole, a bean, a star.
export function samplePicture() {
  const canvas = document.createElement('canvas');
  [canvas.width, canvas.height] = [480, 320];
  const context = canvas.getContext('2d', {willReadFrequently: true});
  context.fillStyle = '#fff';
  context.fillRect(0, 0, 480, 320);
  const shape = (colour, draw) => {
    context.fillStyle = colour;
    context.beginPath();
    draw();
    context.fill('evenodd');
  };
  const ring = (x, y, count, radius) => {
    for (let i = 0; i < count; ++i) {
      const [t, r] = [(2 * Math.PI * i) / count, radius(i)];
      context[i === 0 ? 'moveTo' : 'lineTo'](x + r * Math.cos(t), y + r * Math.sin(t));
    }
    context.closePath();
  };
  shape('#27496b', () => {
    ring(150, 165, 48, (i) => (i % 4 < 2 ? 112 : 90));
    context.moveTo(190, 165);
    context.arc(150, 165, 40, 0, 2 * Math.PI);
    context.closePath();
  });
  shape('#7a3b2e', () => ring(372, 92, 10, (i) => (i % 2 === 0 ? 74 : 30)));
  shape('#2d5d46', () => {
    context.moveTo(300, 250);
    context.bezierCurveTo(300, 195, 345, 215, 370, 232);
    context.bezierCurveTo(400, 250, 425, 190, 448, 215);
    context.bezierCurveTo(475, 250, 425, 300, 375, 298);
    context.bezierCurveTo(335, 296, 300, 290, 300, 250);
  });
  return takePixels('sample', canvas);
}
