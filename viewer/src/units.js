// Quantities as text: a number with its unit and an SI prefix.
import { format_number } from './numbers.js';

const prefixes = new Map([[-15, 'f'], [-12, 'p'], [-9, 'n'], [-6, 'µ'], [-3, 'm'], [0, ''], [3, 'k'], [6, 'M'], [9, 'G'], [12, 'T'], [15, 'P']]);
const takes_prefix = new Set(['m', 's', 'Pa', 'J', 'N', 'W', 'Hz', 'g', 'rad', 'V', 'A', 'B']);

// {prefixed(prefix) -> text, exponent} of a unit whose first symbol may have a prefix; null of the others ("m^2", "%", "ns").
function prefixable(unit) {
  const first = /^[A-Za-z]+/.exec(unit)?.[0];
  if (!first) return null;
  const rest = unit.slice(first.length);
  if (rest.startsWith('^') || /[^A-Za-z0-9/*^·() -]/.test(rest) || / or /.test(rest)) return null;
  if (first === 'kg') return { prefixed: (prefix) => `${prefix}g${rest}`, exponent: 3 };
  return takes_prefix.has(first) ? { prefixed: (prefix) => prefix + first + rest, exponent: 0 } : null;
}

// The unit in which numbers up to `magnitude` are best read, and the factor that a value in `unit` is multiplied by:
// (0.002, 'm') -> {factor: 1000, unit: 'mm'}. The unit stays as it is where no prefix fits.
export function readable_unit(magnitude, unit) {
  const known = unit && magnitude > 0 && Number.isFinite(magnitude) ? prefixable(unit) : null;
  if (!known) return { factor: 1, unit: unit === '1' ? '' : unit ?? '' };
  // 999.9996 would be rounded to 1000 of the smaller unit.
  const power = 3 * Math.floor(Math.log10(magnitude * (1 + 1e-6)) / 3 + 1e-12) + known.exponent;
  const used = prefixes.has(power) ? power : null;
  if (used === null) return { factor: 1, unit };
  return { factor: 10 ** (known.exponent - used), unit: known.prefixed(prefixes.get(used)) };
}

// "1.5 mm"; without a unit the number alone.
export function format_quantity(value, unit, digits = 6) {
  const { factor, unit: shown } = readable_unit(Math.abs(value), unit);
  const number = format_number(factor === 1 ? value : Number((value * factor).toPrecision(15)), digits);
  return shown ? `${number} ${shown}` : number;
}

// A text such as "at most 1e-06" with its numbers in the unit.
export function quantities_in(text, unit) {
  if (!unit || unit === '1') return text;
  return text.replace(/[+-]?\d+(?:\.\d+)?(?:e[+-]?\d+)?/gi, (number) => format_quantity(Number(number), unit));
}

// A name of the program's own in words: "von_mises_stress" -> "von Mises stress".
export function in_words(name) {
  return name.replaceAll('_', ' ').replace('von mises', 'von Mises');
}
