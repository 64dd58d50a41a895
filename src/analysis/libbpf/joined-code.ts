/**
 * The code of a program with the subprograms that libbpf appends, before it writes relocations.
 * Source: libbpf 1.8, libbpf.c: bpf_object__reloc_code.
 */
import { coreRecordsBetween } from '#analysis/core/core-records.ts';
import type { FlowCode } from '#analysis/kernel/flow.ts';
import { functionAt } from '#analysis/objects/functions.ts';
import type { RelocationMeaning } from '#analysis/objects/relocation-facts.ts';
import { relocationsInRange } from '#analysis/relocations/by-place.ts';
import { relocationMeaning } from '#analysis/relocations/meaning.ts';
import {
  decodeInsn,
  type Insn,
  insnOffsets,
  isCall,
  isLdImm64,
  SLOT_SIZE,
} from '#formats/bpf/insn.ts';
import type { CoreIndex } from '#model/ids.ts';
import type { LoadObject, LoadProgram } from './open.ts';
import { subprogramAt } from './program-parts.ts';

/** An instruction of a program with its subprograms. */
export type JoinedInsn = {
  /** Slot in the program with its subprograms. */
  readonly slot: number;
  readonly insn: Insn;
  /** Meaning of the relocation of a call or an ld_imm64; null without one. */
  readonly meaning: RelocationMeaning | null;
  /** First slot of the subprogram that the instruction calls or loads the address of, or null. */
  readonly callee: number | null;
};

/** Returns the bytes of a program with its subprograms, and the first slots of its functions. */
export function joinedBytes(
  { model, sectionBytes }: LoadObject,
  { load: { parts, insnCount } }: LoadProgram,
): Pick<FlowCode, 'bytes' | 'endian' | 'starts' | 'entries'> {
  const bytes = new Uint8Array(insnCount * SLOT_SIZE);
  for (const { section, start, end, insnOff } of parts) {
    const code = sectionBytes(section)?.subarray(start, end) ?? new Uint8Array(0);
    bytes.set(code.subarray(0, bytes.length - insnOff * SLOT_SIZE), insnOff * SLOT_SIZE);
  }
  return {
    bytes,
    endian: model.endian,
    starts: parts.map(({ insnOff }) => insnOff),
    entries: parts.slice(1).flatMap(({ section, start, insnOff }) => {
      return (functionAt(model, section, start)?.global ?? true) ? [insnOff] : [];
    }),
  };
}

/** Yields the instructions of a program with its subprograms. */
export function* joinedInsns(
  { model, sectionBytes }: LoadObject,
  { load: { parts } }: LoadProgram,
): Generator<JoinedInsn> {
  for (const part of parts) {
    const code = sectionBytes(part.section)?.subarray(part.start, part.end) ?? new Uint8Array(0);
    for (const offset of insnOffsets(code, model.endian)) {
      const insn = decodeInsn(code, offset, model.endian);
      if (insn === null) continue;
      const slot = part.insnOff + offset / SLOT_SIZE;
      if (!isCall(insn) && !isLdImm64(insn)) {
        yield { slot, insn, meaning: null, callee: null };
        continue;
      }
      const at = part.start + offset;
      const [reloc] = relocationsInRange(model, part.section, at, at + SLOT_SIZE);
      const meaning = reloc === undefined ? null : relocationMeaning(model, reloc);
      const place = subprogramAt(model, part, insn);
      const callee = parts.find(
        ({ section, start }) => section === place?.section && start === place.offset,
      );
      yield { slot, insn, meaning, callee: callee?.insnOff ?? null };
    }
  }
}

/** Returns the CO-RE records of a program with its subprograms: the slot and the row of each. */
export function joinedRecords(
  { model }: Pick<LoadObject, 'model'>,
  { load: { parts } }: LoadProgram,
): { readonly slot: number; readonly row: CoreIndex }[] {
  const { insnOff } = model.ext.core;
  return parts.flatMap((part) =>
    coreRecordsBetween(model, part.section, part.start, part.end).map((row) => {
      const offset = (insnOff[row] ?? 0) - part.start;
      return { slot: part.insnOff + offset / SLOT_SIZE, row };
    }),
  );
}
