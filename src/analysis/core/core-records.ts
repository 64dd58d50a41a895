/** CO-RE records with their names: which section, which function, which instruction. */

import { functionAt } from '#analysis/objects/functions.ts';
import { buildPlaceIndex, type PlaceIndex, rowsBetween } from '#analysis/objects/place-index.ts';
import { type Span, spanOf } from '#bytes/span.ts';
import {
  type CoreIndex,
  coreIndex,
  type SectionIndex,
  sectionIndex,
  type TypeId,
  typeId,
} from '#model/ids.ts';
import type { ObjectModel } from '#model/object-model.ts';
import { sectionName } from '#model/sections.ts';
import { stringAt } from '#model/type-table.ts';
import { coreKindName } from './core-kinds.ts';

export type CoreRecord = {
  readonly index: CoreIndex;
  /** `enum bpf_core_relo_kind`. */
  readonly kind: number;
  readonly kindName: string;
  readonly root: TypeId;
  /** Raw text: escape it when drawn. */
  readonly accessStr: string;
  /** As the record names it, also where the file has no such section. Raw text. */
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
    accessStr: text(model, core.accessStrOff[index] ?? 0),
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

const indices = new WeakMap<ObjectModel, PlaceIndex>();

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
  let index = indices.get(model);
  if (index === undefined) {
    const { core } = model.ext;
    index = buildPlaceIndex(
      core.count,
      model.sections.count,
      (row) => core.section[row] ?? -1,
      (row) => core.insnOff[row] ?? 0,
    );
    indices.set(model, index);
  }
  return Array.from(rowsBetween(index, section, start, end), coreIndex);
}
