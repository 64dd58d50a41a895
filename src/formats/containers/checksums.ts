/** Checksums of the compressed formats. A function with two parameters continues a checksum. */
import type { Steps } from '#bytes/long-work.ts';
import { STEP_BYTES } from './steps.ts';

/** Returns the remainders of each byte value followed by 0, 1, 2 and 3 zero bytes. */
function reflectedTable(polynomial: number): Uint32Array {
  const table = new Uint32Array(4 * 256);
  for (let byte = 0; byte < 256; byte++) {
    let remainder = byte;
    for (let zeros = 0; zeros < 4; zeros++) {
      for (let bit = 0; bit < 8; bit++) {
        remainder = remainder & 1 ? (remainder >>> 1) ^ polynomial : remainder >>> 1;
      }
      table[zeros * 256 + byte] = remainder;
    }
  }
  return table;
}

const CRC32 = reflectedTable(0xedb88320);

/** Returns the CRC-32 of gzip and xz (RFC 1952, section 8). The first `crc` is 0. */
export function crc32(crc: number, data: Uint8Array): number {
  let c = ~crc;
  let at = 0;
  for (const end = data.length - 3; at < end; at += 4) {
    c ^=
      (data[at] ?? 0) |
      ((data[at + 1] ?? 0) << 8) |
      ((data[at + 2] ?? 0) << 16) |
      ((data[at + 3] ?? 0) << 24);
    c =
      (CRC32[768 + (c & 0xff)] ?? 0) ^
      (CRC32[512 + ((c >>> 8) & 0xff)] ?? 0) ^
      (CRC32[256 + ((c >>> 16) & 0xff)] ?? 0) ^
      (CRC32[c >>> 24] ?? 0);
  }
  for (; at < data.length; at++) c = (CRC32[(c ^ (data[at] ?? 0)) & 0xff] ?? 0) ^ (c >>> 8);
  return ~c >>> 0;
}

/** Table of the CRC-32 of bzip2: the polynomial of gzip, but the most significant bit first. */
const CRC32_FORWARD = Uint32Array.from({ length: 256 }, (_, byte) => {
  let remainder = byte << 24;
  for (let bit = 0; bit < 8; bit++) {
    remainder = remainder < 0 ? (remainder << 1) ^ 0x04c11db7 : remainder << 1;
  }
  return remainder >>> 0;
});

/** Returns the CRC-32 of a bzip2 block. The first `crc` is 0. */
export function crc32Forward(crc: number, data: Uint8Array): number {
  let c = ~crc;
  for (const byte of data) c = (c << 8) ^ (CRC32_FORWARD[(c >>> 24) ^ byte] ?? 0);
  return ~c >>> 0;
}

/** Returns the Adler-32 of zlib (RFC 1950, section 8.2). The first `adler` is 1. */
export function adler32(adler: number, data: Uint8Array): number {
  let a = adler & 0xffff;
  let b = adler >>> 16;
  // The sums of 3,800 bytes stay below 2^31, so the remainder is needed only once per 3,800 bytes.
  for (let start = 0; start < data.length; start += 3800) {
    for (const byte of data.subarray(start, start + 3800)) {
      a += byte;
      b += a;
    }
    a %= 65521;
    b %= 65521;
  }
  return ((b << 16) | a) >>> 0;
}

/** A 64-bit checksum as two unsigned 32-bit halves: bigints are too slow for each byte. */
export type Sum64 = { readonly high: number; readonly low: number };

/** Lower and upper halves of the remainders for 64 bits, in the order of `reflectedTable`. */
const CRC64_LOW = new Uint32Array(4 * 256);
const CRC64_HIGH = new Uint32Array(4 * 256);
for (let byte = 0; byte < 256; byte++) {
  let remainder = BigInt(byte);
  for (let bit = 0; bit < 8; bit++) {
    remainder = remainder & 1n ? (remainder >> 1n) ^ 0xc96c5795d7870f42n : remainder >> 1n;
  }
  CRC64_LOW[byte] = Number(remainder & 0xffffffffn);
  CRC64_HIGH[byte] = Number(remainder >> 32n);
}
// Adding a zero byte is one step of the checksum. With bigints this loop would be slow.
for (let at = 256; at < CRC64_LOW.length; at++) {
  const low = CRC64_LOW[at - 256] ?? 0;
  const high = CRC64_HIGH[at - 256] ?? 0;
  CRC64_LOW[at] = ((low >>> 8) | (high << 24)) ^ (CRC64_LOW[low & 0xff] ?? 0);
  CRC64_HIGH[at] = (high >>> 8) ^ (CRC64_HIGH[low & 0xff] ?? 0);
}

/** Returns the CRC-64 of xz (The .xz File Format 1.2.1, section 6). The first `crc` is zero. */
export function crc64(crc: Sum64, data: Uint8Array): Sum64 {
  let high = ~crc.high;
  let low = ~crc.low;
  let at = 0;
  for (const end = data.length - 3; at < end; at += 4) {
    const word =
      low ^
      ((data[at] ?? 0) |
        ((data[at + 1] ?? 0) << 8) |
        ((data[at + 2] ?? 0) << 16) |
        ((data[at + 3] ?? 0) << 24));
    const a = 768 + (word & 0xff);
    const b = 512 + ((word >>> 8) & 0xff);
    const c = 256 + ((word >>> 16) & 0xff);
    const d = word >>> 24;
    low =
      high ^ (CRC64_LOW[a] ?? 0) ^ (CRC64_LOW[b] ?? 0) ^ (CRC64_LOW[c] ?? 0) ^ (CRC64_LOW[d] ?? 0);
    high =
      (CRC64_HIGH[a] ?? 0) ^ (CRC64_HIGH[b] ?? 0) ^ (CRC64_HIGH[c] ?? 0) ^ (CRC64_HIGH[d] ?? 0);
  }
  for (; at < data.length; at++) {
    const index = (low ^ (data[at] ?? 0)) & 0xff;
    low = ((low >>> 8) | (high << 24)) ^ (CRC64_LOW[index] ?? 0);
    high = (high >>> 8) ^ (CRC64_HIGH[index] ?? 0);
  }
  return { high: ~high >>> 0, low: ~low >>> 0 };
}

const P1 = 0x9e3779b1;
const P2 = 0x85ebca77;
const P3 = 0xc2b2ae3d;
const P4 = 0x27d4eb2f;
const P5 = 0x165667b1;
const STRIPE = 16;

const rotate = (value: number, by: number) => (value << by) | (value >>> (32 - by));
const round = (sum: number, lane: number) => Math.imul(rotate(sum + Math.imul(lane, P2), 13), P1);

/** Returns the XXH32 of `data` with seed 0, the checksum of lz4 frames (LZ4 Frame Format 1.6.2). */
export function* xxh32(data: Uint8Array): Steps<number> {
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
  const stripesEnd = data.length - (data.length % STRIPE);
  let hash = P5;
  if (stripesEnd > 0) {
    const lanes: Lanes = [(P1 + P2) | 0, P2 | 0, 0, -P1 | 0];
    for (let start = 0; start < stripesEnd; start += STEP_BYTES) {
      addStripes(lanes, view, start, Math.min(stripesEnd, start + STEP_BYTES));
      yield;
    }
    const [a, b, c, d] = lanes;
    hash = rotate(a, 1) + rotate(b, 7) + rotate(c, 12) + rotate(d, 18);
  }
  return avalanche(addTail((hash + data.length) | 0, view, stripesEnd));
}

type Lanes = [number, number, number, number];

function addStripes(lanes: Lanes, view: DataView, start: number, end: number): void {
  let [a, b, c, d] = lanes;
  for (let at = start; at < end; at += STRIPE) {
    a = round(a, view.getInt32(at, true));
    b = round(b, view.getInt32(at + 4, true));
    c = round(c, view.getInt32(at + 8, true));
    d = round(d, view.getInt32(at + 12, true));
  }
  lanes[0] = a;
  lanes[1] = b;
  lanes[2] = c;
  lanes[3] = d;
}

/** Adds the bytes after the last complete stripe. */
function addTail(sum: number, view: DataView, start: number): number {
  let hash = sum;
  let at = start;
  for (; at + 4 <= view.byteLength; at += 4) {
    hash = Math.imul(rotate((hash + Math.imul(view.getInt32(at, true), P3)) | 0, 17), P4);
  }
  for (; at < view.byteLength; at++) {
    hash = Math.imul(rotate((hash + Math.imul(view.getUint8(at), P5)) | 0, 11), P1);
  }
  return hash;
}

function avalanche(sum: number): number {
  let hash = Math.imul(sum ^ (sum >>> 15), P2);
  hash = Math.imul(hash ^ (hash >>> 13), P3);
  return (hash ^ (hash >>> 16)) >>> 0;
}
