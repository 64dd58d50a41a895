/**
 * The instructions of a program with its subprograms, what they refer to, and which of them a guard
 * can make dead.
 */
import { type CoreRecord, coreRecord } from '#analysis/core/core-records.ts';
import { flowOf, type Value } from '#analysis/kernel/flow.ts';
import type { Extern } from '#analysis/libbpf/externs.ts';
import { joinedBytes, joinedInsns, joinedRecords } from '#analysis/libbpf/joined-code.ts';
import type { LoadObject, LoadProgram } from '#analysis/libbpf/open.ts';
import type { RelocationMeaning } from '#analysis/objects/relocation-facts.ts';
import { addTo } from '#bytes/cache.ts';
import { type Insn, insnClass, isCall, isLdImm64, SLOT_SIZE } from '#formats/bpf/insn.ts';
import {
  ALU_OP,
  CALL_SOURCE,
  IMM64_SOURCE,
  MODE,
  opOf,
  SIZE,
  SOURCE,
  sourceOf,
} from '#formats/bpf/opcodes.ts';
import { coreIndex } from '#model/ids.ts';
import type { ObjectModel } from '#model/object-model.ts';
import { isCode, sectionName } from '#model/sections.ts';

/** An instruction of a program with its subprograms. */
export type PlacedInsn = {
  /** Slot in the program with its subprograms. */
  readonly slot: number;
  /** The instruction with the `src_reg` (`BPF_PSEUDO_*`) that libbpf writes. */
  readonly insn: Insn;
  /** Extern that the instruction calls or loads the address of; null for none. */
  readonly extern: Extern | null;
  /** True if a relocation writes the instruction. */
  readonly isRelocated: boolean;
};

export type GuardedCode = {
  readonly insns: readonly PlacedInsn[];
  /** CO-RE records by the slot of their instruction. */
  readonly records: readonly { readonly slot: number; readonly record: CoreRecord }[];
  /** Returns true if a guard decides whether the instruction runs: a value of it makes it dead. */
  readonly isGuarded: (slot: number) => boolean;
  /** Returns true if no execution reaches the instruction, whatever the guards are. */
  readonly isDead: (slot: number) => boolean;
};

/** Kinds of records whose value tells whether the kernel has something. */
export const EXISTENCE_KINDS: ReadonlySet<number> = new Set([2, 8, 10, 12]);

/** Maximum number of instructions in all runs over a program; further guards are not tried. */
const MAX_WORK = 2_000_000;

const NO_SLOTS: ReadonlySet<number> = new Set();

type Place = { readonly slot: number; readonly insn: Insn };
/** Values of a guard, by slot: of an existence check, a weak extern, or an option of `.kconfig`. */
type Guard = ReadonlyMap<number, Value>;

/** Returns the code of a program, with what a guard can make dead. */
export function guardedCode(object: LoadObject, program: LoadProgram): GuardedCode {
  const { model } = object;
  const code = joinedBytes(object, program);
  const { bytes } = code;
  const externs = new Map(
    object.externs.map((extern) => [extern.name, extern] as const).toReversed(),
  );
  const callees = new Map<number, number>();
  const insns: PlacedInsn[] = [];
  for (const { slot, insn, meaning, callee } of joinedInsns(object, program)) {
    const extern = externs.get(meaning?.symbolText ?? '') ?? null;
    const srcReg = meaning === null ? insn.srcReg : pseudoSource(model, insn, extern, meaning);
    insns.push({ slot, insn: { ...insn, srcReg }, extern, isRelocated: meaning !== null });
    if (callee !== null && extern === null) callees.set(slot, callee);
  }
  const records = joinedRecords(object, program).map(({ slot, row }) => {
    return { slot, record: coreRecord(model, coreIndex(row)) };
  });
  const isBig = model.endian === 'big';
  const guards = guardsOf(insns, records);
  const guardSlots = new Set(guards.flatMap((values) => values.flatMap((of) => [...of.keys()])));
  const plain = new Map(
    insns
      .filter(({ insn, isRelocated, slot }) => {
        return (
          isLdImm64(insn) &&
          !isRelocated &&
          insn.srcReg === IMM64_SOURCE.number &&
          !guardSlots.has(slot)
        );
      })
      .map(({ slot, insn }) => [slot, insn.imm64]),
  );
  const moves = insns.filter(({ slot, insn }) => guardSlots.has(slot) && isMove(insn));
  for (const move of moves) writeUnknown(bytes, move, isBig);
  const insnAt = new Map(moves.map((move) => [move.slot, move]));
  /** Returns the reachable slots if a guard has a value; all guards are unknown for null. */
  const reachedWith = (guard: Guard | null): ReadonlySet<number> | null => {
    const patched = guard === null ? bytes : bytes.slice();
    for (const [slot, value] of guard ?? []) {
      const move = insnAt.get(slot);
      if (move !== undefined && typeof value === 'bigint') writeValue(patched, move, value, isBig);
    }
    const patchedCode = {
      ...code,
      bytes: patched,
      callee: (slot: number) => callees.get(slot) ?? null,
      loaded: (slot: number) => guard?.get(slot) ?? plain.get(slot) ?? null,
      unknown: NO_SLOTS,
    };
    return flowOf(patchedCode, NO_SLOTS)?.reached ?? null;
  };
  const always = reachedWith(null);
  const tried = guards.slice(0, MAX_WORK / (2 * insns.length));
  const runs = always === null ? [] : tried.flat().map(reachedWith);
  return {
    insns,
    records,
    isDead: (slot) => always?.has(slot) === false,
    isGuarded: (slot) => runs.some((reached) => reached?.has(slot) === false),
  };
}

/**
 * Returns the `src_reg` that libbpf writes into an instruction with a relocation. Source:
 * bpf_object__relocate_data.
 */
function pseudoSource(
  model: ObjectModel,
  insn: Insn,
  extern: Extern | null,
  { target }: RelocationMeaning,
): number {
  if (isCall(insn)) {
    return extern === null ? CALL_SOURCE.pseudoCall : CALL_SOURCE.pseudoKfuncCall;
  }
  if (extern !== null) {
    if (extern.kind === 'kcfg') return IMM64_SOURCE.mapValue;
    // A weak extern that the kernel lacks becomes the number 0.
    return extern.kind === 'ksym' || extern.weak ? IMM64_SOURCE.number : IMM64_SOURCE.btfId;
  }
  const section = target?.section ?? null;
  if (section === null) return insn.srcReg;
  if (isCode(model.sections, section)) return IMM64_SOURCE.func;
  const isMap = sectionName(model.sections, section) === '.maps';
  return isMap ? IMM64_SOURCE.mapFd : IMM64_SOURCE.mapValue;
}

/** Lowest and highest LINUX_KERNEL_VERSION that a program is tried with. */
const VERSIONS = [0n, 0x7f_ff_ffn];

/** Returns the values of each guard of a program: an existence check, a weak extern, an option. */
function guardsOf(
  insns: readonly PlacedInsn[],
  records: GuardedCode['records'],
): readonly (readonly Guard[])[] {
  const slots = new Map<string, number[]>();
  const externs = new Map<string, Extern>();
  for (const { slot, record } of records) {
    const { kind, root, accessStr } = record;
    if (EXISTENCE_KINDS.has(kind)) addTo(slots, `${kind} ${root} ${accessStr}`, slot);
  }
  for (const { slot, insn, extern } of insns) {
    if (extern === null || !isLdImm64(insn)) continue;
    if (extern.kconfig === null && !extern.weak) continue;
    const key = `extern ${extern.name}`;
    externs.set(key, extern);
    addTo(slots, key, slot);
  }
  return Array.from(slots, ([key, places]) => {
    const extern = externs.get(key);
    const kconfig = extern?.kconfig ?? null;
    const numbers = extern?.name === 'LINUX_KERNEL_VERSION' ? VERSIONS : [0n, 1n];
    return numbers.map((number) => {
      const value = kconfig === null ? number : { number, byteSize: kconfig.size };
      return new Map(places.map((slot) => [slot, value]));
    });
  });
}

/** Returns true for a move of a number into a register, which an existence check patches. */
function isMove(insn: Insn): boolean {
  const isAlu = ['alu', 'alu64'].includes(insnClass(insn));
  return isAlu && opOf(insn.opcode) === ALU_OP.mov && sourceOf(insn.opcode) === SOURCE.k;
}

/** Writes the value of a guard into its move. */
function writeValue(bytes: Uint8Array, { slot, insn }: Place, value: bigint, isBig: boolean): void {
  const at = slot * SLOT_SIZE;
  bytes[at] = insn.opcode;
  bytes[at + 1] = isBig ? insn.dstReg << 4 : insn.dstReg;
  bytes.fill(0, at + 4, at + 8);
  bytes[at + (isBig ? 7 : 4)] = Number(value);
}

/** Writes a load of an unknown value in place of a move. */
function writeUnknown(bytes: Uint8Array, { slot, insn }: Place, isBig: boolean): void {
  const at = slot * SLOT_SIZE;
  bytes[at] = LOAD;
  bytes[at + 1] = isBig ? (insn.dstReg << 4) | STACK : (STACK << 4) | insn.dstReg;
}

/** Opcode of a load of 8 bytes, and the register of the stack frame. */
const LOAD = 0x01 | SIZE.dw | MODE.mem;
const STACK = 10;
