/** The x86 branch filter of .xz: `call` and `jmp` with 32 bits of distance. See `branch-filters.ts`. */
import { STEP_BYTES, type Steps } from './steps.ts';

/** An opcode and its operand. */
const LENGTH = 5;

/**
 * The last three bytes before an opcode, a bit each that says: there was an
 * opcode that was left alone. Under some masks the next is left alone too.
 */
const MASK_ALLOWS = [true, true, true, false, true, false, false, false];
/** Which byte of the operand, from its end, such an opcode shares by the mask. */
const SHARED_BYTE = [0, 1, 2, 2, 3, 3, 3, 3];

/** Only operands whose top byte says "not far" were changed. */
const isNear = (byte: number) => byte === 0 || byte === 0xff;

/** Turns back all of `data`; see `BranchFilter`. */
export function* undoX86(data: Uint8Array, startOffset: number): Steps<number> {
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
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
    // The distance has 25 bits; the rest of the top byte is its sign.
    view.setUint32(at + 1, (target & 0x1ffffff) | -(target & 0x1000000), true);
    at += LENGTH - 1;
  }
  return final;
}

/**
 * The distance to `stored` from `next`, where the next instruction begins. Where
 * a byte is shared, the filter saw to it that it does not come out as a near one.
 */
function relativeTarget(stored: number, next: number, mask: number): number {
  const target = (stored - next) | 0;
  if (mask === 0) return target;
  const bits = (SHARED_BYTE[mask] ?? 0) * 8;
  if (!isNear((target >>> (24 - bits)) & 0xff)) return target;
  return ((target ^ (2 ** (32 - bits) - 1)) - next) | 0;
}
