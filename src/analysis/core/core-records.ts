/** CO-RE records with their names: which section, which function, which instruction. */
import { functionAt } from '#analysis/objects/functions.ts';
import { buildPlaceIndex, rowsBetween } from '#analysis/objects/place-index.ts';
import { symbolOffset } from '#analysis/objects/symbol-places.ts';
import { upperBound } from '#bytes/arrays.ts';
import { getOrCreate, memoized } from '#bytes/cache.ts';
import { type Endian, type Span, spanOf } from '#bytes/span.ts';
import { decodeInsn } from '#formats/bpf/insn.ts';
import {
  type CoreIndex,
  coreIndex,
  type SectionIndex,
  type SymbolIndex,
  sectionIndex,
  symbolIndex,
  type TypeId,
  typeId,
} from '#model/ids.ts';
import type { ObjectModel } from '#model/object-model.ts';
import { sectionName } from '#model/sections.ts';
import { SymbolType, symbolType } from '#model/symbols.ts';
import { hasString, stringAt, type TypeTable } from '#model/type-table.ts';
import { accessStringAt } from './access-string.ts';
import { coreKindName } from './core-kinds.ts';

export type CoreRecord = {
  readonly index: CoreIndex;
  /** `enum bpf_core_relo_kind`. */
  readonly kind: number;
  readonly kindName: string;
  readonly root: TypeId;
  /** Raw text: escape it when drawn. */
  readonly accessStr: string;
  /** Whether the offset of the access string is one of the strings. */
  readonly hasAccessStr: boolean;
  /** The section name in the record, also where the file has no such section. Raw text. */
  readonly sectionName: string;
  /** -1 where the file has no section of that name. */
  readonly section: number;
  /** Bytes from the start of the section. */
  readonly insnOff: number;
  /** Slots of eight bytes from the start of the section. */
  readonly insnIndex: number;
  /** The `relo #N` of libbpf's log. */
  readonly relocIndexInSection: number;
  /** `insnIndex` counts from the start of the function, as in libbpf's log. */
  readonly func: { readonly name: string; readonly insnIndex: number } | null;
  /** File bytes of the record. */
  readonly span: Span;
};

const SLOT = 8;

/** The record with this number. Total: one that does not exist is all zeros. */
export function coreRecord(model: ObjectModel, index: CoreIndex): CoreRecord {
  const { core } = model.ext;
  const kind = core.kind[index] ?? 0;
  const section = core.section[index] ?? -1;
  const insnOff = core.insnOff[index] ?? 0;
  const func = section < 0 ? null : functionAt(model, sectionIndex(section), insnOff);
  return {
    index,
    kind,
    kindName: coreKindName(kind),
    root: typeId(core.typeId[index] ?? 0),
    accessStr:
      model.types === null ? '' : accessStringAt(model.types, core.accessStrOff[index] ?? 0),
    hasAccessStr: model.types !== null && hasString(model.types, core.accessStrOff[index] ?? 0),
    sectionName:
      section < 0
        ? text(model, core.secNameOff[index] ?? 0)
        : sectionName(model.sections, sectionIndex(section)),
    section,
    insnOff,
    insnIndex: Math.floor(insnOff / SLOT),
    relocIndexInSection: core.indexInSection[index] ?? 0,
    func: func && { name: func.name, insnIndex: Math.floor((insnOff - func.start) / SLOT) },
    span: spanOf(core.recordOffset[index] ?? 0, core.recordSize),
  };
}

function text(model: ObjectModel, offset: number): string {
  return model.types === null ? '' : stringAt(model.types, offset);
}

const recordIndex = memoized(({ ext, sections }: ObjectModel) =>
  buildPlaceIndex(
    ext.core.count,
    sections.count,
    (row) => ext.core.section[row] ?? -1,
    (row) => ext.core.insnOff[row] ?? 0,
  ),
);

/** Records at `insnOff` bytes of `section`, in the order of the file. Indexed once for a model. */
export function coreRecordsAt(
  model: ObjectModel,
  section: SectionIndex,
  insnOff: number,
): CoreIndex[] {
  return coreRecordsBetween(model, section, insnOff, insnOff + 1);
}

/** Records from `start` to `end` (exclusive, bytes of the section), by their place. */
export function coreRecordsBetween(
  model: ObjectModel,
  section: SectionIndex,
  start: number,
  end: number,
): CoreIndex[] {
  return Array.from(rowsBetween(recordIndex(model), section, start, end), coreIndex);
}

/**
 * A CO-RE record of an object as plain data. With its types and instructions it is the resolver's
 * input, which can be sent to the worker of the target.
 */

export type CoreObjectRecord = {
  /** Row in the table of CO-RE records of the file. */
  readonly index: number;
  /** `enum bpf_core_relo_kind`. */
  readonly kind: number;
  readonly root: TypeId;
  /** Raw text. */
  readonly accessStr: string;
  /** Whether the offset of the access string is one of the strings. */
  readonly hasAccessStr: boolean;
  /** Raw text. */
  readonly sectionName: string;
  /** The `relo #N` of libbpf's log. */
  readonly relocIndexInSection: number;
  /** Bytes from the start of the section. */
  readonly insnOff: number;
  /** The function that holds the instruction; `insnIndex` counts from its start. Raw name. */
  readonly func: { readonly name: string; readonly insnIndex: number } | null;
  /** Whether no function symbol has the instruction. libbpf skips the record of a weak subprogram that linking has replaced. */
  readonly eliminated: boolean;
  /** Bytes of the instruction in `insns`: 8, 16 for a whole ld_imm64, 0 for none. */
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
  const hasPrograms = programIndex(model).size > 0;
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
      hasAccessStr: record.hasAccessStr,
      sectionName: record.sectionName,
      relocIndexInSection: record.relocIndexInSection,
      insnOff: record.insnOff,
      func: record.func,
      eliminated: hasPrograms && !inProgram(model, record),
      insnLength,
    });
  }
  return { types: model.types, endian: model.endian, records, insns };
}

/** Returns the CO-RE object with instructions read by `read`, which gives bytes of the file. Rejects as `read` does. */
export async function readCoreObject(
  model: ObjectModel,
  read: (start: number, end: number) => Promise<Uint8Array>,
): Promise<CoreObject | null> {
  const code = new Map<number, Uint8Array>();
  for (const section of new Set(model.ext.core.section)) {
    if (section < 0) continue;
    const start = model.sections.fileOffset[section] ?? 0;
    code.set(section, await read(start, start + (model.sections.byteLength[section] ?? 0)));
  }
  return coreObjectOf(model, (section) => code.get(section) ?? null);
}

/**
 * The function symbols of each section, by place, as libbpf's `find_prog_by_sec_insn` searches
 * them. Without any symbol, an object has no programs and no record is eliminated.
 */
const programIndex = memoized((model: ObjectModel): ReadonlyMap<number, Programs> => {
  const { symbols } = model;
  const rows = new Map<number, SymbolIndex[]>();
  for (let row = 0; row < symbols.count; row++) {
    const symbol = symbolIndex(row);
    const section = symbols.section[row] ?? -1;
    if (section < 0 || symbolType(symbols, symbol) !== SymbolType.FUNC) continue;
    getOrCreate(rows, section, () => []).push(symbol);
  }
  const programs = new Map<number, Programs>();
  for (const [section, list] of rows) {
    list.sort((a, b) => symbolOffset(model, a) - symbolOffset(model, b));
    const starts = list.map((symbol) => symbolOffset(model, symbol));
    const size = (symbol: SymbolIndex) => Number(symbols.size[symbol] ?? 0n);
    programs.set(section, { starts, sizes: list.map(size) });
  }
  return programs;
});

type Programs = { readonly starts: readonly number[]; readonly sizes: readonly number[] };

function inProgram(model: ObjectModel, { section, insnOff }: CoreRecord): boolean {
  const { starts, sizes } = programIndex(model).get(section) ?? { starts: [], sizes: [] };
  const row = upperBound(starts, insnOff) - 1;
  return row >= 0 && insnOff < (starts[row] ?? 0) + (sizes[row] ?? 0);
}

/** The object with those of its records alone that `isWanted` takes. */
export function recordsOf(
  core: CoreObject,
  isWanted: (record: CoreObjectRecord) => boolean,
): CoreObject {
  const rows = [...core.records.entries()].filter(([, record]) => isWanted(record));
  if (rows.length === core.records.length) return core;
  const insns = new Uint8Array(INSN_ROOM * rows.length);
  for (const [at, [row]] of rows.entries()) insns.set(insnBytesOf(core, row), INSN_ROOM * at);
  return { ...core, records: rows.map(([, record]) => record), insns };
}

/** The instruction of the record at `row` of `records`. A view. */
export function insnBytesOf(local: CoreObject, row: number): Uint8Array {
  const start = INSN_ROOM * row;
  return local.insns.subarray(start, start + (local.records[row]?.insnLength ?? 0));
}

/** An access without an instruction, in several kinds. */
export type TriedAccess = {
  readonly types: TypeTable;
  /** Byte order of the program, which decides how bit-fields are shifted. */
  readonly endian: Endian;
  readonly root: TypeId;
  /** `enum bpf_core_relo_kind`, with the string that each kind has. */
  readonly asked: readonly { readonly kind: number; readonly accessStr: string }[];
};

/** Returns records without instructions: they are resolved, and nothing is patched. */
export function withoutInsns({ types, endian, root, asked }: TriedAccess): CoreObject {
  const nowhere = {
    root,
    hasAccessStr: true,
    sectionName: '',
    insnOff: 0,
    func: null,
    eliminated: false,
    insnLength: 0,
  } as const;
  const records = asked.map(
    (access, index): CoreObjectRecord => ({
      ...nowhere,
      ...access,
      index,
      relocIndexInSection: index,
    }),
  );
  return { types, endian, records, insns: new Uint8Array(16 * records.length) };
}
