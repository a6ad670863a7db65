// Tells taps on the canvas from drags.

const kSlack = 6; // pixels that a tap may move
const kFingerReach = 14; // pixels around a finger

/// Calls visit(x, y, reach) with canvas coordinates in CSS pixels.
export function onTap(canvas, visit) {
  let start = null;
  let fingers = 0;
  canvas.addEventListener('pointerdown', (event) => {
    ++fingers;
    start = fingers === 1 && event.button === 0 ? {x: event.clientX, y: event.clientY} : null;
  });
  const end = () => { fingers = Math.max(0, fingers - 1); };
  canvas.addEventListener('pointercancel', () => { end(); start = null; });
  canvas.addEventListener('pointerup', (event) => {
    end();
    if (start === null) return;
    const still = Math.hypot(event.clientX - start.x, event.clientY - start.y) <= kSlack;
    start = null;
    if (!still) return;
    const box = canvas.getBoundingClientRect();
    visit(event.clientX - box.left, event.clientY - box.top, event.pointerType === 'touch' ? kFingerReach : 0);
  });
}
