// The list of contents: a link to each section of the page.
import { element } from './dom.js';

const open_up_to = 12;  // links; more are folded

// `sections`: nodes with a heading or an aria-label. Gives each an id. Null where there is little to list.
export function contents_list(sections) {
  const links = sections.map((section, i) => {
    section.id = `section-${i + 1}`;
    return element('li', {}, element('a', { href: `#${section.id}`, onclick: () => open_fold(section) }, title_of(section)));
  });
  if (links.length < 3) return null;
  const list = element('ul', {}, links);
  return element('nav', { class: 'contents', 'aria-label': 'contents' }, links.length <= open_up_to ? list
    : element('details', {}, element('summary', {}, `Contents: ${links.length} sections`), list));
}

function title_of(section) {
  return section.querySelector('h2, summary')?.textContent || section.getAttribute('aria-label') || 'Section';
}

function open_fold(section) {
  if (section.tagName === 'DETAILS') section.open = true;
}
