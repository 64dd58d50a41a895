/** Mutations of bytes that need no knowledge of a format. */
import { concatBytes } from '#bytes/arrays.ts';
import type { Random } from './random.ts';

/** Numbers at which counters overflow, signs change, or checks are wrong by one. */
const ODD_NUMBERS: readonly number[] = [
  0, 1, 2, 3, 4, 7, 8, 12, 15, 16, 24, 31, 32, 63, 64, 0x7f, 0x80, 0xff, 0x100, 0x7fff, 0x8000,
  0xfff1, 0xffff, 0x10000, 0xffffff, 0x1000000, 0x7fffffff, 0x80000000, 0xfffffff0, 0xfffffffe,
  0xffffffff,
];

/** Returns a number that is likely to break a reader, sometimes taken from the bytes. */
export function oddNumber(bytes: Uint8Array, random: Random): number {
  switch (random.below(6)) {
    case 0:
      return bytes.length + random.below(5) - 2;
    case 1:
      return random.below(bytes.length);
    case 2:
      return random.below(64);
    case 3: {
      const at = random.below(bytes.length >>> 2) * 4;
      return readWord(bytes, at, 4, true);
    }
    default:
      return random.pick(ODD_NUMBERS);
  }
}

/**
 * Returns the number in the `width` bytes at `at`; reads at most four of them, and 0 past the end.
 */
export function readWord(bytes: Uint8Array, at: number, width: number, little: boolean): number {
  let value = 0;
  for (let i = 0; i < Math.min(4, width); i++) {
    const byte = bytes[little ? at + i : at + width - 1 - i] ?? 0;
    value += byte * 2 ** (8 * i);
  }
  return value;
}

/** Writes `value` into the `width` bytes at `at` that exist. A negative value sets all bits. */
export function writeWord(
  bytes: Uint8Array,
  at: number,
  width: number,
  little: boolean,
  value: number,
): void {
  for (let i = 0; i < width; i++) {
    const place = little ? at + i : at + width - 1 - i;
    const byte = i < 6 ? Math.floor(value / 2 ** (8 * i)) & 0xff : value < 0 ? 0xff : 0;
    if (place >= 0 && place < bytes.length) bytes[place] = byte;
  }
}

type Mutation = (bytes: Uint8Array, random: Random, other: Uint8Array) => Uint8Array;

/** Returns `bytes` in which `by` replaces the `count` bytes at `at`. */
function replaced(bytes: Uint8Array, at: number, count: number, by: Uint8Array): Uint8Array {
  return concatBytes([bytes.subarray(0, at), by, bytes.subarray(at + count)]);
}

/** Returns a range of `bytes`, usually a short one, in some cases aligned to words. */
function stretch(bytes: Uint8Array, random: Random): { at: number; length: number } {
  const step = random.pick([1, 4, 4, 8, 12]);
  const most = random.oneIn(4) ? bytes.length : 64;
  const at = random.below(bytes.length / step) * step;
  const length = Math.min(bytes.length - at, step * (1 + random.below(most / step)));
  return { at, length };
}

const MUTATIONS: readonly Mutation[] = [
  function flipBit(bytes, random) {
    const at = random.below(bytes.length);
    bytes[at] = (bytes[at] ?? 0) ^ (1 << random.below(8));
    return bytes;
  },
  function setByte(bytes, random) {
    bytes[random.below(bytes.length)] = random.below(256);
    return bytes;
  },
  function setWord(bytes, random) {
    const width = random.pick([2, 4, 4, 8]);
    const at = random.below(bytes.length / 4) * 4 + (random.oneIn(4) ? random.below(4) : 0);
    writeWord(bytes, at, width, !random.oneIn(3), oddNumber(bytes, random));
    return bytes;
  },
  function addToWord(bytes, random) {
    const width = random.pick([1, 2, 4]);
    const little = !random.oneIn(3);
    const at = random.below(bytes.length / width) * width;
    const sum = readWord(bytes, at, width, little) + random.below(33) - 16;
    writeWord(bytes, at, width, little, sum);
    return bytes;
  },
  function insert(bytes, random) {
    const added = Uint8Array.from({ length: 1 + random.below(16) }, () => random.below(256));
    return replaced(bytes, random.below(bytes.length + 1), 0, added);
  },
  function remove(bytes, random) {
    const { at, length } = stretch(bytes, random);
    return replaced(bytes, at, length, new Uint8Array(0));
  },
  function duplicate(bytes, random) {
    const { at, length } = stretch(bytes, random);
    return replaced(bytes, at, 0, bytes.slice(at, at + length));
  },
  function copyOver(bytes, random) {
    const { at, length } = stretch(bytes, random);
    bytes.copyWithin(random.below(bytes.length), at, at + length);
    return bytes;
  },
  function zero(bytes, random) {
    const { at, length } = stretch(bytes, random);
    bytes.fill(random.pick([0, 0, 0xff]), at, at + length);
    return bytes;
  },
  function cut(bytes, random) {
    return bytes.slice(0, random.below(bytes.length));
  },
  function splice(bytes, random, other) {
    const { at, length } = stretch(other, random);
    const into = stretch(bytes, random);
    return replaced(bytes, into.at, random.oneIn(2) ? length : 0, other.slice(at, at + length));
  },
  function overlay(bytes, random, other) {
    const { at, length } = stretch(other, random);
    const part = other.subarray(at, at + length);
    const into = random.oneIn(2) ? at : random.below(bytes.length);
    if (into < bytes.length) bytes.set(part.subarray(0, bytes.length - into), into);
    return bytes;
  },
];

/** Returns `bytes` with one mutation, possibly made in place. Inserted bytes come from `other`. */
export function mutateBytes(bytes: Uint8Array, random: Random, other: Uint8Array): Uint8Array {
  if (bytes.length === 0) return Uint8Array.from({ length: 4 }, () => random.below(256));
  return random.pick(MUTATIONS)(bytes, random, other);
}
