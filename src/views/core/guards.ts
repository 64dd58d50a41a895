/**
 * Questions in the same function that a poisoned access may stand behind: does
 * the field, the type or the enumerator exist? Where the answer is 0 the verifier
 * follows the other branch only, and never sees the invalid instruction.
 */
import type { CoreResult } from '#analysis/core/resolve.ts';

const FIELD_EXISTS = 2;
const TYPE_QUESTIONS: ReadonlySet<number> = new Set([8, 12]);
const ENUMVAL_EXISTS = 10;

/** The results that answer 0 to whether what `result` needs is there, in the order of the file. */
export function guardsOf(results: readonly CoreResult[], result: CoreResult): CoreResult[] {
  return results.filter((other) => isSamePlace(other, result) && isGuard(other, result));
}

function isSamePlace({ record: a }: CoreResult, { record: b }: CoreResult): boolean {
  return (
    a.sectionName === b.sectionName &&
    a.func !== null &&
    b.func !== null &&
    // Two functions may have one name; where each begins tells them apart.
    a.insnOff - 8 * a.func.insnIndex === b.insnOff - 8 * b.func.insnIndex
  );
}

function isGuard({ record, decision, status }: CoreResult, guarded: CoreResult): boolean {
  if (status !== 'ok' || decision === null || decision.newVal !== 0n) return false;
  const { kind, root, accessStr } = record;
  if (root !== guarded.record.root) return false;
  if (TYPE_QUESTIONS.has(kind)) return true;
  if (kind === ENUMVAL_EXISTS) return accessStr === guarded.record.accessStr;
  // Where a struct on the way is not there, nothing inside of it is.
  return kind === FIELD_EXISTS && `${guarded.record.accessStr}:`.startsWith(`${accessStr}:`);
}
