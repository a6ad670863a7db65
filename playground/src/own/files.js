// Dropped files: their paths in the folders they came in, their bytes as the module reads them.
import {offOfCollada} from './collada.js';

export const kMeshEndings = /\.(obj|stl|ply|off|xyz|glb|gltf|dae)$/i;

/// The path of a file in the folder that was dropped or chosen, else its name.
export const pathOf = (file) => file.path ?? (file.webkitRelativePath || file.name);

/// {name, bytes} of a mesh file for the module, which reads no COLLADA: triangles of those come to it as OFF.
export async function meshOf(file, notes) {
  if (!/\.dae$/i.test(file.name)) return {name: file.name, bytes: new Uint8Array(await file.arrayBuffer())};
  return {name: `${file.name}.off`, bytes: new TextEncoder().encode(offOfCollada(await file.text(), file.name, notes))};
}

/// The file that a description names ('package://name/folder/x.stl', '../x.stl'): the one whose path ends with the most folders of
/// it. {file}, or {reason} where none or several do.
export function findNamed(name, files) {
  const parts = name.replace(/^[a-z]+:\/\//i, '').split('/').filter((part) => part && part !== '.' && part !== '..');
  for (let from = 0; from < parts.length; ++from) {
    const end = `/${parts.slice(from).join('/')}`;
    const found = files.filter((file) => `/${pathOf(file)}`.endsWith(end));
    if (found.length === 1) return {file: found[0]};
    if (found.length > 1) return {reason: `several files end with '${end.slice(1)}'`};
  }
  return {reason: `no file '${name}' among those dropped`};
}
