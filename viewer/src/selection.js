// The names of the object under the pointer and of the selected one, which the scene, the tables and the plots mark.

export class Selection {
  // `names` of everything that can be pointed at.
  constructor(names) {
    this.names = new Set(names.filter((name) => name !== ''));
    this.chosen = null;
    this.hovered = null;
    this.listeners = [];
  }

  on_change(listener) {
    this.listeners.push(listener);
  }

  // Chooses a name; the chosen one or null lets it go.
  choose(name) {
    this.chosen = name === this.chosen ? null : name;
    this.notify();
  }

  hover(name) {
    if (name === this.hovered) return;
    this.hovered = name;
    this.notify();
  }

  // The marked object: the one under the pointer, else the selected one.
  get marked() {
    return this.hovered ?? this.chosen;
  }

  notify() {
    this.listeners.forEach((listener) => listener(this));
  }

  // The longest name that a text of a table or a plot speaks of; null where it speaks of none.
  named_in(text) {
    let best = null;
    for (const name of this.names)
      if (mentions(text, name) && (best === null || name.length > best.length)) best = name;
    return best;
  }
}

// Whether `text` is `name`, or holds it between characters that are no letters and no digits: "control_knee_initial" speaks of
// "knee". Names of one or two characters must stand alone.
export function mentions(text, name) {
  if (text === name) return true;
  const inside = name.length > 2 ? /[\p{L}\p{N}]/u : /[\p{L}\p{N}_-]/u;
  for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + 1)) {
    const before = text[at - 1] ?? ' ', after = text[at + name.length] ?? ' ';
    if (!inside.test(before) && !inside.test(after)) return true;
  }
  return false;
}

// Lets a row of a table (or an item of a legend) that speaks of `name` be marked with it, and mark it.
export function follow_row(row, name, selection) {
  row.dataset.name = name;
  selection.on_change(() => {
    row.classList.toggle('marked', selection.marked === name);
    row.querySelector('.name-link')?.setAttribute('aria-pressed', selection.chosen === name);
  });
  row.addEventListener('pointerenter', () => selection.hover(name));
  row.addEventListener('pointerleave', () => selection.hover(null));
}
