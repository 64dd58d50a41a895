/**
 * Undoes the branch filters of .xz files in place: absolute targets of calls become relative again.
 * Source: The .xz File Format 1.2.1, section 5.3.2; XZ Utils (`simple/` of liblzma) and the LZMA
 * SDK.
 */
import type { Steps } from '#bytes/long-work.ts';
import { STEP_BYTES } from './steps.ts';

/** Undoes a filter on `data`, at position `startOffset`. Returns the number of finished bytes. */
type UndoFilter = (data: Uint8Array, startOffset: number) => Steps<number>;

export type BranchFilter = {
  readonly name: string;
  /** Start offsets in the properties of the filter must be multiples of `alignment`. */
  readonly alignment: number;
  readonly undo: UndoFilter;
};

/** Branch filters, by their id in .xz files. */
export const BRANCH_FILTERS: ReadonlyMap<number, BranchFilter> = new Map([
  [0x04, { name: 'x86', alignment: 1, undo: undoX86 }],
  [0x05, { name: 'PowerPC', alignment: 4, undo: undoPowerPc }],
  [0x07, { name: 'ARM', alignment: 4, undo: undoArm }],
  [0x08, { name: 'ARM Thumb', alignment: 2, undo: undoArmThumb }],
  [0x09, { name: 'SPARC', alignment: 4, undo: undoSparc }],
  [0x0a, { name: 'ARM64', alignment: 4, undo: undoArm64 }],
]);

/** Calls `change` for each complete word of four bytes. */
function* eachWord(data: Uint8Array, change: (view: DataView, offset: number) => void) {
  const view = viewOf(data);
  const end = data.length - (data.length % 4);
  for (let start = 0; start < end; start += STEP_BYTES) {
    const stepEnd = Math.min(end, start + STEP_BYTES);
    for (let at = start; at < stepEnd; at += 4) change(view, at);
    yield;
  }
  return end;
}

function viewOf(data: Uint8Array): DataView {
  return new DataView(data.buffer, data.byteOffset, data.byteLength);
}

/** Makes `bl` of ARM relative again: 24 bits, in words, from the second next instruction. */
function undoArm(data: Uint8Array, startOffset: number): Steps<number> {
  return eachWord(data, (view, at) => {
    const word = view.getUint32(at, true);
    if (word >>> 24 !== 0xeb) return;
    const target = (word << 2) - (startOffset + at + 8);
    view.setUint32(at, 0xeb000000 | ((target >>> 2) & 0xffffff), true);
  });
}

/** Makes `bl` of ARM Thumb relative again: two half words with 11 bits each. */
function* undoArmThumb(data: Uint8Array, startOffset: number): Steps<number> {
  const view = viewOf(data);
  let at = 0;
  while (at + 4 <= data.length) {
    const high = view.getUint16(at, true);
    const low = view.getUint16(at + 2, true);
    if (at % STEP_BYTES < 4) yield;
    if (high >> 11 !== 0x1e || low >> 11 !== 0x1f) {
      at += 2;
      continue;
    }
    const stored = ((high & 0x7ff) << 12) | ((low & 0x7ff) << 1);
    const target = (stored - (startOffset + at + 4)) >>> 1;
    view.setUint16(at, 0xf000 | ((target >>> 11) & 0x7ff), true);
    view.setUint16(at + 2, 0xf800 | (target & 0x7ff), true);
    at += 4;
  }
  return at;
}

/** Makes `bl` of PowerPC relative again: 24 bits, in words. */
function undoPowerPc(data: Uint8Array, startOffset: number): Steps<number> {
  return eachWord(data, (view, at) => {
    const word = view.getUint32(at);
    if (word >>> 26 !== 0x12 || (word & 3) !== 1) return;
    const target = (word & 0x03fffffc) - (startOffset + at);
    view.setUint32(at, 0x48000001 | (target & 0x03fffffc));
  });
}

/** Makes `call` of SPARC relative again, if the target fits into 22 bits of words and a sign. */
function undoSparc(data: Uint8Array, startOffset: number): Steps<number> {
  return eachWord(data, (view, at) => {
    const word = view.getUint32(at);
    if (word >>> 22 !== 0x100 && word >>> 22 !== 0x1ff) return;
    const target = ((word << 2) - (startOffset + at)) >>> 2;
    const sign = (target & 0x400000) === 0 ? 0 : 0x3fc00000;
    view.setUint32(at, 0x40000000 | sign | (target & 0x3fffff));
  });
}

/** Makes `bl` of ARM64 relative again, and `adrp` if the page is within 512 MiB. */
function undoArm64(data: Uint8Array, startOffset: number): Steps<number> {
  return eachWord(data, (view, at) => {
    const word = view.getUint32(at, true);
    const pc = startOffset + at;
    if (word >>> 26 === 0x25) {
      view.setUint32(at, 0x94000000 | ((word - (pc >>> 2)) & 0x03ffffff), true);
    } else if ((word & 0x9f000000) >>> 0 === 0x90000000) {
      const page = ((word >>> 29) & 3) | ((word >>> 3) & 0x1ffffc);
      if (((page + 0x20000) & 0x1c0000) !== 0) return;
      const target = page - (pc >>> 12);
      const high = ((target & 0x3fffc) << 3) | (-(target & 0x20000) & 0xe00000);
      view.setUint32(at, (word & 0x9000001f) | ((target & 3) << 29) | high, true);
    }
  });
}

/** Length in bytes of `call` or `jmp` with a 32-bit operand. */
const LENGTH = 5;

/** Index: which of the last 3 bytes are opcodes. Value: true if the next one may be converted. */
const MASK_ALLOWS = [true, true, true, false, true, false, false, false];
/** For each mask: which operand byte, counted from the end, belongs to an unconverted opcode. */
const SHARED_BYTE = [0, 1, 2, 2, 3, 3, 3, 3];

/** The filter converted only operands whose top byte is 0 or 0xff. */
const isNear = (byte: number) => byte === 0 || byte === 0xff;

/** Undoes the filter of x86 (see `UndoFilter`). */
function* undoX86(data: Uint8Array, startOffset: number): Steps<number> {
  const view = viewOf(data);
  const final = Math.max(0, data.length - LENGTH + 1);
  let mask = 0;
  let previous = -LENGTH;
  let nextStep = STEP_BYTES;
  for (let at = 0; at < final; at++) {
    if (((data[at] ?? 0) & 0xfe) !== 0xe8) continue;
    if (at >= nextStep) {
      nextStep = at + STEP_BYTES;
      yield;
    }
    const gap = at - previous;
    previous = at;
    mask = gap > 3 ? 0 : (mask << (gap - 1)) & 7;
    const shared = data[at + LENGTH - 1 - (SHARED_BYTE[mask] ?? 0)] ?? 0;
    const isOpcode = mask === 0 || (MASK_ALLOWS[mask] === true && !isNear(shared));
    if (!isOpcode || !isNear(data[at + LENGTH - 1] ?? 0)) {
      mask = ((mask << 1) & 7) | 1;
      continue;
    }
    const stored = view.getUint32(at + 1, true);
    const target = relativeTarget(stored, startOffset + at + LENGTH, mask);
    // The distance has 25 bits. The rest of the top byte repeats the sign.
    view.setUint32(at + 1, (target & 0x1ffffff) | -(target & 0x1000000), true);
    at += LENGTH - 1;
  }
  return final;
}

/** Returns the distance from the next instruction, at `next`, to the target `stored`. */
function relativeTarget(stored: number, next: number, mask: number): number {
  const target = (stored - next) | 0;
  if (mask === 0) return target;
  const bits = (SHARED_BYTE[mask] ?? 0) * 8;
  if (!isNear((target >>> (24 - bits)) & 0xff)) return target;
  return ((target ^ (2 ** (32 - bits) - 1)) - next) | 0;
}
