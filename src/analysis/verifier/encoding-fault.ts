/**
 * Finds the instruction of a fault that the verifier finds before its walk and names by no index: in
 * the code of the object, or in the instructions that Linux 7.3 prints around it.
 */
import type { DiagnosticBlock } from '#formats/verifier-log/diagnostic-block.ts';
import type { Message } from './message.ts';

const SLOT_SIZE = 8;
const LD_IMM64 = 0x18;
/** Classes of jumps, and the operations of them that do not jump. */
const JUMPS: readonly number[] = [5, 6];
const CALL = 8;
const EXIT = 9;

/** Returns the index of the instruction; null if it is not found. `code` has slots of 8 bytes. */
export function encodingFault(
  { rule, values }: Message,
  code: Uint8Array | null,
  block: DiagnosticBlock | null,
): number | null {
  switch (rule) {
    case 'unknown-opcode':
      return findSlot(code, (at) => at[0] === Number.parseInt(values[0] ?? '', 16));
    case 'bad-ldimm64':
      return findSlot(code, (at) => at[0] === LD_IMM64 && isBadSecondHalf(at));
    case 'jump-into-ldimm64':
      return jumpInto(Number(values[0]), code, block);
    default:
      return null;
  }
}

/** Returns the first slot that passes a test; the second halves of loads are none. */
function findSlot(code: Uint8Array | null, test: (at: Uint8Array) => boolean): number | null {
  if (code === null) return null;
  for (let slot = 0; (slot + 1) * SLOT_SIZE <= code.length; slot++) {
    const at = code.subarray(slot * SLOT_SIZE);
    if (test(at)) return slot;
    if (at[0] === LD_IMM64) slot++;
  }
  return null;
}

/** The second half of a 16-byte load has a constant only. Source: check_ld_imm, resolve_pseudo_ldimm64. */
function isBadSecondHalf(at: Uint8Array): boolean {
  return at.subarray(SLOT_SIZE, SLOT_SIZE + 4).some((byte) => byte !== 0);
}

/** Returns the jump to the second half of the load at `load`, or to `load` if it is that half. */
function jumpInto(load: number, code: Uint8Array | null, block: DiagnosticBlock | null) {
  const isTarget = (target: number) => target === load + 1;
  let slot = -1;
  const found = findSlot(code, (at) => {
    slot = code === null ? -1 : (at.byteOffset - code.byteOffset) / SLOT_SIZE;
    const opcode = at[0] ?? 0;
    const isJump = JUMPS.includes(opcode & 7) && ![CALL, EXIT].includes(opcode >> 4);
    const offset = new DataView(at.buffer, at.byteOffset).getInt16(2, true);
    return isJump && isTarget(slot + 1 + offset);
  });
  if (found !== null) return found;
  for (const { number, text } of block?.at?.insns ?? []) {
    const offset = /goto pc([+-]\d{1,5})$/.exec(text)?.[1];
    if (offset !== undefined && isTarget(number + 1 + Number(offset))) return number;
  }
  return null;
}
