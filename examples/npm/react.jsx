// A page with React: two bodies, a slider, and the proved distance between them.
//
//   npm install tactus react react-dom esbuild
//   npx esbuild react.jsx --bundle --format=esm --loader:.wasm=file --outfile=react.bundle.js
import {StrictMode, useMemo, useState} from 'react';
import {createRoot} from 'react-dom/client';
import {load} from 'tactus';
import wasm from 'tactus/tactus_module.wasm';

const tactus = await load({wasm});

function Distance() {
  const [x, setX] = useState(1.5);
  const answer = useMemo(() => tactus.ask({
    a: {type: 'box', size: [1, 1, 1]},
    b: {type: 'sphere', radius: 0.5},
    pose_b: {position: [x, 0.2, 0], quaternion: [1, 0, 0, 0]},
    ask: 'distance',
  }), [x]);
  const [ax, ay] = answer.point_a, [bx, by] = answer.point_b;
  return (
    <main>
      <h1>How far is the ball from the box?</h1>
      <svg viewBox="-1 -1 4 2" width="600" role="img" aria-label="A box, a ball, and the shortest way between them">
        <rect x="-0.5" y="-0.5" width="1" height="1" fill="#9cc3e6" />
        <circle cx={x} cy="0.2" r="0.5" fill="#f0b45c" opacity="0.8" />
        <line x1={ax} y1={ay} x2={bx} y2={by} stroke="#b03020" strokeWidth="0.02" />
      </svg>
      <label>Place of the ball <input type="range" min="0" max="2.4" step="0.01" value={x} onChange={(event) => setX(Number(event.target.value))} /></label>
      <output>{answer.distance.toFixed(3)}, proved to lie between {answer.lower.toPrecision(8)} and {answer.upper.toPrecision(8)}</output>
    </main>
  );
}

createRoot(document.querySelector('#page')).render(<StrictMode><Distance /></StrictMode>);
