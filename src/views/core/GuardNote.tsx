import { useMemo } from 'react';
import { coreKindName } from '#analysis/core/core-kinds.ts';
import { guardIndex, guardOf } from '#analysis/core/matrix/guards.ts';
import type { CoreResult } from '#analysis/core/resolve.ts';
import { coreIndex } from '#model/ids.ts';
import type { TypeTable } from '#model/type-table.ts';
import { select } from '#store/navigation.ts';
import { Button } from '#ui/Button.tsx';
import styles from './GuardNote.module.css';

/** Which question in the same function keeps the verifier from a poisoned instruction; or that there is none. */
export function GuardNote({
  types,
  results,
  result,
}: {
  readonly types: TypeTable;
  readonly results: readonly CoreResult[];
  readonly result: CoreResult;
}) {
  const guard = useMemo(() => guardAmong(types, results, result), [types, results, result]);
  if (result.poisonReason === 'memsz') {
    return (
      <p className={styles.note}>
        The field is there, so that a question whether it exists does not keep the program from
        getting here. Read it by its size, as the macros for bit-fields do, or declare it with the
        type that it has on this target.
      </p>
    );
  }
  if (guard === null) {
    return (
      <p className={styles.note}>
        No relocation in this function asks first whether it exists. Without such a question, or
        another one that the verifier can decide, nothing keeps the program from getting there.
      </p>
    );
  }
  const { record } = guard;
  return (
    <div className={styles.note}>
      <p>
        The same function asks <code>{coreKindName(record.kind)}</code> for it, and here the answer
        is 0. If this instruction stands behind that question, the verifier never sees it.
      </p>
      <Button
        size="small"
        onClick={() => select({ kind: 'core', core: coreIndex(record.index), step: null })}
      >
        Show the question, insn #{record.func?.insnIndex ?? Math.floor(record.insnOff / 8)}
      </Button>
    </div>
  );
}

function guardAmong(
  types: TypeTable,
  results: readonly CoreResult[],
  result: CoreResult,
): CoreResult | null {
  const records = results.map(({ record }) => record);
  // All records of the object are there, so that the number of a record is its row.
  const row = guardOf(guardIndex({ types, records }), results, result.record.index);
  return row === null ? null : (results[row] ?? null);
}
