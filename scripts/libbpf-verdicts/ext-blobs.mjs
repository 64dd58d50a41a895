// Changes .BTF.ext sections of objects.
import { Dice } from '../kernel-verdicts/blob.mjs';

/** Returns a copy of one of `seeds`, all little-endian, with changes; sometimes big-endian. */
export function changedExt(seed, seeds) {
  const dice = new Dice(seed);
  let bytes = Buffer.from(dice.of(seeds));
  const isBig = dice.once(6);
  if (isBig) swapWords(bytes);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (let changes = dice.below(4); changes > 0; changes--) {
    if (dice.once(12)) {
      bytes[dice.below(8)] ^= 1 << dice.below(8);
      continue;
    }
    const places = dice.of([blockWords(view, isBig), headerWords(view, isBig), null]);
    const at = places === null ? 4 * dice.below(bytes.length >>> 2) : dice.of(places);
    const old = view.getUint32(at, !isBig);
    const value = dice.of([
      ...[0, 1, 2, 4, 8, 12, 16, 20, old + 1, old - 1, old + 4, old - 4, old + 8, 2 * old],
      ...[old ^ (1 << dice.below(32)), bytes.length, 2 ** 31, 2 ** 32 - 4, dice.below(2 ** 32)],
    ]);
    view.setUint32(at, value >>> 0, !isBig);
  }
  if (dice.once(12)) bytes = bytes.subarray(0, dice.below(bytes.length + 1));
  return dice.once(30) ? Buffer.concat([bytes, Buffer.alloc(dice.below(12))]) : bytes;
}

/** Changes the byte order of a section: all is 32-bit words, except for the first four bytes. */
function swapWords(bytes) {
  bytes.subarray(0, 2).swap16();
  const words = bytes.subarray(4, bytes.length - (bytes.length % 4));
  words.swap32();
}

const headerWords = (view, isBig) =>
  range(4, Math.min(view.getUint32(4, !isBig), 40, view.byteLength), 4);

/** Returns the offsets of record sizes, and of names and counts of blocks. */
function blockWords(view, isBig) {
  const u32 = (at) => (at + 4 <= view.byteLength ? view.getUint32(at, !isBig) : 0);
  const places = [4];
  for (const field of [8, 16, 24]) {
    let at = u32(4) + u32(field);
    const end = Math.min(at + u32(field + 4), view.byteLength - 8);
    const size = u32(at);
    if (at + 4 <= end) places.push(at);
    for (at += 4; at < end && places.length < 100; at += 8 + u32(at + 4) * size) {
      places.push(at, at + 4);
    }
  }
  return places.filter((at) => at % 4 === 0 && at + 4 <= view.byteLength);
}

const range = (start, end, step) =>
  Array.from({ length: Math.max(1, Math.floor((end - start) / step)) }, (_, i) => start + i * step);
