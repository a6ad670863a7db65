// Elements of XML files; every error names the file, the link, joint or geometry, and the element.

const kNumber = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;

/// The finite numbers of a text, or null where a word is none.
export function numbersIn(text) {
  const words = text.trim().split(/\s+/).filter(Boolean);
  const numbers = words.map(Number);
  return words.every((word) => kNumber.test(word)) && numbers.every(Number.isFinite) ? numbers : null;
}

export class XmlElement {
  /// `notes` receives what is no error; `owner`: like "link 'arm'", or empty.
  constructor(element, file, notes, owner = '') {
    Object.assign(this, {element, file, notes, owner});
  }

  get name() { return this.element.localName; }
  get place() { return `${this.file}: ${this.owner ? `${this.owner}: ` : ''}<${this.name}>: `; }

  fail(reason) { throw new Error(this.place + reason); }
  note(reason) { this.notes.push(this.place + reason); }

  /// This element with errors that name another owner.
  of(owner) { return new XmlElement(this.element, this.file, this.notes, owner); }

  /// All children, or those of a name.
  children(name = null) {
    return [...this.element.children].filter((child) => name === null || child.localName === name)
      .map((child) => new XmlElement(child, this.file, this.notes, this.owner));
  }

  /// The child of a name, or null; it must not be given twice.
  only(name) {
    const [found = null, second] = this.children(name);
    second?.fail('is given twice');
    return found;
  }

  required(name) { return this.only(name) ?? this.fail(`has no <${name}>`); }

  text(attribute) { return this.element.getAttribute(attribute); }
  requiredText(attribute) { return this.text(attribute) || this.fail(`has no ${attribute}`); }

  /// As many numbers as `count` in an attribute; `otherwise` where it is not given.
  vector(attribute, otherwise, count = 3) {
    const text = this.text(attribute);
    if (text === null) return otherwise;
    const numbers = numbersIn(text);
    return numbers?.length === count ? numbers : this.fail(`${attribute}='${text.slice(0, 40)}' is not ${count} finite numbers`);
  }

  number(attribute, otherwise) {
    const text = this.text(attribute);
    if (text === null) return otherwise;
    const numbers = numbersIn(text);
    return numbers?.length === 1 ? numbers[0] : this.fail(`${attribute}='${text.slice(0, 40)}' is not a finite number`);
  }

  notNegative(attribute) {
    const value = this.number(attribute, null) ?? this.fail(`has no ${attribute}`);
    return value >= 0 ? value : this.fail(`${attribute} must be at least 0`);
  }
}

/// The root of a file's text.
export function parseXml(text, file, notes) {
  const document = new DOMParser().parseFromString(text, 'application/xml');
  const broken = document.querySelector('parsererror');
  if (broken) {
    const [, line] = /line (\d+)/.exec(broken.textContent) ?? [];
    throw new Error(`${file}${line ? `: line ${line}` : ''}: broken XML`);
  }
  return new XmlElement(document.documentElement, file, notes);
}
