// Tables and verdicts.
import { element } from './dom.js';
import { format_number, with_unit } from './numbers.js';

// A sign and a word stand beside the colour.
const verdicts = {
  none: ['', '–', 'neutral'],
  accepted: ['✓', 'accepted', 'good'],
  missed: ['✗', 'missed', 'bad'],
  reproduced: ['✓', 'reproduced', 'good'],
  differs: ['≠', 'differs', 'warn'],
  not_attempted: ['○', 'not attempted', 'neutral'],
  interrupted: ['‖', 'interrupted', 'warn'],
  failed: ['✗', 'failed', 'bad'],
};

export function verdict_badge(verdict) {
  const [sign, word, kind] = verdicts[verdict] ?? ['?', verdict, 'neutral'];
  return element('span', { class: `verdict ${kind}` }, sign ? element('span', { 'aria-hidden': 'true' }, `${sign} `) : null, word);
}

function cell_content(cell) {
  if (typeof cell === 'number') return format_number(cell);
  if (cell?.number) return cell.number;
  if (cell?.verdict) return verdict_badge(cell.verdict);
  if (cell?.bound !== undefined) return kept_together(cell.bound);
  if (cell?.name !== undefined) return [...breakable(cell.name), cell.below ? element('div', { class: 'below' }, cell.below) : null];
  return String(cell ?? '');
}

// Breaks before the last word only.
function kept_together(text) {
  const words = String(text).split(' ');
  const kept = (part) => element('span', { class: 'kept' }, part);
  return [kept(words.slice(0, -1).join(' ')), ' ', kept(words.at(-1))];
}

function breakable(name) {
  return String(name).split(/(?<=_)/).flatMap((part, i) => (i > 0 ? [element('wbr'), part] : [part]));
}

const is_number = (cell) => typeof cell === 'number' || Boolean(cell?.number);

export function make_table({ title, caption, columns, rows, kind = '' }) {
  const numeric = columns.map((_, c) => rows.length > 0 && rows.every((row) => is_number(row[c]) || row[c] === ''));
  const header = element('tr', {}, columns.map((column, c) =>
    element('th', { scope: 'col', class: numeric[c] ? 'number' : undefined }, with_unit(column.title, column.unit))));
  const body = rows.map((row) => element('tr', {}, row.map((cell) =>
    element('td', { class: is_number(cell) ? 'number' : String(cell).length > 24 && typeof cell === 'string' ? 'long' : undefined }, cell_content(cell)))));
  return element('section', { class: `panel ${kind}` }, element('h2', {}, title),
    element('div', { class: 'table-place', tabindex: 0, role: 'region', 'aria-label': title },
      element('table', {}, element('thead', {}, header), element('tbody', {}, body))),
    rows.length === 0 ? element('p', { class: 'caption' }, 'This table is empty.') : null,
    caption ? element('p', { class: 'caption' }, caption) : null);
}

const named = (...titles) => titles.map((title) => ({ title, unit: '' }));

export function acceptance_table(rows) {
  const sections = rows.some((row) => row.section);
  // It stands in the column beside an animation: who asks is below the metric, whose name may break at its underscores.
  return make_table({ title: 'Acceptance', kind: 'acceptance', columns: named(sections ? 'metric, asked for by' : 'metric', 'bound', 'value', 'verdict'),
    rows: rows.map((row) => [{ name: row.metric, below: row.section }, { bound: row.bound }, row.value, { verdict: row.verdict }]) });
}

export function paper_table(rows) {
  const causes = rows.some((row) => row.cause !== '');
  return make_table({ title: 'The paper and this run', columns: named('figure', 'quantity', 'paper', 'ours', 'verdict', ...(causes ? ['cause'] : [])),
    rows: rows.map((row) => [row.figure, row.quantity, row.paper, row.ours, { verdict: row.verdict }, ...(causes ? [row.cause] : [])]) });
}

export function provenance_list(entries) {
  return element('details', { class: 'panel provenance' }, element('summary', {}, 'Provenance'),
    element('dl', {}, entries.map(([key, value]) => [element('dt', {}, key), element('dd', {}, value)])));
}
