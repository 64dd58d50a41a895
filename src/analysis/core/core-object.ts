/**
 * The CO-RE side of an object as plain data: its types, its records, and the
 * instructions that they patch. All that the resolver needs of the object, so
 * that it can be sent to where the target is held.
 */
import type { Endian } from '#bytes/span.ts';
import { decodeInsn } from '#formats/bpf/insn.ts';
import { coreIndex, type TypeId } from '#model/ids.ts';
import type { ObjectModel } from '#model/object-model.ts';
import type { TypeTable } from '#model/type-table.ts';
import { coreRecord } from './core-records.ts';

export type CoreObjectRecord = {
  /** Row in the table of CO-RE records of the file. */
  readonly index: number;
  /** `enum bpf_core_relo_kind`. */
  readonly kind: number;
  readonly root: TypeId;
  /** Raw text. */
  readonly accessStr: string;
  /** Raw text. */
  readonly sectionName: string;
  /** The `relo #N` of libbpf's log. */
  readonly relocIndexInSection: number;
  /** Bytes from the start of the section. */
  readonly insnOff: number;
  /** The function that holds the instruction; `insnIndex` counts from its start. Raw name. */
  readonly func: { readonly name: string; readonly insnIndex: number } | null;
  /** Bytes of the instruction in `insns`: 8, 16 for a whole ld_imm64, 0 where there is none. */
  readonly insnLength: 0 | 8 | 16;
};

export type CoreObject = {
  readonly types: TypeTable;
  /** Byte order of the program. */
  readonly endian: Endian;
  readonly records: readonly CoreObjectRecord[];
  /** The instructions, 16 bytes for each record in order. */
  readonly insns: Uint8Array;
};

/** Bytes that each record has in `insns`. */
const INSN_ROOM = 16;

/**
 * The CO-RE side of a model; null where it has no types or no records.
 * `sectionBytes` gives the content of a section by its index, null where it has none.
 */
export function coreObjectOf(
  model: ObjectModel,
  sectionBytes: (section: number) => Uint8Array | null,
): CoreObject | null {
  const { count } = model.ext.core;
  if (model.types === null || count === 0) return null;
  const insns = new Uint8Array(INSN_ROOM * count);
  const records: CoreObjectRecord[] = [];
  for (let index = 0; index < count; index++) {
    const record = coreRecord(model, coreIndex(index));
    const code = record.section < 0 ? null : sectionBytes(record.section);
    const insn = code === null ? null : decodeInsn(code, record.insnOff, model.endian);
    const insnLength = insn?.length ?? 0;
    if (code !== null) {
      insns.set(code.subarray(record.insnOff, record.insnOff + insnLength), INSN_ROOM * index);
    }
    records.push({
      index,
      kind: record.kind,
      root: record.root,
      accessStr: record.accessStr,
      sectionName: record.sectionName,
      relocIndexInSection: record.relocIndexInSection,
      insnOff: record.insnOff,
      func: record.func,
      insnLength,
    });
  }
  return { types: model.types, endian: model.endian, records, insns };
}

/** The instruction of the record at `row` of `records`. A view. */
export function insnBytesOf(local: CoreObject, row: number): Uint8Array {
  const start = INSN_ROOM * row;
  return local.insns.subarray(start, start + (local.records[row]?.insnLength ?? 0));
}
