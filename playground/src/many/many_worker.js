// Steps of an algorithm over many things.
export function many(tactus) {
  return {
    manyLook(question) {
      const start = performance.now();
      try {
        return {answer: tactus.manySteps(question), milliseconds: performance.now() - start};
      } catch (error) {
        return {answer: {error: error.message, steps: []}, milliseconds: performance.now() - start};
      }
    },
  };
}
