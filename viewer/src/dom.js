// Builds elements. Text is set by textContent, so that no text of a report is read as markup.

// element('p', {class: 'note', onclick: f}, 'text', child, ...)
export function element(tag, attributes = {}, ...children) {
  return fill(document.createElement(tag), attributes, children);
}

export function svg(tag, attributes = {}, ...children) {
  return fill(document.createElementNS('http://www.w3.org/2000/svg', tag), attributes, children);
}

function fill(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === false || value === null) continue;
    if (name.startsWith('on')) node.addEventListener(name.slice(2), value);
    else node.setAttribute(name, value === true ? '' : value);
  }
  for (const child of children.flat(Infinity))
    if (child !== null && child !== undefined && child !== '') node.append(child instanceof Node ? child : document.createTextNode(String(child)));
  return node;
}

// A paragraph that a reader must see: kind 'note' or 'error'.
export function message(text, kind = 'note') {
  return element('p', { class: `message ${kind}`, role: kind === 'error' ? 'alert' : 'status' }, text);
}

// The value of a custom property of style.css, which knows dark from light.
export function theme(name) {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
}

export function on_theme_change(handler) {
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', handler);
}
