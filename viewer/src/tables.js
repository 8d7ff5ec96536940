// Tables and verdicts.
import { element } from './dom.js';
import { format_number, with_unit } from './numbers.js';
import { follow_row } from './selection.js';
import { format_quantity, quantities_in } from './units.js';

// A sign and a word stand beside the color.
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

// `unit` of a number in it; the number in full is told where the pointer rests.
function cell_content(cell, unit) {
  if (typeof cell === 'number') return unit ? element('span', { title: `${cell} ${unit}` }, format_quantity(cell, unit)) : format_number(cell);
  if (cell?.number) return cell.number;
  if (cell?.quantity !== undefined) return cell_content(cell.quantity, cell.unit);
  if (cell?.page !== undefined) return element('a', { href: cell.page.split('/').map(encodeURIComponent).join('/') }, cell.link);
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

const is_number = (cell) => typeof cell === 'number' || Boolean(cell?.number) || cell?.quantity !== undefined;

// A column `unit` gives the unit of the numbers of its row, and is not shown apart.
function with_units_in_place(table) {
  const column = table.columns.findIndex((each) => each.title === 'unit');
  if (column < 0 || !table.rows.every((row) => typeof row[column] === 'string')) return { ...table, unit_of: (row, c) => table.columns[c].unit };
  const units = table.rows.map((row) => row[column]);
  const without = (list) => list.filter((_, c) => c !== column);
  const columns = without(table.columns);
  return { ...table, columns, rows: table.rows.map(without), unit_of: (row, c) => units[row] || columns[c].unit };
}

// The row is marked with what it speaks of in the scene, and a button in its first cell chooses that.
function join_with_scene(line, row, selection) {
  const name = row.map((cell) => selection.named_in(typeof cell === 'string' ? cell : cell?.name ?? '')).find((each) => each !== null);
  if (name === undefined) return;
  const first = line.querySelector('td');
  const link = element('button', { type: 'button', class: 'name-link', 'aria-pressed': 'false', title: `show '${name}' in the picture`,
    onclick: () => selection.choose(name) });
  link.append(...first.childNodes);
  first.append(link);
  follow_row(line, name, selection);
}

const long_table = 14;  // rows

export function make_table(table, selection) {
  const { title, caption, columns, rows, unit_of, kind = '' } = with_units_in_place(table);
  const numeric = columns.map((_, c) => rows.length > 0 && rows.every((row) => is_number(row[c]) || row[c] === ''));
  const header = element('tr', {}, columns.map((column, c) =>
    element('th', { scope: 'col', class: numeric[c] ? 'number' : undefined }, with_unit(column.title, numeric[c] ? '' : column.unit))));
  const body = rows.map((row, r) => {
    const line = element('tr', {}, row.map((cell, c) =>
      element('td', { class: is_number(cell) ? 'number' : String(cell).length > 24 && typeof cell === 'string' ? 'long' : undefined }, cell_content(cell, unit_of(r, c)))));
    join_with_scene(line, row, selection);
    return line;
  });
  return element('section', { class: `panel ${kind}` }, element('h2', {}, title),
    element('div', { class: rows.length > long_table ? 'table-place long-table' : 'table-place', tabindex: 0, role: 'region', 'aria-label': title },
      element('table', {}, element('thead', {}, header), element('tbody', {}, body))),
    rows.length === 0 ? element('p', { class: 'caption' }, 'This table is empty.') : null,
    caption ? element('p', { class: 'caption' }, caption) : null);
}

const named = (...titles) => titles.map((title) => ({ title, unit: '' }));

export function acceptance_table(rows, selection) {
  const sections = rows.some((row) => row.section);
  // It stands in the column beside an animation: who asks is below the metric, whose name may break at its underscores.
  return make_table({ title: 'Acceptance', kind: 'acceptance', columns: named(sections ? 'metric, asked for by' : 'metric', 'bound', 'value', 'verdict'),
    rows: rows.map((row) => [{ name: row.metric, below: row.section }, { bound: quantities_in(row.bound, row.unit) }, quantity(row.value, row.unit), { verdict: row.verdict }]) }, selection);
}

// A number with a unit of its own.
const quantity = (value, unit) => (typeof value === 'number' ? { quantity: value, unit } : value);

export function paper_table(rows, selection) {
  const causes = rows.some((row) => row.cause !== '');
  return make_table({ title: 'The paper and this run', columns: named('figure', 'quantity', 'paper', 'ours', 'verdict', ...(causes ? ['cause'] : [])),
    rows: rows.map((row) => [row.figure, row.quantity, row.paper, row.ours, { verdict: row.verdict }, ...(causes ? [row.cause] : [])]) }, selection);
}

export function provenance_list(entries) {
  return element('details', { class: 'panel provenance' }, element('summary', {}, 'Provenance'),
    element('dl', {}, entries.map(([key, value]) => [element('dt', {}, key), element('dd', {}, value)])));
}
