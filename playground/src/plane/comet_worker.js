// Regions: the exact verdict of each pair beside the literal one.

export function comet(tactus) {
  let regions = [];

  function verdict(i, k, poses) {
    const exact = tactus.regionDistance(regions[i], poses[i], regions[k], poses[k]);
    const literal = tactus.literalCollision([regions[i], regions[k]], [...poses[i], ...poses[k]]);
    return {i, k, exact, literal};
  }

  return {
    setRegions(outlines) {
      const next = outlines.map(({points, holes}) => tactus.region(points, holes));
      regions.forEach((region) => region.close());
      regions = next;
      return regions.map((region) => region.mass());
    },
    verdicts(poses) {
      const pairs = [];
      for (let i = 0; i < regions.length; ++i) {
        for (let k = i + 1; k < regions.length; ++k) pairs.push(verdict(i, k, poses));
      }
      return pairs;
    },
  };
}
