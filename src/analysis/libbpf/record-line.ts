/** Finds the source line with the access of a CO-RE record. */
import { lineAt, lineThatUses, type SourceLine } from '#analysis/code/source-lines.ts';
import { coreRecord } from '#analysis/core/core-records.ts';
import { walkAccess } from '#analysis/core/parse-spec.ts';
import { coreIndex, sectionIndex } from '#model/ids.ts';
import type { ObjectModel } from '#model/object-model.ts';
import { nameOf } from '#model/type-table.ts';

/** Returns the source line that uses the member, type or enumerator of a record, or null. */
export function lineOfRecord(model: ObjectModel, row: number): SourceLine | null {
  const { section, root, accessStr, kind, insnOff } = coreRecord(model, coreIndex(row));
  if (model.types === null || section < 0) return null;
  const { steps } = walkAccess(model.types, root, accessStr, kind);
  const name = steps.at(-1)?.name || nameOf(model.types, root);
  return lineThatUses(model, sectionIndex(section), insnOff, name);
}

/** Returns the source line with the access of a record; without one, the line of its instruction. */
export function sourceOfRecord(model: ObjectModel, row: number): SourceLine | null {
  const { section, insnOff } = coreRecord(model, coreIndex(row));
  const own = section < 0 ? null : lineAt(model, sectionIndex(section), insnOff);
  return lineOfRecord(model, row) ?? own;
}
