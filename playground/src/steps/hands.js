// Mouse, finger and pen on a canvas: one pulls, two zoom, and so does the wheel.

/// `grab(x, y, reach)` says what is held, `pull(held, dx, dy)` moves it, `drop(held)` ends; `zoom(factor)`.
export function wireHands(canvas, {grab, pull, drop, zoom}) {
  const down = new Map(); // pointers, where they were last
  let held = null;
  const spread = () => {
    const [a, b] = [...down.values()];
    return Math.hypot(a[0] - b[0], a[1] - b[1]);
  };
  canvas.addEventListener('pointerdown', (event) => {
    if (event.button !== 0) return;
    canvas.setPointerCapture(event.pointerId);
    down.set(event.pointerId, [event.clientX, event.clientY]);
    const box = canvas.getBoundingClientRect();
    if (down.size === 1) held = grab(event.clientX - box.left, event.clientY - box.top, event.pointerType === 'touch' ? 22 : 8);
    canvas.style.cursor = 'grabbing';
  });
  canvas.addEventListener('pointermove', (event) => {
    const before = down.get(event.pointerId);
    if (!before) return;
    const now = [event.clientX, event.clientY];
    if (down.size === 2) {
      const start = spread();
      down.set(event.pointerId, now);
      if (start > 0) zoom(spread() / start);
    } else {
      down.set(event.pointerId, now);
      pull(held, now[0] - before[0], now[1] - before[1]);
    }
  });
  const end = (event) => {
    if (!down.delete(event.pointerId)) return;
    if (down.size === 0) {
      drop(held);
      canvas.style.cursor = '';
    }
  };
  canvas.addEventListener('pointerup', end);
  canvas.addEventListener('pointercancel', end);
  canvas.addEventListener('wheel', (event) => {
    event.preventDefault();
    zoom(Math.exp(-event.deltaY / 600));
  }, {passive: false});
}
