// Steps of two algorithms on the same bodies, their difference, and the checker's word.
const kRows = 18; // of the painted direction sphere
const kPortal = 1e-9; // width of the depth along MPR's ray, of the bodies' size
const kTimings = 50; // runs that a time is the mean of

export function steps(tactus) {
  let drawn = ''; // shapes and turns of the last picture
  const still = ({quaternion}) => ({position: [0, 0, 0], quaternion});

  function safely(f) {
    try {
      return f();
    } catch (error) {
      return {status: 'invalid_input', ok: false, error: error.message, failure: error.message, steps: []};
    }
  }

  return {
    /// The answer with steps to each question, which differ in their methods alone; the picture of the bodies at the origin where
    /// their shapes or turns are new; the library's own answer.
    stepsLook(questions, sphere) {
      const start = performance.now();
      const {motion, ...query} = {...questions[0], ask: 'distance', method: 'auto'};
      const key = JSON.stringify([query.a, query.b, query.pose_a.quaternion, query.pose_b.quaternion]);
      const picture = key === drawn ? null : tactus.difference({...query, pose_a: still(query.pose_a), pose_b: still(query.pose_b)});
      drawn = key;
      const truth = tactus.ask(query);
      const answers = questions.map((question) => safely(() => tactus.steps(question)));
      // Depths along MPR's own ray and by its normal; those along the question's ray come with the answer.
      const portals = questions.map(({ray, ...question}) => (question.method === 'mpr' ? safely(() => tactus.ask({...question, portal_tolerance: kPortal})).literal ?? null : null));
      return {picture, truth, answers, portals, sphere: sphere ? {rows: kRows, values: tactus.directionSphere(query, kRows)} : null,
        milliseconds: performance.now() - start};
    },
    /// The checker's word on each answer, and how long the library takes for it.
    stepsProof: (questions) => questions.map((question) => safely(() => ({...tactus.check(question), microseconds: tactus.queryTime(question, kTimings)}))),
  };
}
