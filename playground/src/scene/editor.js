// A text of JSON with suggestions from a schema: a textarea, and a list beneath it that keys and pointers reach.
import {placeAt} from './place.js';
import {suggestionsAt} from './suggestions.js';

const kMost = 40; // suggestions in the list

export class SceneEditor {
  /// `area`: the textarea, `list`: its listbox; `changed(text)` is told of each change by hand.
  constructor(area, list, schema, changed) {
    Object.assign(this, {area, list, schema, shown: [], place: null, active: -1, engaged: false});
    area.addEventListener('input', (event) => {
      this.engaged = event.inputType === 'insertText' && /[\w"$]/.test(event.data ?? '');
      changed(area.value);
      this.suggest();
    });
    area.addEventListener('keydown', (event) => { if (this.press(event)) event.preventDefault(); });
    for (const name of ['click', 'focus']) area.addEventListener(name, () => { this.engaged = false; this.suggest(); });
    area.addEventListener('keyup', ({key}) => { if (/^(Arrow(Left|Right)|Home|End|Page)/.test(key) || !this.engaged) this.suggest(); });
    list.addEventListener('pointerdown', (event) => event.preventDefault()); // the text keeps the focus
    list.addEventListener('click', ({target}) => {
      const option = target.closest('[role=option]');
      if (option) this.take(Number(option.dataset.index));
    });
  }

  /// Lists what may stand at the cursor.
  suggest() {
    this.place = placeAt(this.area.value, this.area.selectionStart);
    const next = this.place ? suggestionsAt(this.schema, this.place).slice(0, kMost) : [];
    if (JSON.stringify(next) !== JSON.stringify(this.shown)) {
      this.shown = next;
      this.list.replaceChildren(...next.map(({label, note}, i) => {
        const option = document.createElement('li');
        option.setAttribute('role', 'option');
        Object.assign(option, {id: `fits-${i}`, textContent: note ? `${label}: ${note}` : label});
        option.dataset.index = i;
        return option;
      }));
      this.list.scrollTop = 0;
    }
    this.mark(this.engaged && next.length > 0 ? 0 : -1);
  }

  mark(index) {
    this.active = index;
    [...this.list.children].forEach((option, i) => option.setAttribute('aria-selected', i === index));
    if (index < 0) this.area.removeAttribute('aria-activedescendant');
    else this.area.setAttribute('aria-activedescendant', `fits-${index}`);
    const option = this.list.children[index];
    if (!option) return;
    // The list alone scrolls, not the page.
    const [frame, box] = [this.list.getBoundingClientRect(), option.getBoundingClientRect()];
    if (box.top < frame.top || box.bottom > frame.bottom) this.list.scrollTop += box.top - frame.top;
  }

  // Does a key's work; false where it is the textarea's own.
  press({key, ctrlKey, altKey, metaKey}) {
    if (ctrlKey && key === ' ') {
      this.engaged = true;
      this.suggest();
      return true;
    }
    if (ctrlKey || altKey || metaKey || this.active < 0) return false;
    const count = this.shown.length;
    const acts = {ArrowDown: () => this.mark((this.active + 1) % count), ArrowUp: () => this.mark((this.active + count - 1) % count),
      Enter: () => this.take(this.active), Tab: () => this.take(this.active), Escape: () => { this.engaged = false; this.mark(-1); }};
    if (!acts[key]) return false;
    acts[key]();
    return true;
  }

  /// Writes a suggestion at the cursor; a key gets its colon.
  take(index) {
    const {area, place} = this;
    const {text} = this.shown[index];
    const colon = place.role === 'key' && !/^\s*:/.test(area.value.slice(place.to)) ? ': ' : '';
    area.focus();
    area.setSelectionRange(place.from, place.to);
    document.execCommand('insertText', false, text + colon); // the one way that can be undone
    this.engaged = false;
    this.suggest();
  }
}
