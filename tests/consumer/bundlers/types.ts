import {load, type Simulation} from 'tactus';

const tactus = await load();
using run: Simulation = tactus.simulation({world: {gravity: [0, 0, -9.81]}});
const id: number = run.addBody({shape: {type: 'sphere', radius: 1}});
const hit = run.rayCast([0, 0, 9], [0, 0, -1]);
console.log(id, hit?.distance, run.bodies().poses[7]);
// @ts-expect-error: a direction has three numbers.
run.rayCast([0, 0, 9], [0, -1]);
