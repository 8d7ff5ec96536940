// Inflates what libs/study/src/report/array_encoding.cpp packed: base64, gzip, bytes sorted by significance, zigzag differences.

export const missing_code = 65535;
export const code_steps = 65534;

async function inflate(text, what) {
  if (typeof DecompressionStream === 'undefined')
    throw new Error('this browser is too old to unpack the animation (it lacks DecompressionStream); any browser since 2023 can');
  try {
    const packed = Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
    const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream('gzip'));
    return new Uint8Array(await new Response(stream).arrayBuffer());
  } catch {
    throw new Error(`the page's data are damaged (${what})`);
  }
}

function check_size(bytes, expected, what) {
  if (bytes.length !== expected) throw new Error(`the page's data are damaged (${what}: ${bytes.length} bytes where ${expected} belong)`);
}

// Codes [frame][entry] of one channel.
export async function decode_animation(text, frames, entries, what) {
  const bytes = await inflate(text, what);
  const count = frames * entries;
  check_size(bytes, 2 * count, what);
  const codes = new Uint16Array(count);
  for (let i = 0; i < count; ++i) {
    const zigzag = bytes[i] | (bytes[count + i] << 8);
    const difference = (zigzag >>> 1) ^ -(zigzag & 1);
    const before = i >= entries ? codes[i - entries] : 0;
    const two_before = i >= 2 * entries ? codes[i - 2 * entries] : before;
    codes[i] = difference + 2 * before - two_before;  // modulo 2^16, as the array stores it
  }
  return codes;
}

// 32-bit numbers, unchanged but for the packing.
export async function decode_numbers(text, count, what) {
  const bytes = await inflate(text, what);
  check_size(bytes, 4 * count, what);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return Float32Array.from({ length: count }, (_, i) => view.getFloat32(4 * i, true));
}

export async function decode_indices(text, count, what) {
  const bytes = await inflate(text, what);
  check_size(bytes, 4 * count, what);
  const indices = new Uint32Array(count);
  for (let i = 0, before = 0; i < count; ++i) {
    const zigzag = (bytes[i] | (bytes[count + i] << 8) | (bytes[2 * count + i] << 16) | (bytes[3 * count + i] << 24)) >>> 0;
    before = (before + ((zigzag >>> 1) ^ -(zigzag & 1))) | 0;
    indices[i] = before;
  }
  return indices;
}
