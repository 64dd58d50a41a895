/**
 * Finds the instruction of a fault that the verifier finds before its walk and names by no index: in
 * the code of the object, or in the instructions that Linux 7.3 prints around it.
 */
import type { Endian } from '#bytes/span.ts';
import { IMM64_SOURCE } from '#formats/bpf/opcodes.ts';
import type { DiagnosticBlock } from '#formats/verifier-log/diagnostic-block.ts';
import type { Message } from './message.ts';
import type { LoadedCode } from './program-codes.ts';

const SLOT_SIZE = 8;
const LD_IMM64 = 0x18;
/** Classes of jumps, and the operations of them that do not jump. */
const JUMPS: readonly number[] = [5, 6];
const CALL = 8;
const EXIT = 9;

/** BPF_LD with BPF_ABS and BPF_IND, of 4, 2 and 1 bytes. */
const LEGACY_LOADS: ReadonlySet<number> = new Set([0x20, 0x28, 0x30, 0x40, 0x48, 0x50]);
const CALL_HELPER = 0x85;
const TAIL_CALL = 12;

function isTailCall(at: Uint8Array): boolean {
  const [opcode = 0, registers = 0] = at;
  const helper = new DataView(at.buffer, at.byteOffset).getInt32(4, true);
  return opcode === CALL_HELPER && registers >> 4 === 0 && helper === TAIL_CALL;
}

/** Returns the index of the instruction; null if it is not found. */
export function encodingFault(
  { rule, values, format }: Message,
  loaded: LoadedCode | null,
  block: DiagnosticBlock | null,
): number | null {
  const code = loaded?.bytes ?? null;
  switch (rule) {
    case 'ldabs-subprogs':
      return onlyInSubprograms(loaded, (at) => LEGACY_LOADS.has(at[0] ?? 0));
    case 'tail-call-subprogs':
      return onlyInSubprograms(loaded, isTailCall);
    case 'unknown-opcode':
      return findSlot(code, (at) => at[0] === Number.parseInt(values[0] ?? '', 16));
    case 'bad-ldimm64':
      return findSlot(code, (at) => {
        const isBad = format.startsWith('unrecognized')
          ? isUnknownLoad(at, loaded?.endian)
          : isBadSecondHalf(at);
        return at[0] === LD_IMM64 && isBad;
      });
    case 'reserved-fields':
      // Loads are checked before the walk, other instructions in it.
      return format.startsWith('BPF_LDX') ? loadWithReservedField(code) : null;
    case 'ksym-address':
      return format.includes('kernel symbol')
        ? ([...(loaded?.externs ?? [])].find(([, name]) => name === values[0])?.[0] ?? null)
        : findSlot(code, (at) => isTypeLoad(at, Number(values[0]), loaded?.endian));
    case 'jump-into-ldimm64':
      return jumpInto(Number(values[0]), code, block);
    default:
      return null;
  }
}

/**
 * Returns the first slot that passes a test in the subprograms, if one of them has such slots: of
 * several the verifier names none. Source: kernel/bpf/verifier.c, check_btf_func().
 */
function onlyInSubprograms(
  loaded: LoadedCode | null,
  test: (at: Uint8Array) => boolean,
): number | null {
  const found: number[] = [];
  for (const { insnOff, start, end } of loaded?.parts.slice(1) ?? []) {
    const from = insnOff * SLOT_SIZE;
    const slot = findSlot(loaded?.bytes.subarray(from, from + end - start) ?? null, test);
    if (slot !== null) found.push(insnOff + slot);
  }
  const [only, other] = found;
  return other === undefined ? (only ?? null) : null;
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

/** True for a 16-byte load of no known kind. Source: resolve_pseudo_ldimm64. */
function isUnknownLoad(at: Uint8Array, endian: Endian = 'little'): boolean {
  const registers = at[1] ?? 0;
  return (endian === 'little' ? registers >> 4 : registers & 0x0f) > IMM64_SOURCE.mapIdxValue;
}

/** True for a 16-byte load of the address of the kernel symbol whose type has the id. */
function isTypeLoad(at: Uint8Array, id: number, endian: Endian = 'little'): boolean {
  const registers = at[1] ?? 0;
  const source = endian === 'little' ? registers >> 4 : registers & 0x0f;
  const imm = new DataView(at.buffer, at.byteOffset).getInt32(4, endian === 'little');
  return at[0] === LD_IMM64 && source === IMM64_SOURCE.btfId && imm === id;
}

/**
 * Returns the first load of memory with a field that no kernel allows, else the first one that
 * extends the sign, which Linux 6.6 added. Source: resolve_pseudo_ldimm64.
 */
function loadWithReservedField(code: Uint8Array | null): number | null {
  const isLoad = (at: Uint8Array) => ((at[0] ?? 0) & 7) === LDX;
  const isIn = (at: Uint8Array, modes: readonly number[]) => modes.includes((at[0] ?? 0) & 0xe0);
  const hasImm = (at: Uint8Array) => at.subarray(4, SLOT_SIZE).some((byte) => byte !== 0);
  return (
    findSlot(code, (at) => isLoad(at) && (hasImm(at) || !isIn(at, [MEM, MEMSX]))) ??
    findSlot(code, (at) => isLoad(at) && isIn(at, [MEMSX]))
  );
}

/** Class and modes of a load of memory. */
const LDX = 1;
const MEM = 0x60;
const MEMSX = 0x80;

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
