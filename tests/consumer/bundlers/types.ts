import {load, type Simulation} from 'tactus';

const tactus = await load();
using run: Simulation = tactus.simulation({world: {gravity: [0, 0, -9.81]}});
const id: number = run.addBody({shape: {type: 'sphere', radius: 1}});
const hit = run.rayCast([0, 0, 9], [0, 0, -1]);
console.log(id, hit?.distance, run.bodies().poses[7]);
// @ts-expect-error: a direction has three numbers.
run.rayCast([0, 0, 9], [0, -1]);
const {load: loadQueries} = await import('tactus/queries');
const queries = await loadQueries();
const ball = queries.shape({type: 'sphere', radius: 1});
const gap: number = queries.distance(ball, undefined, ball, [3, 0, 0, 1, 0, 0, 0]).lower;
console.log(gap, tactus.contacts(ball, undefined, ball, undefined, {margin: 0.1}).patches.length);
// @ts-expect-error: queries alone have no worlds.
queries.simulation();
