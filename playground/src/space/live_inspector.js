// The player's inspector for live worlds: a list of the bodies, and the panel of the chosen one.
import {Quaternion, Vector3} from 'three';

import {hideBody, showBody} from '../../../player/src/inspector/body_panel.js';
import {BodyTree, branchesOf} from '../../../player/src/inspector/body_tree.js';
import {sumContacts} from '../../../player/src/inspector/contact_sums.js';
import {format} from '../../../player/src/panels.js';
import {element, setPressed, showMessage} from '../shell.js';
import {forEachContact} from './contacts.js';

const kBodyNumbers = 8;

// A body of a world, as its panel takes it.
function bodyAt({picture, bodies, frame}, body) {
  const {name, shape, moving, mass, scale} = bodies[body];
  const at = kBodyNumbers * body;
  const [w, x, y, z, size] = frame.poses.subarray(at + 3, at + kBodyNumbers);
  // The figures follow the choice by one answer of the worker.
  const values = frame.watched === body ? frame.values : null;
  return {name, shape: picture.shapes[shape].name, moving, mass, scale, present: size > 0, position: new Vector3().fromArray(frame.poses, at),
    turn: new Quaternion(x, y, z, w),
    motion: values && {velocity: new Vector3(...values.linear_velocity), spin: new Vector3(...values.angular_velocity)},
    more: values ? [['kinetic energy', format(values.kinetic_energy)], ['deepest contact', format(values.deepest)],
      ['friction', format(values.friction)], ['restitution', format(values.restitution)]] : []};
}

export class LiveInspector {
  /// `sides`: worlds of the same bodies, as `LivePage` has them. A body is chosen in all, and the panel tells one of them.
  constructor(sides) {
    Object.assign(this, {sides, told: sides[0], chosen: null, count: 0});
    this.tree = new BodyTree(element('body-tree'), (body) => this.choose(body));
    element('inspector-close').addEventListener('click', () => this.choose(null));
    if (sides.length > 1) this.addChoice();
  }

  // Buttons that say which world the panel tells.
  addChoice() {
    const group = document.createElement('div');
    group.className = 'buttons';
    group.setAttribute('role', 'group');
    group.setAttribute('aria-label', 'World');
    this.sides.forEach((side) => {
      const button = document.createElement('button');
      Object.assign(button, {type: 'button', id: `tell-${side.canvas}`, textContent: side.name});
      button.addEventListener('click', () => this.tell(side));
      group.append(button);
    });
    element('inspector-lines').before(group);
    this.tell(this.told);
  }

  tell(side) {
    this.told = side;
    this.sides.forEach((other) => setPressed(`tell-${other.canvas}`, other === side));
    this.show();
  }

  /// Other worlds have begun.
  begin() {
    this.count = 0;
    this.choose(null);
  }

  /// A body of all worlds, or none (null).
  choose(body) {
    this.chosen = body;
    this.tree.select(body);
    this.show();
    Promise.all(this.sides.map((side) => {
      side.view?.choose(body);
      return side.ask('watch', body);
    })).catch((error) => showMessage(error.message));
  }

  /// Shows the last frame.
  show() {
    const {told, chosen} = this;
    if (!told.frame) return;
    const count = told.frame.poses.length / kBodyNumbers;
    if (count !== this.count) {
      this.count = count;
      this.tree.fill(branchesOf(told.picture.shapes, told.bodies.slice(0, count)));
      if (chosen >= count) return this.choose(null);
    }
    if (chosen === null) return hideBody();
    showBody(chosen, bodyAt(told, chosen), sumContacts(chosen, (visit) => forEachContact(told.frame, visit)),
      {time: told.frame.statistics.time, label: (body) => `#${body + 1}`});
  }
}
