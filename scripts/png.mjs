// Reads the PNG files that a browser writes: 8 bits a channel, RGB or RGBA, not interlaced.
import { inflateSync } from 'node:zlib';

function paeth(left, up, corner) {
  const estimate = left + up - corner;
  const [a, b, c] = [Math.abs(estimate - left), Math.abs(estimate - up), Math.abs(estimate - corner)];
  return a <= b && a <= c ? left : b <= c ? up : corner;
}

// {width, height, channels, pixels [row][column][channel]}
export function read_png(file) {
  const pieces = [];
  let width, height, channels;
  for (let at = 8; at < file.length; at += 12 + file.readUInt32BE(at)) {
    const data = file.subarray(at + 8, at + 8 + file.readUInt32BE(at));
    const type = file.toString('latin1', at + 4, at + 8);
    if (type === 'IHDR') {
      [width, height] = [data.readUInt32BE(0), data.readUInt32BE(4)];
      channels = { 2: 3, 6: 4 }[data[9]];
      if (data[8] !== 8 || !channels || data[12] !== 0) throw new Error('a PNG of a kind that is not read here');
    }
    if (type === 'IDAT') pieces.push(data);
  }
  const raw = inflateSync(Buffer.concat(pieces));
  const row = width * channels;
  const pixels = new Uint8Array(row * height);
  for (let y = 0; y < height; ++y) {
    const filter = raw[y * (row + 1)];
    for (let i = 0; i < row; ++i) {
      const left = i >= channels ? pixels[y * row + i - channels] : 0;
      const up = y > 0 ? pixels[(y - 1) * row + i] : 0;
      const corner = y > 0 && i >= channels ? pixels[(y - 1) * row + i - channels] : 0;
      const predicted = [0, left, up, (left + up) >> 1, paeth(left, up, corner)][filter];
      pixels[y * row + i] = raw[y * (row + 1) + 1 + i] + predicted;
    }
  }
  return { width, height, channels, pixels };
}

// The part of the pixels, 0 to 1, that differ by more than 24 of 255 in a channel.
export function difference(a, b) {
  if (a.width !== b.width || a.height !== b.height || a.channels !== b.channels) return 1;
  let different = 0;
  for (let i = 0; i < a.pixels.length; i += a.channels)
    for (let c = 0; c < 3; ++c)
      if (Math.abs(a.pixels[i + c] - b.pixels[i + c]) > 24) {
        ++different;
        break;
      }
  return different / (a.width * a.height);
}
