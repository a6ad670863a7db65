// Bodies as a tree: a branch for each shape, the bodies of that shape below it. Keys as those of trees elsewhere:
// arrows go through it, right opens a branch, left closes it, Enter and the space bar choose.

function item(level, label) {
  const made = document.createElement('li');
  made.setAttribute('role', 'treeitem');
  made.setAttribute('aria-level', level);
  made.tabIndex = -1;
  const text = document.createElement('span');
  text.textContent = label;
  made.append(text);
  return made;
}

/// Branches of bodies [{name, shape}] by their shapes [{name}]: [{label, members: [{body, label}]}], empty shapes left out.
export function branchesOf(shapes, bodies) {
  const branches = shapes.map(({name}) => ({label: name, members: []}));
  bodies.forEach(({name, shape}, body) => branches[shape].members.push({body, label: `#${body + 1} ${name}`}));
  return branches.filter(({members}) => members.length > 0);
}

export class BodyTree {
  /// A tree in the list `root` (role tree); `choose(body)` is told who is chosen by hand.
  constructor(root, choose) {
    Object.assign(this, {root, choose, chosen: null, branches: []});
    root.addEventListener('click', (event) => this.click(event));
    root.addEventListener('keydown', (event) => {
      if (event.ctrlKey || event.altKey || event.metaKey || !this.press(event.key)) return;
      // The page has keys of its own.
      event.preventDefault();
      event.stopPropagation();
    });
  }

  /// Replaces all lines by `branchesOf` something; branches of the same names stay open.
  fill(branches) {
    const opened = new Set(this.branches.filter((branch) => this.isOpen(branch)).map(({name}) => name));
    this.places = new Map();
    this.root.replaceChildren();
    this.branches = branches.map((branch) => this.addBranch(branch));
    for (const branch of this.branches) if (this.branches.length === 1 || opened.has(branch.name)) this.open(branch, true);
    if (this.branches.length > 0) this.branches[0].tabIndex = 0;
  }

  addBranch({label, members}) {
    const branch = item(1, `${label} (${members.length})`);
    branch.setAttribute('aria-expanded', false);
    const group = document.createElement('ul');
    group.setAttribute('role', 'group');
    group.setAttribute('aria-label', label);
    group.hidden = true;
    Object.assign(branch, {name: label, members, group});
    group.branch = branch;
    // Beside the branch, not in it: the name of a branch is its own line alone.
    const holder = document.createElement('li');
    holder.setAttribute('role', 'none');
    holder.append(group);
    for (const {body} of members) this.places.set(body, branch);
    this.root.append(branch, holder);
    return branch;
  }

  /// Opens or closes a branch, whose bodies get lines when they are first seen.
  open(branch, on) {
    const {group, members} = branch;
    if (on && group.childElementCount === 0) {
      group.append(...members.map(({body, label}) => {
        const line = item(2, label);
        line.dataset.body = body;
        line.setAttribute('aria-selected', body === this.chosen);
        return line;
      }));
    }
    group.hidden = !on;
    branch.setAttribute('aria-expanded', on);
  }

  isOpen(branch) { return !branch.group.hidden; }

  lineOf(body) {
    return this.places.get(body)?.group.querySelector(`[data-body="${body}"]`) ?? null;
  }

  /// Marks a body and brings it into sight, or marks none (null).
  select(body) {
    if (body === this.chosen) return;
    this.lineOf(this.chosen)?.setAttribute('aria-selected', false);
    this.chosen = body;
    if (body === null || !this.places.has(body)) return;
    this.open(this.places.get(body), true);
    const line = this.lineOf(body);
    line.setAttribute('aria-selected', true);
    this.enter(line, document.activeElement && this.root.contains(document.activeElement));
    // The list alone scrolls, not the page.
    const [frame, box] = [this.root.getBoundingClientRect(), line.getBoundingClientRect()];
    if (box.top < frame.top || box.bottom > frame.bottom) this.root.scrollTop += (box.top + box.bottom - frame.top - frame.bottom) / 2;
  }

  // The one line that the tabulator reaches.
  enter(line, focus) {
    for (const other of this.root.querySelectorAll('[tabindex="0"]')) other.tabIndex = -1;
    line.tabIndex = 0;
    if (focus) line.focus();
  }

  click({target}) {
    const line = target.closest('[role=treeitem]');
    if (line) this.act(line);
  }

  act(line) {
    this.enter(line, true);
    if (line.members) this.open(line, !this.isOpen(line));
    else this.choose(Number(line.dataset.body));
  }

  // Lines in sight, in their order.
  lines() {
    return this.branches.flatMap((branch) => [branch, ...(this.isOpen(branch) ? branch.group.children : [])]);
  }

  // Does a key's work; false where it is none of the tree.
  press(key) {
    const lines = this.lines();
    const at = lines.indexOf(document.activeElement);
    if (at < 0) return false;
    const line = lines[at];
    const go = (to) => { if (lines[to]) this.enter(lines[to], true); };
    const acts = {
      ArrowDown: () => go(at + 1),
      ArrowUp: () => go(at - 1),
      Home: () => go(0),
      End: () => go(lines.length - 1),
      ArrowRight: () => { if (line.members && !this.isOpen(line)) this.open(line, true); else if (line.members) go(at + 1); },
      ArrowLeft: () => {
        if (line.members) this.open(line, false);
        else this.enter(line.parentElement.branch, true);
      },
      Enter: () => this.act(line),
      ' ': () => this.act(line),
    };
    if (!acts[key]) return false;
    acts[key]();
    return true;
  }
}
