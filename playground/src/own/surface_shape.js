// The exact numbers of a surface that the module has read, which pictures of it round.

/// {type: 'mesh', vertices, triangles}, a shape of query lines.
export const surfaceShape = (surface) => JSON.parse(new TextDecoder().decode(surface.file('surface', 'json')));
