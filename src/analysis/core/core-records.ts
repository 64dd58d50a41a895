/** Reads CO-RE records and adds the names of their sections and functions. */
import { functionAt } from '#analysis/objects/functions.ts';
import { buildPlaceIndex, rowsBetween } from '#analysis/objects/place-index.ts';
import { symbolOffset } from '#analysis/objects/symbol-places.ts';
import { upperBound } from '#bytes/arrays.ts';
import { getOrCreate, memoized } from '#bytes/cache.ts';
import { type Endian, type Span, spanOf } from '#bytes/span.ts';
import { decodeInsn, SLOT_SIZE } from '#formats/bpf/insn.ts';
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
  /** Relocation kind, `enum bpf_core_relo_kind`. */
  readonly kind: number;
  readonly kindName: string;
  readonly root: TypeId;
  /** Access string, not escaped. */
  readonly accessStr: string;
  /** True if the access string's offset is inside the string section. */
  readonly hasAccessStr: boolean;
  /** Section name in the record, not escaped; the file may have no section with that name. */
  readonly sectionName: string;
  /** Index of the section; -1 if the file has no section with the name. */
  readonly section: number;
  /** Bytes from the start of the section to the instruction. */
  readonly insnOff: number;
  /** Slots of eight bytes from the start of the section to the instruction. */
  readonly insnIndex: number;
  /** Number of the record in its section: `relo #N` in libbpf's log. */
  readonly relocIndexInSection: number;
  /** Function with the instruction, and slots from the function's start, as in libbpf's log. */
  readonly func: { readonly name: string; readonly insnIndex: number } | null;
  /** Byte range of the record in the file. */
  readonly span: Span;
};

/** Returns record number `index`; empty fields if the record does not exist. */
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
    insnIndex: Math.floor(insnOff / SLOT_SIZE),
    relocIndexInSection: core.indexInSection[index] ?? 0,
    func: func && { name: func.name, insnIndex: Math.floor((insnOff - func.start) / SLOT_SIZE) },
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

/** Returns the records for the instruction at byte `insnOff` of `section`, in file order. */
export function coreRecordsAt(
  model: ObjectModel,
  section: SectionIndex,
  insnOff: number,
): CoreIndex[] {
  return coreRecordsBetween(model, section, insnOff, insnOff + 1);
}

/** Returns records with `start` <= offset < `end` (bytes in the section), sorted by offset. */
export function coreRecordsBetween(
  model: ObjectModel,
  section: SectionIndex,
  start: number,
  end: number,
): CoreIndex[] {
  return Array.from(rowsBetween(recordIndex(model), section, start, end), coreIndex);
}

/** CO-RE record as plain data that a worker can receive; `index` is its row in the file's table. */
export type CoreObjectRecord = Pick<
  CoreRecord,
  'kind' | 'root' | 'accessStr' | 'hasAccessStr' | 'sectionName' | 'relocIndexInSection'
> &
  Pick<CoreRecord, 'insnOff' | 'func'> & {
    readonly index: number;
    /** True if no function symbol covers the instruction: linking replaced a weak subprogram. */
    readonly eliminated: boolean;
    /** Number of bytes in `insns`: 8, or 16 for a complete ld_imm64, or 0 for no instruction. */
    readonly insnLength: 0 | 8 | 16;
  };

export type CoreObject = {
  readonly types: TypeTable;
  /** Byte order of the program. */
  readonly endian: Endian;
  readonly records: readonly CoreObjectRecord[];
  /** Instructions of all records, 16 bytes per record. */
  readonly insns: Uint8Array;
};

/** Number of bytes per record in `insns`. */
const INSN_ROOM = 16;

/** Returns the CO-RE records of a file; null for a file without types or records. */
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

/** Returns the CO-RE records with instructions from `read`. Rejects if `read` rejects. */
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

/** Function symbols by section, sorted by offset, as in libbpf's `find_prog_by_sec_insn`. */
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

/** Returns an object that keeps only the records for which `isWanted` returns true. */
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

/** Returns a view of the instruction bytes of record number `row`. */
export function insnBytesOf(local: CoreObject, row: number): Uint8Array {
  const start = INSN_ROOM * row;
  return local.insns.subarray(start, start + (local.records[row]?.insnLength ?? 0));
}

/** Access to resolve without an instruction, for one or more relocation kinds. */
export type TriedAccess = {
  readonly types: TypeTable;
  /** Byte order of the program; it affects the shifts of bit-fields. */
  readonly endian: Endian;
  readonly root: TypeId;
  /** Kind (`enum bpf_core_relo_kind`) and access string of each record to resolve. */
  readonly asked: readonly { readonly kind: number; readonly accessStr: string }[];
};

/** Returns an object whose records are resolved, but have no instruction to patch. */
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
  return { types, endian, records, insns: new Uint8Array(INSN_ROOM * records.length) };
}
