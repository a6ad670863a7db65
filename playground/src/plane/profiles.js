// Contours to play with, within [-6, 6] x [-4, 4].

const ring = (count, f) => Array.from({length: count}, (_, i) => f((2 * Math.PI * i) / count));

export const profiles = [
  {name: 'Valley', closed: false,
    points: [[-5.5, 2], [-4, -0.5], [-2.8, -0.2], [-1.6, -2.4], [0.2, -2.4], [1.1, -0.6], [2.1, -1.7], [3.4, -1.7], [4.2, 0.4], [5.5, 0.9]]},
  {name: 'Comet', closed: true,
    points: [[-2.9, 0.4], [-2.5, 1.5], [-1.4, 2.0], [-0.5, 1.5], [-0.1, 0.6], [0.5, 0.5], [1.0, 1.2], [2.0, 1.6], [3.2, 1.1], [3.7, 0.0],
      [3.3, -1.2], [2.2, -1.9], [0.9, -1.6], [0.2, -0.8], [-0.6, -0.9], [-1.4, -1.5], [-2.4, -1.0]]},
  {name: 'Star', closed: true, points: ring(14, (t) => {
    const r = Math.round((t * 14) / (2 * Math.PI)) % 2 ? 1.3 : 3.2;
    return [r * Math.cos(t), r * Math.sin(t)].map((x) => Math.round(x * 1000) / 1000);
  })},
  {name: 'Corner', closed: false, points: [[-4, 3], [-4, -2.5], [4, -2.5], [4, 3]]},
  {name: 'Bowl', closed: false, points: Array.from({length: 41}, (_, i) => {
    const t = Math.PI * (1 + i / 40);
    return [4.2 * Math.cos(t), 1 + 4.2 * Math.sin(t)].map((x) => Math.round(x * 1000) / 1000);
  })},
];
