import { coreKindName } from '#analysis/core/core-kinds.ts';
import type { CoreResult } from '#analysis/core/resolve.ts';
import { coreIndex } from '#model/ids.ts';
import { select } from '#store/navigation.ts';
import { Button } from '#ui/Button.tsx';
import styles from './GuardNote.module.css';
import { guardsOf } from './guards.ts';

/** Which question in the same function keeps the verifier from a poisoned instruction; or that there is none. */
export function GuardNote({
  results,
  result,
}: {
  readonly results: readonly CoreResult[];
  readonly result: CoreResult;
}) {
  if (result.poisonReason === 'memsz') {
    return (
      <p className={styles.note}>
        The field is there, so that a question whether it exists does not keep the program from
        getting here. Read it by its size, as the macros for bit-fields do, or declare it with the
        type that it has on this target.
      </p>
    );
  }
  const [guard] = guardsOf(results, result);
  if (guard === undefined) {
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
