// The page's modules that need no browser: node modules_test.mjs.
import assert from 'node:assert/strict';
import { round_down, scale_of } from '../../viewer/src/arrow_scale.js';
import { varies } from '../../viewer/src/color_map.js';
import { framed_bodies, lies_in_plane } from '../../viewer/src/framed_bodies.js';
import { zoomed } from '../../viewer/src/plot_data.js';
import { plot_csv } from '../../viewer/src/plot_export.js';
import { lagrange_polynomials, node_weights, quantity_at, write_field } from '../../viewer/src/parameter_model.js';
import { mentions, Selection } from '../../viewer/src/selection.js';
import { is_flat, split_creases, write_normals } from '../../viewer/src/shading.js';
import { format_quantity, in_words, quantities_in, readable_unit } from '../../viewer/src/units.js';

const tests = {
  'polynomials between Chebyshev points are exact for their degree, and at the points'() {
    const point = (k) => Math.cos((Math.PI * (k + 0.5)) / 4);
    for (const x of [-1, -0.37, 0.2, 1, point(2)]) {
      const weights = lagrange_polynomials(x, 4);
      for (const power of [0, 1, 2, 3]) {
        const sum = weights.reduce((total, weight, k) => total + weight * point(k) ** power, 0);
        assert.ok(Math.abs(sum - x ** power) < 1e-13, `${x}^${power}: ${sum}`);
      }
    }
  },

  'a model interpolates products of its parameters, the last of which runs fastest'() {
    const parameters = [{ minimum: 1, maximum: 3 }, { minimum: 10, maximum: 20 }];
    const points = 2;
    const nodes = [0, 1].flatMap((i) => [0, 1].map((j) => [2 + Math.cos((Math.PI * (i + 0.5)) / 2), 15 + 5 * Math.cos((Math.PI * (j + 0.5)) / 2)]));
    const weights = node_weights({ parameters, points }, [1.5, 12]);
    assert.ok(Math.abs(quantity_at({ values: nodes.map(([a, b]) => Math.exp(a * b)) }, weights) / Math.exp(18) - 1) < 1e-12);
    const target = new Float64Array(3);
    write_field({ terms: 2, basis: [1, 0, 0, 0, 2, 0], coefficients: nodes.flat() }, weights, target);
    [1.5, 24, 0].forEach((expected, i) => assert.ok(Math.abs(target[i] - expected) < 1e-12, `${target}`));
  },

  'a quantity has the prefix that leaves one to three digits before the point'() {
    for (const [value, unit, expected] of [
      [0.0015, 'm', '1.5 mm'], [-2.5e-6, 'm', '-2.5 µm'], [400000, 'Pa', '400 kPa'], [1e9, 'Pa', '1 GPa'], [999.9999, 'Pa', '1 kPa'],
      [0.25, 'kg', '250 g'], [48, 'kg', '48 kg'], [2500, 'kg', '2.5 Mg'], [2e-5, 'J/m^3', '20 µJ/m^3'], [0.01, 'm/s', '10 mm/s'], [0, 'm', '0 m'],
      [0.01, 'm^2', '0.01 m^2'], [12.5, 'ns', '12.5 ns'], [0.5, 'rad or m', '0.5 rad or m'], [1500, '1', '1500'], [0.2, '1/s', '0.2 1/s'], [7, '', '7'],
      [1e-30, 'm', '1e-30 m'], [Infinity, 'm', 'Infinity m']])
      assert.equal(format_quantity(value, unit), expected);
  },

  'arrows have a scale of round numbers that a spike does not set'() {
    for (const [value, expected] of [[8, 5], [5, 5], [4.9, 2], [0.3, 0.2], [1, 1], [1999, 1000], [0.0012, 0.001]])
      assert.ok(Math.abs(round_down(value) / expected - 1) < 1e-9, `${value} is rounded to ${round_down(value)}`);
    assert.deepEqual(scale_of([4, 8, 0], 1.2), { amount: 5, length: 0.1 });
    const many = [...Array(999).fill(3), 1e6];
    assert.equal(scale_of(many, 1).amount, 2);
    assert.equal(scale_of([0, 0], 1), null);
  },

  'an axis has one unit for all of its numbers'() {
    assert.deepEqual(readable_unit(0.25, 'm'), { factor: 1000, unit: 'mm' });
    assert.deepEqual(readable_unit(3.2, 's'), { factor: 1, unit: 's' });
    assert.deepEqual(readable_unit(5, '1'), { factor: 1, unit: '' });
  },

  'numbers in a bound get the unit'() {
    assert.equal(quantities_in('at most 1e-06', 'm'), 'at most 1 µm');
    assert.equal(quantities_in('between -0.002 and 3', 'Pa'), 'between -2 mPa and 3 Pa');
    assert.equal(quantities_in('at most 8', '1'), 'at most 8');
    assert.equal(in_words('von_mises_stress'), 'von Mises stress');
  },

  'a text speaks of a name only where the name stands alone'() {
    for (const [text, name, expected] of [
      ['control_knee_initial', 'knee', true], ['kneecap', 'knee', false], ['knee 12 %, ankle 3 %', 'ankle', true], ['left_knee', 'knee', true],
      ['b', 'b', true], ['a b', 'b', true], ['a_b', 'b', false], ['knee2', 'knee', false]])
      assert.equal(mentions(text, name), expected, `'${name}' in '${text}'`);
    const selection = new Selection(['knee', 'knee_left', '']);
    assert.equal(selection.named_in('control_knee_left_initial'), 'knee_left', 'the longest name');
    assert.equal(selection.named_in('nothing'), null);
  },

  'what is pointed at is marked before what is chosen'() {
    const selection = new Selection(['a', 'b']);
    selection.choose('a');
    selection.hover('b');
    assert.equal(selection.marked, 'b');
    selection.hover(null);
    assert.equal(selection.marked, 'a');
    selection.choose('a');
    assert.equal(selection.marked, null);
  },

  'a field varies by more than rounding'() {
    assert.equal(varies({ minimum: 0, maximum: 3e-11, floor: 1e-5 }), false);
    assert.equal(varies({ minimum: 0, maximum: 3e-4, floor: 1e-5 }), true);
    assert.equal(varies({ minimum: 1e5, maximum: 1e5 + 0.01, floor: 0 }), false);
    assert.equal(varies({ minimum: 0, maximum: 0, floor: 0 }), false);
    assert.equal(varies({ minimum: -1e-9, maximum: 1e-9, floor: 0 }), true);
  },

  'a picture holds solids, and planes where there is nothing else'() {
    const plane = [-9, -9, 1, 9, -9, 1, -9, 9, 1, 9, 9, 1], pole = [0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 2, 3, 1, 0];
    assert.equal(lies_in_plane(plane), true);
    assert.equal(lies_in_plane([...plane, 0, 0, 1.01]), false);
    assert.equal(lies_in_plane(pole), false, 'three points in one place span no plane');
    const [floor, ball] = [{ points: plane }, { points: pole }];
    assert.deepEqual(framed_bodies({ bodies: [], rigid: [floor, ball] }), [ball]);
    assert.deepEqual(framed_bodies({ bodies: [], rigid: [floor] }), [floor]);
    assert.deepEqual(framed_bodies({ bodies: [{}], rigid: [floor] }), []);
  },

  'a plane is told from a corner and from a surface that faces both ways'() {
    const flat_of = (points, triangles) => {
      const { index, entry_of_point } = split_creases(triangles, points.length / 3, points);
      const corners = new Float32Array(3 * entry_of_point.length), normals = new Float32Array(corners.length);
      entry_of_point.forEach((entry, point) => corners.set(points.slice(3 * entry, 3 * entry + 3), 3 * point));
      write_normals(index, corners, normals);
      return is_flat(normals);
    };
    const square = [0, 0, 0, 1, 0, 0, 1, 1, 1, 0, 1, 1];
    assert.equal(flat_of(square, [0, 1, 2, 0, 2, 3]), true);
    assert.equal(flat_of(square, [0, 1, 2, 0, 3, 2]), false, 'one of them from behind');
    assert.equal(flat_of([...square, 0, 1, 3], [0, 1, 2, 0, 2, 4]), false, 'bent');
  },

  'zooming stays within the axis'() {
    assert.deepEqual(zoomed([0, 8], 0.5, [0, 8], false), [2, 6]);
    assert.deepEqual(zoomed([0, 2], 2, [0, 8], false), [0, 3]);
    assert.equal(zoomed([2, 6], 2, [0, 8], false), null);
    const [low, high] = zoomed([1e-4, 1], 0.5, [1e-4, 1], true);
    assert.ok(Math.abs(low - 1e-3) < 1e-12 && Math.abs(high - 0.1) < 1e-12);
  },

  'a CSV file quotes what it must and leaves gaps empty'() {
    const plot = { x: { label: 'time', unit: 's' }, y: { unit: 'm' }, series: [{ name: 'a, "b"' }, { name: 'c' }] };
    assert.equal(plot_csv(plot, { x: [0, 0.1], columns: [[1 / 3, undefined], [null, 2e-20]] }),
      `time [s],"a, ""b"" [m]",c [m]\n0,${1 / 3},\n0.1,,2e-20\n`);
  },
};

let failures = 0;
for (const [name, test] of Object.entries(tests)) {
  try {
    test();
    console.log(`ok      ${name}`);
  } catch (problem) {
    ++failures;
    console.log(`FAILED  ${name}\n        ${String(problem.message).replaceAll('\n', '\n        ')}`);
  }
}
process.exit(failures === 0 ? 0 : 1);
