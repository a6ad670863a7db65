import {load} from 'tactus';

const tactus = await load();
const answer = tactus.ask({a: {type: 'box', size: [1, 1, 1]}, b: {type: 'sphere', radius: 0.5},
  pose_b: {position: [1.2, 0, 0], quaternion: [1, 0, 0, 0]}, ask: 'distance'});
globalThis.answer = answer.distance;
