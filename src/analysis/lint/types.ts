/** A closer look at types: one pass over the records after another, each on its own subject. */
import type { Issue } from '#bytes/issue.ts';
import type { TypeTable } from '#model/type-table.ts';
import { Collected } from './collected.ts';
import { findCycles } from './cycles.ts';
import { findOddEnums } from './enums.ts';
import { findOddMembers } from './members.ts';
import { NameCheck } from './name-check.ts';
import { findOddNames } from './names.ts';
import { findOddReferences } from './references.ts';
import { findOddScalars } from './scalars.ts';
import { BlobRecords, TypeSizes } from './type-subject.ts';

/** Yields between small pieces of work and gives the issues at the end. `region`: `.BTF`, or the name of a raw blob. */
export function* typeFindings(types: TypeTable, region: string): Generator<void, Issue[]> {
  const records = new BlobRecords(types);
  yield;
  const sizes = new TypeSizes(types);
  const names = new NameCheck(types);
  yield;
  const issues: Issue[] = [];
  for (const pass of [
    findOddReferences,
    findCycles,
    findOddNames,
    findOddScalars,
    findOddMembers,
    findOddEnums,
  ]) {
    const found = new Collected(region);
    yield* pass({ records, sizes, names, found });
    issues.push(...found.issues());
  }
  return issues;
}
