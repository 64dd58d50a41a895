/** The bytes around a relocation's site, before and after it is applied by its formula. */
import type { Endian } from '#bytes/span.ts';

export type SiteByte = {
  /** Offset in the section. */
  readonly offset: number;
  readonly before: number;
  /** What the formula puts there; the same as `before` outside the site. */
  readonly after: number;
  readonly isSite: boolean;
};

/**
 * `bytes` begin at `start` (offset in the section); the site is `bitSize` bits at
 * `siteOffset`. `result` is cut to them, as a linker does; null leaves the bytes.
 */
export function siteBytes(
  bytes: Uint8Array,
  start: number,
  siteOffset: number,
  bitSize: number,
  result: bigint | null,
  endian: Endian,
): SiteByte[] {
  const size = Math.floor(bitSize / 8);
  const value = result === null ? null : BigInt.asUintN(size * 8, result);
  return Array.from(bytes, (before, i) => {
    const offset = start + i;
    const at = offset - siteOffset;
    const isSite = at >= 0 && at < size;
    if (!isSite || value === null) return { offset, before, after: before, isSite };
    const shift = 8 * (endian === 'little' ? at : size - 1 - at);
    return { offset, before, after: Number((value >> BigInt(shift)) & 0xffn), isSite };
  });
}

/** Bytes of context in data: the site and what is left of its row of eight. */
const DATA_CONTEXT = 8;

/**
 * What to show around a site, in bytes of the section: the whole instruction in
 * BPF code (both halves of a ld_imm64), else the row of eight that the site is in.
 */
export function siteWindow(
  insnOff: number | null,
  insnLength: number,
  siteOffset: number,
  bitSize: number,
  sectionLength: number,
) {
  if (insnOff !== null) {
    return { start: insnOff, end: Math.min(sectionLength, insnOff + insnLength) };
  }
  const start = siteOffset - (siteOffset % DATA_CONTEXT);
  const end = Math.max(start + DATA_CONTEXT, siteOffset + bitSize / 8);
  return { start: Math.max(0, start), end: Math.min(sectionLength, end) };
}
