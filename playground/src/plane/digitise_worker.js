// Pictures become outlines; edited outlines are looked at as the library sees them.

export function digitise(tactus) {
  let picture = null;

  function problem({outer, holes}) {
    try {
      tactus.region(outer, holes).close();
      return null;
    } catch (error) {
      return error.message;
    }
  }

  return {
    setPicture(pixels, width, height) { picture = {pixels, width, height}; },
    trace(options) {
      if (!picture) throw new Error('Drop a picture first');
      return tactus.trace(picture.pixels, picture.width, picture.height, options);
    },
    /// The library's complaint about each region, or null.
    problems: (regions) => regions.map(problem),
  };
}
