// The times of the parts of steps, and the memory of the module, as numbers and texts.

/// The parts of a step, from the bottom of a bar: their names and colours.
export const stepParts = [['pairs', 'blue'], ['contacts', 'orange'], ['solver', 'teal'], ['rest', 'frame']];

/// Milliseconds of a step's parts, in the order of `stepParts`, from the statistics of a world.
export const partsOf = ({broadMs, narrowMs, solveMs, totalMs}) => [broadMs, narrowMs, solveMs, Math.max(totalMs - broadMs - narrowMs - solveMs, 0)];

export const sum = (numbers) => numbers.reduce((total, x) => total + x, 0);

export const median = (numbers) => (numbers.length === 0 ? 0 : [...numbers].sort((a, b) => a - b)[numbers.length >> 1]);

/// The medians of the whole steps, then of each part, as texts.
export const medians = (steps) => [sum, ...stepParts.map((_, i) => (parts) => parts[i])].map((timeOf) => `${median(steps.map(timeOf)).toFixed(2)} ms`);

export const bytesText = (bytes) => (bytes < 2 ** 20 ? `${(bytes / 2 ** 10).toFixed(1)} KiB` : `${(bytes / 2 ** 20).toFixed(1)} MiB`);
