// Photos that go along with outlines in the address: small, since an address is to stay short.

const kMostSide = 480; // pixels
const kMostText = 90_000; // characters
const kQualities = [0.75, 0.55, 0.35];

/// The canvas as an address of a small picture, or null where it does not become short enough.
export function packPhoto(canvas) {
  const scale = Math.min(1, kMostSide / Math.max(canvas.width, canvas.height));
  const small = document.createElement('canvas');
  small.width = Math.max(1, Math.round(canvas.width * scale));
  small.height = Math.max(1, Math.round(canvas.height * scale));
  const context = small.getContext('2d');
  context.imageSmoothingQuality = 'high';
  context.drawImage(canvas, 0, 0, small.width, small.height);
  return kQualities.map((quality) => small.toDataURL('image/webp', quality)).find((text) => text.length <= kMostText) ?? null;
}

/// The picture of an address that `packPhoto` made.
export async function openPhoto(address) {
  if (!/^data:image\/(webp|png|jpeg);base64,/.test(address)) throw new Error('The photo in the address is none.');
  const image = new Image();
  image.src = address;
  try {
    await image.decode();
  } catch {
    throw new Error('The photo in the address is damaged.');
  }
  return image;
}
