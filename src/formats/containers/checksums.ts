/**
 * The checksums of the compressed formats, each as a function from the sum so
 * far and more data to the new sum.
 */

/**
 * Remainders of every byte for a 32-bit polynomial in reflected form, followed
 * by those of the byte with one, two and three zero bytes behind it, so that
 * four bytes go in one turn.
 */
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

/** CRC-32 of gzip and xz (RFC 1952, section 8); start with 0. */
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

/** The CRC-32 of bzip2: the same polynomial, most significant bit first. */
const CRC32_FORWARD = Uint32Array.from({ length: 256 }, (_, byte) => {
  let remainder = byte << 24;
  for (let bit = 0; bit < 8; bit++) {
    remainder = remainder < 0 ? (remainder << 1) ^ 0x04c11db7 : remainder << 1;
  }
  return remainder >>> 0;
});

/** CRC-32 of a bzip2 block; start with 0. */
export function crc32Forward(crc: number, data: Uint8Array): number {
  let c = ~crc;
  for (const byte of data) c = (c << 8) ^ (CRC32_FORWARD[(c >>> 24) ^ byte] ?? 0);
  return ~c >>> 0;
}

/** Adler-32 of zlib (RFC 1950, section 8.2); start with 1. */
export function adler32(adler: number, data: Uint8Array): number {
  let a = adler & 0xffff;
  let b = adler >>> 16;
  // 3,800 additions stay below 2^31, so that the remainder is taken rarely.
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

/** A 64-bit sum as two unsigned halves: bigints are too slow byte by byte. */
export type Sum64 = { readonly high: number; readonly low: number };

const CRC64_HIGH = new Uint32Array(256);
const CRC64_LOW = new Uint32Array(256);
for (let byte = 0; byte < 256; byte++) {
  let remainder = BigInt(byte);
  for (let bit = 0; bit < 8; bit++) {
    remainder = remainder & 1n ? (remainder >> 1n) ^ 0xc96c5795d7870f42n : remainder >> 1n;
  }
  CRC64_HIGH[byte] = Number(remainder >> 32n);
  CRC64_LOW[byte] = Number(remainder & 0xffffffffn);
}

/** CRC-64 of xz (The .xz File Format 1.2.1, section 6, ECMA-182); start with zeros. */
export function crc64(crc: Sum64, data: Uint8Array): Sum64 {
  let high = ~crc.high;
  let low = ~crc.low;
  for (const byte of data) {
    const index = (low ^ byte) & 0xff;
    low = ((low >>> 8) | (high << 24)) ^ (CRC64_LOW[index] ?? 0);
    high = (high >>> 8) ^ (CRC64_HIGH[index] ?? 0);
  }
  return { high: ~high >>> 0, low: ~low >>> 0 };
}
