// Triangles of COLLADA files, as the program reads them: with the file's unit, and no turn by its axis.
import {Matrix4, ShapeUtils, Vector2, Vector3} from 'three';

import {numbersIn, parseXml} from './xml.js';

const kLists = ['triangles', 'polylist', 'polygons', 'tristrips', 'trifans'];

function listOf(element) {
  return numbersIn(element.element.textContent) ?? element.fail('holds what is no finite number');
}

const target = (element, attribute) => element.requiredText(attribute).replace(/^#/, '');

/// Corners of a polygon of points as triples, seen from the side that the polygon is; it may be concave.
function cutPolygon(points) {
  if (points.length === 3) return [[0, 1, 2]];
  const normal = new Vector3();
  points.forEach((p, i) => normal.add(new Vector3().crossVectors(p, points[(i + 1) % points.length])));
  const axis = [0, 1, 2].reduce((best, i) => (Math.abs(normal.getComponent(i)) > Math.abs(normal.getComponent(best)) ? i : best), 0);
  const [u, v] = [(axis + 1) % 3, (axis + 2) % 3];
  const flat = points.map((p) => new Vector2(p.getComponent(u), p.getComponent(v)));
  const side = Math.sign(normal.getComponent(axis)) || 1;
  return ShapeUtils.triangulateShape(flat, []).map(([i, j, k]) => {
    const area = flat[j].clone().sub(flat[i]).cross(flat[k].clone().sub(flat[i]));
    return area * side < 0 ? [i, k, j] : [i, j, k];
  });
}

class ColladaReader {
  constructor(root) {
    this.root = root;
    this.byId = new Map([...root.element.querySelectorAll('[id]')].map((element) => [element.id, element]));
    this.vertices = [];
    this.triangles = [];
    this.geometries = new Map();
  }

  at(element, attribute) {
    const id = target(element, attribute);
    const found = this.byId.get(id) ?? element.fail(`there is no '#${id}'`);
    return new element.constructor(found, element.file, element.notes, element.owner);
  }

  // Points of a <source> by its accessor.
  pointsOf(source) {
    const accessor = source.required('technique_common').required('accessor');
    const array = this.at(accessor, 'source');
    const numbers = listOf(array);
    const [count, stride, offset] = [accessor.number('count', 0), accessor.number('stride', 1), accessor.number('offset', 0)];
    if (stride < 3 || offset + stride * (count - 1) + 3 > numbers.length) accessor.fail('does not fit the numbers that it names');
    return Array.from({length: count}, (_, i) => new Vector3(...numbers.slice(offset + stride * i, offset + stride * i + 3)));
  }

  // {points, triangles} of a <geometry>, read once.
  geometry(element) {
    const known = this.geometries.get(element.element);
    if (known) return known;
    const own = element.of(`geometry '${element.text('id') ?? ''}'`);
    const mesh = own.only('mesh') ?? own.fail('is no mesh');
    const triangles = [];
    let [points, named] = [[], null]; // positions, and the source that named them
    for (const kind of kLists) {
      for (const list of mesh.children(kind)) {
        const inputs = list.children('input');
        const vertex = inputs.find((input) => input.text('semantic') === 'VERTEX') ?? list.fail('has no input of vertices');
        const position = this.at(vertex, 'source').children('input').find((input) => input.text('semantic') === 'POSITION') ?? vertex.fail('has no positions');
        const source = this.at(position, 'source');
        if (named && named !== source.element) position.fail('names other positions than a list before');
        if (!named) points = this.pointsOf(source);
        named = source.element;
        this.addFaces(list, inputs, vertex.number('offset', 0), points, triangles);
      }
    }
    this.geometries.set(element.element, {points, triangles});
    return {points, triangles};
  }

  addFaces(list, inputs, offset, points, triangles) {
    const stride = 1 + Math.max(...inputs.map((input) => input.number('offset', 0)));
    const cornersOf = (element) => {
      const corners = listOf(element).filter((_, i) => i % stride === offset);
      const wrong = corners.find((i) => !Number.isInteger(i) || i < 0 || i >= points.length);
      return wrong === undefined ? corners : element.fail(`index ${wrong} is out of range (${points.length} vertices)`);
    };
    const add = (corners) => {
      if (corners.length < 3) return;
      triangles.push(...cutPolygon(corners.map((i) => points[i])).map((triple) => triple.map((k) => corners[k])));
    };
    for (const p of list.children('p')) {
      const corners = cornersOf(p);
      if (list.name === 'polygons') add(corners);
      else if (list.name === 'trifans') corners.slice(2).forEach((_, i) => add([corners[0], corners[i + 1], corners[i + 2]]));
      else if (list.name === 'tristrips') corners.slice(2).forEach((_, i) => add(i % 2 ? [corners[i + 1], corners[i], corners[i + 2]] : corners.slice(i, i + 3)));
      else {
        const counts = list.name === 'polylist' ? listOf(list.required('vcount')) : Array.from({length: corners.length / 3}, () => 3);
        let next = 0;
        for (const count of counts) add(corners.slice(next, next += count));
        if (next !== corners.length) p.fail(`has ${corners.length} corners where its counts sum up to ${next}`);
      }
    }
  }

  node(node, above, depth = 0) {
    if (depth > 100) node.fail('nodes hold each other in a cycle');
    const here = above.clone();
    for (const child of node.children()) {
      const numbers = () => listOf(child);
      if (child.name === 'matrix') here.multiply(new Matrix4().set(...numbers()));
      if (child.name === 'translate') here.multiply(new Matrix4().makeTranslation(...numbers()));
      if (child.name === 'scale') here.multiply(new Matrix4().makeScale(...numbers()));
      if (child.name === 'rotate') {
        const [x, y, z, degrees] = numbers();
        here.multiply(new Matrix4().makeRotationAxis(new Vector3(x, y, z).normalize(), (degrees * Math.PI) / 180));
      }
      if (['lookat', 'skew', 'instance_controller'].includes(child.name)) child.fail('is not read here');
    }
    for (const child of node.children()) {
      if (child.name === 'node') this.node(child, here, depth + 1);
      if (child.name === 'instance_node') this.node(this.at(child, 'url'), here, depth + 1);
      if (child.name === 'instance_geometry') this.place(this.geometry(this.at(child, 'url')), here);
    }
  }

  // The vertices that triangles use, once for each place that shows them.
  place({points, triangles}, pose) {
    const places = new Map();
    const placeOf = (i) => {
      if (!places.has(i)) {
        places.set(i, this.vertices.length);
        this.vertices.push(points[i].clone().applyMatrix4(pose));
      }
      return places.get(i);
    };
    for (const triangle of triangles) this.triangles.push(triangle.map(placeOf));
  }

  read() {
    const {root} = this;
    if (root.name !== 'COLLADA') root.fail('is no COLLADA file');
    const asset = root.only('asset');
    const meter = asset?.only('unit')?.number('meter', 1) ?? 1;
    const up = asset?.only('up_axis')?.element.textContent.trim();
    if (up && up !== 'Z_UP') asset.note(`'${up}' turns nothing: numbers are as in the file`);
    if (meter !== 1) asset.note(`coordinates are multiplied by ${meter}, the file's unit in metres`);
    const scene = this.at(root.required('scene').required('instance_visual_scene'), 'url');
    for (const node of scene.children('node')) this.node(node, new Matrix4().makeScale(meter, meter, meter));
    if (this.triangles.length === 0) scene.fail('shows no triangles');
    return this;
  }
}

/// The triangles of a COLLADA text as the text of an OFF file.
export function offOfCollada(text, file, notes) {
  const {vertices, triangles} = new ColladaReader(parseXml(text, file, notes)).read();
  return `OFF\n${vertices.length} ${triangles.length} 0\n${vertices.map((v) => v.toArray().join(' ')).join('\n')}\n${triangles.map((t) => `3 ${t.join(' ')}`).join('\n')}\n`;
}
